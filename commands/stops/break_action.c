/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/break_action.h"
#include "commands/stops/stops.h"

#include "commands/judge/action.h"

void sm_break_act(struct sm_session *s, const struct sm_break_hit *hit,
                  const struct sm_value *value, const char *message)
{
    const struct sm_trial *t = sm_session_trial(s);
    const struct sm_breakpoint *b = sm_breakpoints_find(&sm_stops(s)->breakpoints, hit->number);
    struct sm_str who = {0};
    sm_str_printf(&who, "%s %u", sm_breakpoint_noun(b), b->number);
    const struct sm_action a = {
        .who = sm_str_text(&who),
        .breakpoint = b->number,
        .step = hit->place.step.n,
        .tensor = hit->place.tensor != SM_NAME_NONE
                      ? sm_names_text(sm_trial_names(t), hit->place.tensor)
                      : NULL,
        .worker = hit->place.worker != SM_WORKER_ANY ? sm_trial_worker(t, hit->place.worker) : NULL,
        .message = message,
        .trial = sm_trial_path(t),
        .has_value = value->type == SM_NUMBER,
        .value = value->number,
    };
    sm_action_stop(s, &a);
    sm_str_clear(&who);
}
