/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/session_events.h"

#include "commands/session/incident.h"

void sm_session_events_read(const struct sm_session *s, int64_t now_us, struct sm_trial_events *out)
{
    const struct sm_incidents *l = s->incidents;
    sm_trial_events_read(sm_session_trial(s), now_us, out);
    for (size_t i = 0; i < l->n; i++) {
        const struct sm_incident *x = &l->items[i];
        bool found = x->rule && x->step >= 0;
        struct sm_trial_event e = {.kind = found ? SM_TRIAL_EVENT_RULE : SM_TRIAL_EVENT_ACTION,
                                   .time_us = x->time_us,
                                   .step = x->step,
                                   .rule = x->rule,
                                   .text = x->text,
                                   .sequence = i + 1};
        sm_trial_events_add(out, e);
    }
    sm_trial_events_sort(out);
}
