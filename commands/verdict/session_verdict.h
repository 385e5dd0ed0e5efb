/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of each open trial. Its signals are collected from the first call on. */
#ifndef SM_SESSION_VERDICT_H
#define SM_SESSION_VERDICT_H

#include "commands/language/cmd.h"
#include "commands/verdict/trial_speed.h"
#include "commands/verdict/verdict_view.h"

/* Of what was collected so far, computed again after each change; valid until the next pump. NULL:
 * nothing was collected yet. */
const struct sm_verdict *sm_session_verdict(struct sm_session *s, size_t trial);
/* NULL before a step was looked at. Of a trial
 * without steps that has a profile: empty ones, once the profile is read. */
const struct sm_signals *sm_session_signals(struct sm_session *s, size_t trial);
/* Whether all steps that count were looked at. */
bool sm_session_verdict_is_complete(const struct sm_session *s, size_t trial);

/* What holds it up, of what was read of its profile; begins to read that. NULL: it has no profile,
 * or that is being read. Valid until the next pump. */
const struct sm_speed *sm_session_speed(struct sm_session *s, size_t trial);

/* ---- for front ends ---- */

/* On: collects the signals of every open trial in the background, up to the setting survey-limit,
 * and keeps the views up to date. */
void sm_session_verdict_watch(struct sm_session *s, bool on);
/* The verdict to show. Computes nothing: the view is made after news, and less often if that takes
 * long. Valid until the next pump. */
const struct sm_verdict_view *sm_session_verdict_view(const struct sm_session *s, size_t trial);
/* Whether the views of all trials are those of all that was saved. */
bool sm_session_verdict_settled(const struct sm_session *s);
/* Adds an event for each cause that was found since the last call. */
void sm_session_verdict_tell(struct sm_session *s);

/* The verdict of the current trial, for a command: NULL with SM_ERR_WAIT until all is read. */
const struct sm_verdict *sm_verdict_ask(struct sm_call *c, struct sm_err *err);

/* for the record of the room (verdict_feature.c) */
extern const struct sm_state_kind sm_verdict_state_kind;
bool sm_session_verdict_pump(struct sm_session *s, bool news);
int64_t sm_session_verdict_deadline_us(const struct sm_session *s);
void sm_session_verdict_close(struct sm_session *s, size_t trial);

#endif
