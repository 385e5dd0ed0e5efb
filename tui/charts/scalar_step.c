/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/charts/scalar_step.h"

#include "commands/session/trial_list.h"

#include <math.h>
#include <string.h>

static const struct sm_trial_tensor *tensor_of(const struct sm_view *v, const char *name,
                                               struct sm_trial **t)
{
    *t = sm_session_trial(v->session);
    const struct sm_trial_tensor *x = *t ? sm_trial_find(*t, name, strlen(name)) : NULL;
    return x && x->n_entries ? x : NULL;
}

static double time_of(const struct sm_trial *t, const struct sm_trial_tensor *x, size_t i)
{
    const struct sm_brief b = sm_tensor_brief(t, x, i);
    return b.flags & SM_BRIEF_READ ? b.time : (double)sm_tensor_part(t, x, i)->time_us / 1e6;
}

double sm_scalar_x_of_step(const struct sm_view *v, const char *name, enum sm_x_unit unit,
                           struct sm_step step)
{
    struct sm_trial *t;
    if (unit == SM_X_STEP)
        return (double)step.n;
    const struct sm_trial_tensor *x = tensor_of(v, name, &t);
    struct sm_step after = {step.n < INT64_MAX ? step.n + 1 : INT64_MAX};
    size_t n = x ? sm_trial_entries_from(t, x, after) : 0;
    if (!n)
        return (double)NAN;
    return time_of(t, x, n - 1) - (unit == SM_X_SECONDS ? time_of(t, x, 0) : 0);
}

static struct sm_step nearest_step(const struct sm_trial *t, double step)
{
    size_t n = t ? sm_trial_step_count(t) : 0;
    if (!n)
        return (struct sm_step){-1};
    size_t i = sm_trial_step_at(t, (struct sm_step){llround(step)});
    i = i < n ? i : n - 1;
    if (i &&
        step - (double)sm_trial_step(t, i - 1)->step.n < (double)sm_trial_step(t, i)->step.n - step)
        i--;
    return sm_trial_step(t, i)->step;
}

/* Of all runs that the chart draws; of two that are as near, that of the current run. */
static struct sm_step nearest_drawn(const struct sm_view *v, const char *name, double step)
{
    const struct sm_session *s = v->session;
    struct sm_step best = nearest_step(sm_session_trial(s), step);
    for (size_t i = 0; *name && i < s->n_trials; i++) {
        const struct sm_trial *t = s->trials[i].trial;
        if (!sm_trials_shown(s, i) || !sm_trial_find(t, name, strlen(name)))
            continue;
        struct sm_step x = nearest_step(t, step);
        bool nearer = fabs((double)x.n - step) < fabs((double)best.n - step);
        if (x.n >= 0 && (best.n < 0 || nearer))
            best = x;
    }
    return best;
}

struct sm_step sm_scalar_step_of_x(const struct sm_view *v, const char *name, enum sm_x_unit unit,
                                   double at)
{
    struct sm_trial *t = sm_session_trial(v->session);
    if (unit == SM_X_STEP)
        return nearest_drawn(v, name, at);
    const struct sm_trial_tensor *x = tensor_of(v, name, &t);
    if (!x)
        return (struct sm_step){-1};
    double begin = unit == SM_X_SECONDS ? time_of(t, x, 0) : 0;
    size_t lo = 0, hi = x->n_entries;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (time_of(t, x, middle) - begin < at)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (lo == x->n_entries ||
        (lo && at - (time_of(t, x, lo - 1) - begin) < time_of(t, x, lo) - begin - at))
        lo--;
    return sm_tensor_part(t, x, lo)->step;
}
