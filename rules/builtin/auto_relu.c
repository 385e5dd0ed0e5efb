/* SPDX-License-Identifier: Apache-2.0 */
/* How `rule auto` judges DeadRelu: units that output 0 for every sample, value after value. */
#include "rules/builtin/inactive.h"
#include "rules/builtin/rule_list.h"

#include <string.h>

enum { IN_A_ROW = 3 };
static const double share_limit = 50;

struct units {
    size_t n;
    uint8_t *zero; /* for each unit, values in a row, at most IN_A_ROW */
};
struct relus {
    struct sm_rule_records tensors;
};

static void clear_relus(void *state)
{
    struct relus *s = state;
    for (size_t i = 0; i < s->tensors.n; i++)
        sm_free(((struct units *)s->tensors.items[i])->zero);
    sm_memory_clear(&s->tensors);
}

static void judge_units(struct sm_rule_at *x, const struct sm_rule_item *it,
                        const struct sm_numbers *r)
{
    struct relus *s = x->state;
    struct units *u = sm_rule_record_of(&s->tensors, it, sizeof *u);
    size_t dead = 0;
    if (u->n != r->n) {
        sm_free(u->zero);
        u->n = r->n;
        u->zero = sm_xalloc_zero(u->n + 1, sizeof *u->zero);
    }
    for (size_t i = 0; i < u->n; i++) {
        u->zero[i] = r->v[i] == 0 ? 0 : u->zero[i] < IN_A_ROW ? u->zero[i] + 1 : IN_A_ROW;
        dead += u->zero[i] == IN_A_ROW;
    }
    double share = u->n ? 100 * (double)dead / (double)u->n : 0;
    sm_rule_note(
        x, it, share, share_limit, share > share_limit,
        "%zu of %zu units (%.3g%%) are 0 for all samples of %d saved steps in a row, limit "
        "%g%%",
        dead, u->n, share, IN_A_ROW, share_limit);
}

static void judge_relus(struct sm_rule_at *x)
{
    size_t n = x->picks[0].n;
    const struct sm_numbers **zero = sm_xalloc_zero(n + 1, sizeof *zero);
    for (size_t i = 0; i < n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        const struct sm_facts *f;
        if (!sm_entry_exists(&it->value) || !sm_rule_facts(x, it, &f) || !f->has_stats || !f->n)
            continue;
        double channels = f->n_dims > 3;
        if (!sm_rule_measure(x, sm_measure_zero_units, &channels, 1, &it->value, 1, &zero[i]))
            zero[i] = NULL;
    }
    for (size_t i = 0; i < n && !x->waiting; i++)
        if (zero[i])
            judge_units(x, &x->picks[0].items[i], zero[i]);
    sm_free(zero);
}

const struct sm_rule_auto sm_auto_dead_relu = {
    .differs = "it fires if more than half of the units (channels of images) are 0 for all samples "
               "of 3 saved steps in a row",
    .state_size = sizeof(struct relus),
    .judge = judge_relus,
    .clear = clear_relus,
};
