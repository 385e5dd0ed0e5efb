/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/worker_gaps.h"

#include "reader/base/grow.h"

#include <stdlib.h>

/* The state of a worker while the steps are scanned. */
struct scan {
    bool wrote; /* it wrote this step */
    int64_t from;
    size_t steps; /* missed since `from`; 0 if none */
};

enum gap_end { CAME_BACK, LOST, OPEN };

static void end_gap(struct sm_worker_gaps *out, struct scan *w, uint16_t worker, enum gap_end end)
{
    if (!w->steps)
        return;
    SM_GROW(out->items, out->n, out->cap);
    out->items[out->n++] = (struct sm_worker_gap){.worker = worker,
                                                  .from = w->from,
                                                  .steps = w->steps,
                                                  .lost = end == LOST,
                                                  .open = end == OPEN};
    w->steps = 0;
}

static void add_step(const struct sm_trial *t, size_t i, struct scan *scans,
                     struct sm_worker_gaps *out)
{
    const struct sm_trial_step *step = sm_trial_step(t, i);
    const struct sm_part *p;
    for (p = sm_trial_step_part(t, i, 0); p; p = sm_trial_next_part(t, p))
        scans[p->worker].wrote = true;
    for (size_t w = 0; w < out->workers.n; w++) {
        if (scans[w].wrote)
            end_gap(out, &scans[w], (uint16_t)w, CAME_BACK);
        else if (sm_workers_expect(&out->workers.items[w], i, step->mode) && !scans[w].steps++)
            scans[w].from = step->step.n;
        scans[w].wrote = false;
    }
}

static int compare_alike(const struct sm_worker_gap *x, const struct sm_worker_gap *y)
{
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    int order = (int)x->lost - (int)y->lost;
    return order ? order : (int)x->open - (int)y->open;
}

static int compare_gaps(const void *a, const void *b)
{
    const struct sm_worker_gap *x = a, *y = b;
    int order = compare_alike(x, y);
    return order ? order : (x->worker > y->worker) - (x->worker < y->worker);
}

static void sort_gaps(struct sm_worker_gaps *out)
{
    if (out->n)
        qsort(out->items, out->n, sizeof *out->items, compare_gaps);
    for (size_t i = out->n; i-- > 1;)
        if (compare_alike(&out->items[i - 1], &out->items[i]) == 0)
            out->items[i - 1].beside = out->items[i].beside + 1;
}

void sm_worker_gaps_read(const struct sm_trial *t, struct sm_worker_gaps *out)
{
    if (out->of == t && out->version == sm_trial_version(t))
        return;
    out->of = t;
    out->version = sm_trial_version(t);
    out->n = 0;
    sm_workers_read(t, &out->workers);
    size_t n = out->workers.n;
    if (n < 2)
        return;
    struct scan *scans = sm_xalloc_zero(n, sizeof *scans);
    for (size_t i = 0; i < sm_trial_step_count(t); i++)
        add_step(t, i, scans, out);
    bool ended = sm_trial_state(t) == SM_TRIAL_ENDED;
    for (size_t w = 0; w < n; w++)
        end_gap(out, &scans[w], (uint16_t)w, ended ? LOST : OPEN);
    sort_gaps(out);
    sm_free(scans);
}

void sm_worker_gaps_clear(struct sm_worker_gaps *g)
{
    sm_free(g->items);
    sm_workers_clear(&g->workers);
    *g = (struct sm_worker_gaps){0};
}

void sm_worker_gaps_describe(const struct sm_trial *t, const struct sm_worker_gap *g,
                             struct sm_str *out)
{
    sm_str_add(out, sm_trial_worker(t, g->worker));
    if (g->beside)
        sm_str_printf(out, " and %zu more", g->beside);
    sm_str_add(out, g->beside ? " are" : " is");
    if (g->lost)
        sm_str_printf(out, " lost: nothing at step %lld and after it", (long long)g->from);
    else
        sm_str_printf(out, " missing at step %lld", (long long)g->from);
    if (!g->lost && g->steps > 1)
        sm_str_printf(out, " and %zu after it", g->steps - 1);
}
