/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/compare_live.h"
#include "commands/compare/compare.h"

#include "commands/session/trial_list.h"
#include "reader/base/clock.h"

enum {
    BUDGET_US = 5000, /* of one call of sm_compare_live_pump */
    UNSEEN = 500      /* changes without a sm_compare_live_get; then it pauses */
};

void sm_compare_live_drop(struct sm_session *s)
{
    struct sm_compare_live *d = sm_compare_state(s)->differences;
    sm_compare_state(s)->differences = NULL;
    if (!d)
        return;
    sm_works_drop(&d->call.works);
    sm_arena_clear(&d->call.arena);
    sm_free(d);
}

static void start_comparison(struct sm_session *s, size_t a, size_t b)
{
    struct sm_compare_live *d = sm_xalloc_zero(1, sizeof *d);
    struct sm_selection all;
    struct sm_err err;
    sm_compare_state(s)->differences = d;
    d->a = a;
    d->b = b;
    d->call = (struct sm_call){.session = s, .works = {.pool = s->pool, .news = &s->news}};
    d->contrast = (struct sm_compare){.a = sm_place_of_trial(s->trials[a].trial),
                                      .b = sm_place_of_trial(s->trials[b].trial),
                                      .limits = {.rtol = 1e-5, .atol = 1e-8},
                                      .window = SM_COMPARE_WINDOW,
                                      .follow = true};
    d->at_last = sm_compare_operands_at_last(&d->contrast.a, &d->contrast.b);
    d->steps[0] = sm_trial_step_count(d->contrast.a.trial);
    d->steps[1] = sm_trial_step_count(d->contrast.b.trial);
    d->tensors[0] = sm_trial_tensor_count(d->contrast.a.trial);
    d->tensors[1] = sm_trial_tensor_count(d->contrast.b.trial);
    sm_select(s, d->contrast.a.trial, &d->call.arena, NULL, 0, &all, &err);
    sm_compare_prepare(&d->call, &d->contrast, &all);
    d->busy = true;
}

/* Whether the trials or tensors are different, or a run was restarted. */
static bool is_stale(const struct sm_session *s, size_t a, size_t b)
{
    const struct sm_compare_live *d = sm_compare_state(s)->differences;
    const struct sm_compare *x = &d->contrast;
    return d->a != a || d->b != b || x->a.trial != s->trials[a].trial ||
           x->b.trial != s->trials[b].trial || d->tensors[0] != sm_trial_tensor_count(x->a.trial) ||
           d->tensors[1] != sm_trial_tensor_count(x->b.trial) ||
           x->step > sm_trial_step_count(x->a.trial) ||
           (d->at_last && (d->steps[0] != sm_trial_step_count(x->a.trial) ||
                           d->steps[1] != sm_trial_step_count(x->b.trial)));
}

const struct sm_compare_live *sm_compare_live_get(struct sm_session *s)
{
    size_t a, b;
    bool two = sm_trials_pair(s, &a, &b);
    if (sm_compare_state(s)->differences && (!two || is_stale(s, a, b)))
        sm_compare_live_drop(s);
    if (!two || !sm_trial_scanned(s->trials[a].trial) || !sm_trial_scanned(s->trials[b].trial))
        return NULL;
    if (!sm_compare_state(s)->differences)
        start_comparison(s, a, b);
    sm_compare_state(s)->differences->asked = s->news;
    return sm_compare_state(s)->differences;
}

bool sm_compare_live_over(const struct sm_compare_live *d)
{
    return sm_compare_over(&d->contrast) || d->contrast.resting;
}

bool sm_compare_live_pump(struct sm_session *s)
{
    struct sm_compare_live *d = sm_compare_state(s)->differences;
    size_t a, b;
    if (!d)
        return false;
    d->busy = false;
    if (!sm_trials_pair(s, &a, &b) || is_stale(s, a, b)) {
        sm_compare_live_drop(s);
        return true;
    }
    if (s->news - d->asked > UNSEEN || sm_compare_over(&d->contrast))
        return false;
    struct sm_err err = {0};
    int64_t until = sm_clock_mono_us() + BUDGET_US;
    uint64_t looked = d->contrast.looked;
    size_t step = d->contrast.step;
    bool on = true;
    sm_works_begin(&d->call.works);
    sm_fetch_set_background(s->fetch, true);
    while (!sm_compare_over(&d->contrast) && (on = sm_compare_step(&d->call, &d->contrast, &err)) &&
           sm_clock_mono_us() < until)
        sm_works_begin(&d->call.works);
    sm_fetch_set_background(s->fetch, false);
    d->busy = on && !sm_compare_over(&d->contrast);
    return d->contrast.looked != looked || d->contrast.step != step;
}

bool sm_compare_live_busy(const struct sm_session *s)
{
    return sm_compare_state(s)->differences && sm_compare_state(s)->differences->busy;
}

bool sm_compare_live_settled(const struct sm_session *s)
{
    return !sm_compare_state(s)->differences ||
           sm_compare_live_over(sm_compare_state(s)->differences);
}
