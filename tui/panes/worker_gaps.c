#include "tui/panes/worker_gaps.h"

#include "reader/base/grow.h"
#include "tui/panes/worker_lag.h"

#include <stdlib.h>

/* What is known of a worker while the steps are walked along. */
struct walk {
    uint8_t modes; /* it takes part in: bit 1 << mode */
    bool there;    /* at this step */
    int64_t from;
    size_t steps; /* missed since; 0: none */
};

static void end_stretch(struct sm_worker_gaps *out, struct walk *w, uint16_t worker, bool lost)
{
    if (!w->steps)
        return;
    SM_GROW(out->items, out->n, out->cap);
    out->items[out->n++] =
        (struct sm_worker_gap){.worker = worker, .from = w->from, .steps = w->steps, .lost = lost};
    out->lost += lost;
    w->steps = 0;
}

static void take_step(const struct sm_trial *t, size_t i, struct walk *walks,
                      struct sm_worker_gaps *out)
{
    const struct sm_trial_step *step = sm_trial_step(t, i);
    const struct sm_part *p;
    for (size_t k = 0; (p = sm_trial_step_part(t, i, k)); k++)
        walks[p->worker].there = true;
    for (size_t w = 0; w < out->workers; w++) {
        if (walks[w].there)
            end_stretch(out, &walks[w], (uint16_t)w, false);
        else if ((walks[w].modes & 1 << step->mode) && !walks[w].steps++)
            walks[w].from = step->step.n;
        walks[w].there = false;
    }
}

static int compare(const void *a, const void *b)
{
    const struct sm_worker_gap *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->worker < y->worker ? -1 : x->worker > y->worker;
}

static void sort(struct sm_worker_gaps *out)
{
    if (out->n)
        qsort(out->items, out->n, sizeof *out->items, compare);
    for (size_t i = out->n; i-- > 1;)
        if (out->items[i - 1].from == out->items[i].from)
            out->items[i - 1].beside = out->items[i].beside + 1;
}

void sm_worker_gaps_read(const struct sm_trial *t, struct sm_worker_gaps *out)
{
    if (out->of == t && out->version == sm_trial_version(t))
        return;
    out->of = t;
    out->version = sm_trial_version(t);
    out->n = out->lost = 0;
    out->workers = sm_trial_worker_count(t);
    if (out->workers < 2)
        return;
    uint8_t *modes = sm_worker_lags_modes(t);
    struct walk *walks = sm_xalloc_zero(out->workers, sizeof *walks);
    for (size_t w = 0; w < out->workers; w++)
        walks[w].modes = modes[w];
    for (size_t i = 0; i < sm_trial_step_count(t); i++)
        take_step(t, i, walks, out);
    for (size_t w = 0; w < out->workers && sm_trial_state(t) == SM_TRIAL_ENDED; w++)
        end_stretch(out, &walks[w], (uint16_t)w, true);
    sort(out);
    sm_free(walks);
    sm_free(modes);
}

void sm_worker_gaps_clear(struct sm_worker_gaps *a)
{
    sm_free(a->items);
    *a = (struct sm_worker_gaps){0};
}
