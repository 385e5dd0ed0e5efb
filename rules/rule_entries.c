/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/rule_entries.h"

#include "reader/base/mem.h"

#include <string.h>

void sm_rule_entries_forget(struct sm_rule_entries *p)
{
    p->stamp++;
}

void sm_rule_entries_clear(struct sm_rule_entries *p)
{
    sm_free(p->items);
    *p = (struct sm_rule_entries){0};
}

static struct sm_rule_entry_range *range_of(struct sm_rule_entries *p, uint32_t name)
{
    if (name >= p->n) {
        size_t n = 2 * (size_t)name + 16;
        p->items = sm_xrealloc(p->items, n, sizeof *p->items);
        memset(p->items + p->n, 0, (n - p->n) * sizeof *p->items);
        p->n = n;
    }
    return &p->items[name];
}

bool sm_rule_entries_at(struct sm_rule_entries *p, const struct sm_trial *t,
                        const struct sm_trial_tensor *x, struct sm_step step, size_t *from,
                        size_t *to)
{
    struct sm_rule_entry_range *i = range_of(p, x->name);
    if (p->step.n != step.n || !p->stamp) {
        p->step = step;
        p->stamp++;
    }
    if (i->stamp != p->stamp) {
        sm_trial_entries_at(t, x, step, &i->from, &i->to);
        i->stamp = p->stamp;
    }
    *from = i->from;
    *to = i->to;
    return i->to > i->from;
}

static bool is_global(enum sm_mode m)
{
    return m == SM_MODE_ANY || m == SM_MODE_GLOBAL;
}

/* The entry to start at; those from it on are not looked at. here: the first of the step. */
static size_t start_below(const struct sm_rule_entries *p, const struct sm_trial *t,
                          const struct sm_rule_earlier *wanted, size_t here)
{
    const struct sm_rule_earlier *e = &p->earlier;
    size_t from, to;
    if (e->stamp == wanted->stamp && e->tensor == wanted->tensor && e->worker == wanted->worker &&
        e->mode == wanted->mode && e->number == wanted->number && e->at < here)
        return e->at;
    if (!is_global(wanted->mode))
        return here;
    sm_trial_entries_at(t, wanted->tensor, (struct sm_step){wanted->number}, &from, &to);
    return from < here ? from : here;
}

struct sm_entry sm_rule_entry_below(struct sm_rule_entries *p, const struct sm_trial *t,
                                    const struct sm_trial_tensor *x, uint16_t worker,
                                    struct sm_step step, enum sm_mode mode, int64_t below)
{
    size_t here, end;
    sm_rule_entries_at(p, t, x, step, &here, &end);
    struct sm_rule_earlier found = {p->stamp, x, worker, mode, below, 0};
    for (size_t i = start_below(p, t, &found, here); i-- > 0;) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        const struct sm_part *part = sm_trial_part(t, e.part);
        p->looked_at++;
        if (part->replaced || part->worker != worker || e.kind != SM_ENTRY_VALUE ||
            (!is_global(mode) && part->mode != mode))
            continue;
        found.number = is_global(mode) ? part->step.n : part->mode_step.n;
        found.at = i;
        if (found.number >= below)
            continue;
        p->earlier = found;
        return e;
    }
    return sm_entry_none();
}
