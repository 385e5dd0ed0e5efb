#include "tui/panes/step_keys.h"

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

bool sm_step_keys_act(struct sm_session *s, enum sm_key_action a, const char **notice)
{
    const struct sm_trial *t = sm_session_trial(s);
    if (!t)
        return false;
    int64_t at = (int64_t)sm_trial_step_at(t, sm_session_step(s));
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
