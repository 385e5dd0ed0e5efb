#include "tui/standing.h"

#include "reader/base/mem.h"

#include <stdlib.h>

static int most_behind_first(const void *a, const void *b)
{
    const struct sm_standing *x = a, *y = b;
    if (x->behind != y->behind)
        return x->behind > y->behind ? -1 : 1;
    return x->worker < y->worker ? -1 : x->worker > y->worker;
}

void sm_standings_read(const struct sm_trial *t, struct sm_standings *out)
{
    size_t steps = sm_trial_step_count(t);
    out->n = sm_trial_worker_count(t);
    out->items = sm_xrealloc(out->items, out->n + 1, sizeof *out->items);
    for (size_t w = 0; w < out->n; w++)
        out->items[w] = (struct sm_standing){.worker = (uint16_t)w, .last = -1, .last_us = -1, .behind = steps};
    for (size_t i = 0; i < steps; i++) {
        const struct sm_part *p;
        for (size_t k = 0; (p = sm_trial_step_part(t, i, k)); k++) {
            struct sm_standing *w = &out->items[p->worker];
            w->steps++;
            w->last = p->step.n;
            w->last_us = p->time_us;
            w->behind = steps - 1 - i;
        }
    }
    if (out->n)
        qsort(out->items, out->n, sizeof *out->items, most_behind_first);
}

void sm_standings_clear(struct sm_standings *s)
{
    sm_free(s->items);
    *s = (struct sm_standings){0};
}
