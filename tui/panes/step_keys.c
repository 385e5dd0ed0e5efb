/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/step_keys.h"

#include "reader/analysis/tensor_health.h"

static void select_step(struct sm_session *s, int64_t index)
{
    const struct sm_trial *t = sm_session_trial(s);
    int64_t n = (int64_t)sm_trial_step_count(t);
    if (!n)
        return;
    index = index < 0 ? 0 : index >= n ? n - 1 : index;
    s->at.step = sm_trial_step(t, (size_t)index)->step;
    s->at.follow = false;
}

static void toggle_follow(struct sm_session *s)
{
    const struct sm_trial *t = sm_session_trial(s);
    s->at.follow = !s->at.follow;
    if (!s->at.follow)
        s->at.step = sm_trial_step_count(t) ? sm_trial_step(t, sm_trial_step_count(t) - 1)->step
                                            : (struct sm_step){-1};
}

/* The step of the value that is shown at this step; -1: none. */
static int64_t shown_at(const struct sm_session *s, const struct sm_trial_tensor *x,
                        struct sm_step step)
{
    struct sm_trial *t = sm_session_trial(s);
    struct sm_entry e = sm_tensor_health_entry(t, x, step, s->at.worker);
    return sm_entry_exists(&e) ? sm_trial_part(t, e.part)->step.n : -1;
}

/* The index of the step with the next value of the tensor, or with the one before; from itself if
 * there is none. */
static int64_t next_value(const struct sm_session *s, const struct sm_trial_tensor *x, int64_t from,
                          int direction)
{
    const struct sm_trial *t = sm_session_trial(s);
    int64_t n = (int64_t)sm_trial_step_count(t);
    int64_t shown = shown_at(s, x, sm_trial_step(t, (size_t)from)->step), at = from + direction;
    if (direction < 0) {
        int64_t before = shown > 0 ? shown_at(s, x, (struct sm_step){shown - 1}) : -1;
        return before < 0 ? from : (int64_t)sm_trial_step_at(t, (struct sm_step){before});
    }
    while (at < n && shown_at(s, x, sm_trial_step(t, (size_t)at)->step) == shown)
        at++;
    return at < n ? at : from;
}

static bool select_value(struct sm_session *s, const struct sm_trial_tensor *x, int64_t at,
                         enum sm_key_action a)
{
    bool ten = a == SM_ACT_STEP_PREV_10 || a == SM_ACT_STEP_NEXT_10;
    bool back = a == SM_ACT_STEP_PREV || a == SM_ACT_STEP_PREV_10;
    for (int i = 0; i < (ten ? 10 : 1); i++)
        at = next_value(s, x, at, back ? -1 : 1);
    select_step(s, at);
    return true;
}

bool sm_step_keys_act(struct sm_session *s, enum sm_key_action a,
                      const struct sm_trial_tensor *values_of, const char **notice)
{
    const struct sm_trial *t = sm_session_trial(s);
    if (!t)
        return false;
    int64_t at = (int64_t)sm_trial_step_at(t, sm_session_step(s));
    bool steps = a == SM_ACT_STEP_PREV || a == SM_ACT_STEP_NEXT || a == SM_ACT_STEP_PREV_10 ||
                 a == SM_ACT_STEP_NEXT_10;
    if (values_of && steps && sm_trial_step_count(t))
        return select_value(s, values_of, at, a);
    switch (a) {
    case SM_ACT_STEP_PREV:
        select_step(s, at - 1);
        return true;
    case SM_ACT_STEP_NEXT:
        select_step(s, at + 1);
        return true;
    case SM_ACT_STEP_PREV_10:
        select_step(s, at - 10);
        return true;
    case SM_ACT_STEP_NEXT_10:
        select_step(s, at + 10);
        return true;
    case SM_ACT_STEP_FIRST:
        select_step(s, 0);
        return true;
    case SM_ACT_STEP_LAST:
        select_step(s, INT64_MAX);
        return true;
    case SM_ACT_FOLLOW:
        toggle_follow(s);
        *notice =
            s->at.follow ? "following the newest step" : "no longer following the newest step";
        return true;
    default:
        return false;
    }
}
