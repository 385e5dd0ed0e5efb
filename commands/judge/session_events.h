/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the trial and the session: reader/analysis/trial_events.h joined with the rules that
 * fired and the results of their actions. */
#ifndef SM_SESSION_EVENTS_H
#define SM_SESSION_EVENTS_H

#include "commands/session/session.h"
#include "reader/analysis/trial_events.h"

/* Fills *out, zero-initialised or used before, with events of the current trial, newest first. */
void sm_session_events_read(const struct sm_session *s, int64_t now_us,
                            struct sm_trial_events *out);

#endif
