#include "tui/panes/worker_lag.h"

#include "reader/base/mem.h"

#include <stdlib.h>

static int most_behind_first(const void *a, const void *b)
{
    const struct sm_worker_lag *x = a, *y = b;
    if (x->behind != y->behind)
        return x->behind > y->behind ? -1 : 1;
    return x->worker < y->worker ? -1 : x->worker > y->worker;
}

uint8_t *sm_worker_lags_modes(const struct sm_trial *t)
{
    size_t workers = sm_trial_worker_count(t);
    uint8_t *modes = sm_xalloc_zero(workers + 1, 1);
    for (size_t i = 0; i < sm_trial_step_count(t); i++) {
        const struct sm_part *p;
        for (size_t k = 0; (p = sm_trial_step_part(t, i, k)); k++)
            modes[p->worker] |= (uint8_t)(1 << sm_trial_step(t, i)->mode);
    }
    for (size_t w = 0; w < workers; w++)
        modes[w] = modes[w] ? modes[w] : UINT8_MAX;
    return modes;
}

/* A step that some have written. */
static void take_step(const struct sm_trial *t, size_t i, const uint8_t *modes,
                      struct sm_worker_lags *out)
{
    const struct sm_part *p;
    for (size_t w = 0; w < out->n; w++)
        out->items[w].behind += (modes[w] & 1 << sm_trial_step(t, i)->mode) != 0;
    for (size_t k = 0; (p = sm_trial_step_part(t, i, k)); k++) {
        struct sm_worker_lag *w = &out->items[p->worker];
        w->steps++;
        w->last = p->step.n;
        w->last_us = p->time_us;
        w->behind = 0;
    }
}

void sm_worker_lags_read(const struct sm_trial *t, struct sm_worker_lags *out)
{
    uint8_t *modes = sm_worker_lags_modes(t);
    size_t steps = sm_trial_step_count(t);
    out->n = sm_trial_worker_count(t);
    out->items = sm_xrealloc(out->items, out->n + 1, sizeof *out->items);
    for (size_t w = 0; w < out->n; w++)
        out->items[w] = (struct sm_worker_lag){.worker = (uint16_t)w, .last = -1, .last_us = -1};
    for (size_t i = 0; i < steps; i++)
        take_step(t, i, modes, out);
    sm_free(modes);
    if (out->n)
        qsort(out->items, out->n, sizeof *out->items, most_behind_first);
}

void sm_worker_lags_clear(struct sm_worker_lags *s)
{
    sm_free(s->items);
    *s = (struct sm_worker_lags){0};
}
