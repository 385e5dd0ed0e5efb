/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/step_walk.h"

static bool is_live(const struct sm_session *s, const struct sm_trial *t)
{
    enum sm_trial_state state = sm_trial_state(t);
    return s->open_options.follow &&
           (state == SM_TRIAL_LIVE || state == SM_TRIAL_WAITING || state == SM_TRIAL_UNREADABLE);
}

bool sm_step_walk_is_live(const struct sm_session *s)
{
    return is_live(s, sm_session_trial(s));
}

bool sm_step_walk_may_read(const struct sm_session *s, const struct sm_trial *t, size_t i)
{
    size_t n = sm_trial_session_count(t);
    int64_t last = n ? sm_trial_session(t, n - 1)->last.n : INT64_MAX;
    bool counted = sm_trial_num_workers(t) >= 0;
    if (!is_live(s, t))
        return true;
    for (; i < sm_trial_step_count(t) && sm_trial_step(t, i)->step.n <= last; i++)
        if (!counted || sm_trial_step(t, i)->complete)
            return true;
    return false;
}

struct sm_step sm_step_walk_start(const struct sm_session *s)
{
    bool no_step = s->at.step.n < 0 && !sm_step_walk_is_live(s);
    return no_step ? (struct sm_step){-1} : sm_session_step(s);
}

bool sm_step_walk_restarted(const struct sm_trial *t, size_t *sessions, struct sm_step *last)
{
    size_t n = sm_trial_session_count(t);
    bool again = n > *sessions && *sessions,
         lower = again && sm_trial_session(t, n - 1)->first.n <= last->n;
    *sessions = n;
    if (lower)
        last->n = sm_trial_session(t, n - 1)->first.n - 1;
    return lower;
}
