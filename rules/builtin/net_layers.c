/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/net_layers.h"

#include "reader/checkpoints/ckpt_path.h"
#include "reader/tensor/statistic_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int compare_layers(const void *a, const void *b)
{
    const struct sm_rule_item *x = ((const struct sm_net_layer *)a)->it,
                              *y = ((const struct sm_net_layer *)b)->it;
    if (x->worker != y->worker)
        return x->worker < y->worker ? -1 : 1;
    return (x->value.seq > y->value.seq) - (x->value.seq < y->value.seq);
}

size_t sm_net_layers(struct sm_rule_at *x, size_t pick, bool matrices, struct sm_net_layer **out)
{
    size_t n = 0;
    *out = sm_xalloc((x->picks[pick].n + 1) * sizeof **out);
    for (size_t i = 0; i < x->picks[pick].n; i++) {
        const struct sm_rule_item *it = &x->picks[pick].items[i];
        const struct sm_facts *f;
        if (sm_entry_exists(&it->value) && sm_rule_facts(x, it, &f) && f->has_stats && f->n &&
            (!matrices || f->n_dims > 1))
            (*out)[n++] = (struct sm_net_layer){it, f};
    }
    qsort(*out, n, sizeof **out, compare_layers);
    return n;
}

size_t sm_net_layers_of_worker(const struct sm_net_layer *layers, size_t n, size_t at)
{
    size_t to = at;
    while (to < n && layers[to].it->worker == layers[at].it->worker)
        to++;
    return to - at;
}

bool sm_is_embedding(const char *name)
{
    static const char *const words[] = {"embed", "position", "wte", "wpe"};
    for (; *name; name++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (strncasecmp(name, words[k], strlen(words[k])) == 0)
                return true;
    return false;
}

bool sm_starts_at_zero(const char *name)
{
    return strstr(name, "lora_B") || strstr(name, "lora_embedding_B");
}

bool sm_is_first_value(const struct sm_rule_at *x, const struct sm_rule_item *it, int64_t step)
{
    if (step > 1 || !sm_entry_exists(&it->value))
        return step <= 1;
    const char *path = sm_trial_event_path(x->trial, sm_trial_part(x->trial, it->value.part));
    return !path || !sm_ckpt_path_has_no_step(path);
}

bool sm_is_spread_evenly(uint64_t n, double abs_max, double std)
{
    enum { LEAST = 32 };
    static const double even_limit = 1.9;
    return n >= LEAST && std > 0 && abs_max < even_limit * std;
}

double sm_net_layer_size(const struct sm_net_layer *l)
{
    return sqrt(sm_stats_get(&l->facts->stats, SM_REDUCE_L2) *
                sm_stats_get(&l->facts->stats, SM_REDUCE_L2) / (double)l->facts->n);
}
