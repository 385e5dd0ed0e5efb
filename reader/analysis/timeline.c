/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/timeline.h"

#include "reader/analysis/workers.h"
#include "reader/base/mem.h"

#include <stdlib.h>

enum { UNUSUAL = 5, LEAST_PAUSE_US = 5000000 };

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

int64_t sm_median_duration(int64_t *v, size_t n)
{
    if (!n)
        return 0;
    qsort(v, n, sizeof *v, by_value);
    return v[n / 2];
}

int64_t sm_usual_distance(const int64_t *v, size_t n)
{
    int64_t usual = 0;
    size_t most = 0, same = 0;
    if (n < 3)
        return 0;
    int64_t *d = sm_xalloc((n - 1) * sizeof *d);
    for (size_t i = 1; i < n; i++)
        d[i - 1] = v[i] - v[i - 1];
    qsort(d, n - 1, sizeof *d, by_value);
    for (size_t i = 0; i + 1 < n; i++) {
        same = i && d[i] == d[i - 1] ? same + 1 : 1;
        if (same > most) {
            most = same;
            usual = d[i];
        }
    }
    sm_free(d);
    return usual;
}

/* Distances are measured within a mode, by its own step numbers. */
static void find_missing(const struct sm_trial *t, int mode, struct sm_timeline *out)
{
    int64_t *steps = sm_xalloc((out->n + 1) * sizeof *steps), before = 0;
    size_t n = 0, seen = 0;
    for (size_t i = 0; i < out->n; i++)
        if (sm_trial_step(t, i)->mode == mode)
            steps[n++] = sm_trial_step(t, i)->mode_step.n;
    out->modes |= n ? 1u << mode : 0;
    int64_t usual = sm_usual_distance(steps, n);
    for (size_t i = 0; i < out->n && usual > 0; i++) {
        const struct sm_trial_step *x = sm_trial_step(t, i);
        if (x->mode != mode)
            continue;
        if (seen++ && x->mode_step.n - before > usual)
            out->notes[i].missing = (x->mode_step.n - before) / usual - 1;
        before = x->mode_step.n;
    }
    sm_free(steps);
}

static void find_pauses(const struct sm_trial *t, struct sm_timeline *out)
{
    int64_t *d = sm_xalloc((out->n + 1) * sizeof *d);
    size_t k = 0;
    for (size_t i = 1; i < out->n; i++)
        d[k++] = sm_trial_step(t, i)->time_us - sm_trial_step(t, i - 1)->time_us;
    int64_t usual = sm_median_duration(d, k);
    for (size_t i = 1; i < out->n; i++) {
        int64_t pause = sm_trial_step(t, i)->time_us - sm_trial_step(t, i - 1)->time_us;
        if (pause > UNUSUAL * usual && pause > LEAST_PAUSE_US)
            out->notes[i].pause_us = pause;
    }
    sm_free(d);
}

static void find_lacking(const struct sm_trial *t, struct sm_timeline *out)
{
    struct sm_workers workers = {0};
    sm_workers_read(t, &workers);
    for (size_t i = 0; i < out->n; i++) {
        const struct sm_trial_step *x = sm_trial_step(t, i);
        size_t expected = 0;
        for (size_t w = 0; x->n_workers < workers.n && w < workers.n; w++)
            expected += sm_workers_expect(&workers.items[w], i, x->mode);
        if (expected > x->n_workers)
            out->notes[i].lacking = (uint16_t)(expected - x->n_workers);
    }
    sm_workers_clear(&workers);
}

void sm_timeline_read(const struct sm_trial *t, struct sm_timeline *out)
{
    sm_free(out->notes);
    *out = (struct sm_timeline){.n = sm_trial_step_count(t)};
    out->notes = sm_xalloc_zero(out->n + 1, sizeof *out->notes);
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++)
        find_missing(t, m, out);
    find_pauses(t, out);
    find_lacking(t, out);
    for (size_t i = 1; i < sm_trial_session_count(t); i++) {
        size_t at = sm_trial_step_at(t, sm_trial_session(t, i)->first);
        if (at < out->n)
            out->notes[at].session = (uint16_t)i;
    }
    for (size_t i = 0; i < out->n; i++)
        out->gaps += out->notes[i].missing || out->notes[i].pause_us;
}

void sm_timeline_clear(struct sm_timeline *t)
{
    sm_free(t->notes);
    *t = (struct sm_timeline){0};
}

void sm_timeline_describe(const struct sm_step_note *note, struct sm_step step, struct sm_str *out)
{
    char text[32];
    if (note->missing)
        sm_str_printf(out, "%lld saved step%s missing", (long long)note->missing,
                      note->missing == 1 ? " is" : "s are");
    if (note->pause_us) {
        sm_format_duration(note->pause_us, text);
        sm_str_printf(out, "%snothing came for %s", note->missing ? ", and " : "", text);
    }
    sm_str_printf(out, " before step %lld", (long long)step.n);
}
