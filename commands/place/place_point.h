/* Another place to stand at: what goto and at take. */
#ifndef SM_PLACE_POINT_H
#define SM_PLACE_POINT_H

#include "commands/language/cmd.h"

/* spec: "100", "first", "-5", "@eval:12/worker_1" ... The step must be on disk. The mode, unless it
 * is ANY or the spec says another, and what the spec says become those of *out; the rest is as it
 * is now. */
bool sm_point_find(struct sm_call *c, struct sm_text spec, enum sm_mode mode,
                   struct sm_point_at *out, struct sm_err *err);
bool sm_point_is_live(const struct sm_session *s); /* the current trial goes on and is followed */
/* The trial's i-th step may be looked at: of a run that goes on, what a worker has not written yet
 * is waited for, once it is known how many there are, and what a job that began again has not
 * written anew. */
bool sm_point_may_look(const struct sm_session *s, const struct sm_trial *t, size_t i);
/* Where a walk forward begins: behind the current step. Of a run that has ended the steps lie
 * there: who has not gone anywhere yet begins with the first one. */
struct sm_step sm_point_behind(const struct sm_session *s);

/* Has the job begun again since there were so many sessions? Then *last, the last step looked at,
 * goes before its first step, unless it is there already. */
bool sm_point_restarted(const struct sm_trial *t, size_t *sessions, struct sm_step *last);
/* A mode that the current step is not of is current no longer: all steps count. */
void sm_point_leave_mode(struct sm_session *s);

#endif
