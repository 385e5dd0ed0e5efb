/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/workers.h"

#include "reader/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The state of a worker while the steps are scanned. Steps are counted by mode. */
struct scan {
    size_t seen[SM_MODES];    /* written by any worker up to its last step */
    size_t written[SM_MODES]; /* written by any worker up to its last step of that mode; 0 if it has
                                 none */
    uint8_t mode;             /* the mode of its last step */
};

static void add_part(const struct sm_part *p, size_t i, uint8_t mode, const size_t seen[SM_MODES],
                     struct sm_worker_progress *w, struct scan *scan)
{
    if (!w->steps++)
        w->first = p->step.n;
    w->last = p->step.n;
    w->last_us = p->time_us;
    w->end = w->mode_end[mode] = i + 1;
    memcpy(scan->seen, seen, sizeof scan->seen);
    scan->written[mode] = seen[mode];
    scan->mode = mode;
}

/* The modes of the steps that it should have written after its last step, as bits. */
static unsigned missed_modes(const struct scan *w, const size_t total[SM_MODES])
{
    unsigned modes = 0;
    bool missed = false;
    for (int m = 0; m < SM_MODES; m++) {
        if (!w->written[m] || w->written[m] < w->seen[m])
            continue; /* never wrote the mode, or left it */
        modes |= 1u << m;
        missed = missed || (total[m] > w->seen[m] && (m == SM_MODE_TRAIN || m == w->mode));
    }
    return missed ? modes : 0;
}

static void judge_worker(struct sm_worker_progress *w, const struct scan *scan,
                         const size_t total[SM_MODES], struct sm_workers *out)
{
    w->modes = w->steps ? missed_modes(scan, total) : UINT_MAX;
    for (int m = 0; m < SM_MODES; m++)
        if (w->modes & 1u << m)
            w->behind += total[m] - scan->seen[m];
    w->lost = w->behind && sm_trial_state(out->of) == SM_TRIAL_ENDED;
    out->behind += w->behind > 0;
    out->lost += w->lost;
}

/* Runs are not compared with each other. */
static void judge_workers(const struct scan *scans, const size_t total[SM_MODES],
                          struct sm_workers *out)
{
    bool runs = sm_trial_traits(out->of)->runs;
    for (size_t w = 0; w < out->n; w++)
        if (runs)
            memset(out->items[w].mode_end, 0, sizeof out->items[w].mode_end);
        else
            judge_worker(&out->items[w], &scans[w], total, out);
}

static void scan_steps(const struct sm_trial *t, struct sm_workers *out)
{
    size_t total[SM_MODES] = {0};
    struct scan *scans = sm_xalloc_zero(out->n + 1, sizeof *scans);
    for (size_t i = 0; i < sm_trial_step_count(t); i++) {
        uint8_t mode = sm_trial_step(t, i)->mode;
        const struct sm_part *p;
        total[mode]++;
        for (p = sm_trial_step_part(t, i, 0); p; p = sm_trial_next_part(t, p))
            add_part(p, i, mode, total, &out->items[p->worker], &scans[p->worker]);
    }
    judge_workers(scans, total, out);
    sm_free(scans);
}

void sm_workers_read(const struct sm_trial *t, struct sm_workers *out)
{
    if (out->of == t && out->version == sm_trial_version(t))
        return;
    out->of = t;
    out->version = sm_trial_version(t);
    out->n = sm_trial_worker_count(t);
    out->behind = out->lost = 0;
    out->items = sm_xrealloc(out->items, out->n + 1, sizeof *out->items);
    for (size_t w = 0; w < out->n; w++)
        out->items[w] = (struct sm_worker_progress){
            .worker = (uint16_t)w, .first = -1, .last = -1, .last_us = -1};
    scan_steps(t, out);
}

void sm_workers_clear(struct sm_workers *w)
{
    sm_free(w->items);
    *w = (struct sm_workers){0};
}

static int most_behind_first(const void *a, const void *b)
{
    const struct sm_worker_progress *x = a, *y = b;
    if (x->behind != y->behind)
        return x->behind > y->behind ? -1 : 1;
    return x->worker < y->worker ? -1 : x->worker > y->worker;
}

void sm_workers_sort(struct sm_workers *w)
{
    if (w->n)
        qsort(w->items, w->n, sizeof *w->items, most_behind_first);
}

bool sm_workers_expect(const struct sm_worker_progress *w, size_t i, uint8_t mode)
{
    return i < w->end ? i < w->mode_end[mode] : (w->modes & 1u << mode) != 0;
}

void sm_workers_describe(const struct sm_trial *t, const struct sm_worker_progress *w,
                         struct sm_str *out)
{
    sm_str_add(out, sm_trial_worker(t, w->worker));
    if (w->last < 0)
        sm_str_add(out, " wrote no step");
    else
        sm_str_printf(out, " wrote nothing after step %lld: %zu steps lack it", (long long)w->last,
                      w->behind);
}
