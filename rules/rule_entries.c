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
