/* Where a search along the steps starts, and which steps it may read while the job still writes. */
#ifndef SM_STEP_WALK_H
#define SM_STEP_WALK_H

#include "commands/session/session.h"

bool sm_step_walk_is_live(const struct sm_session *s); /* the current trial goes on, followed */
/* Whether the trial's i-th step may be read. Of a job that goes on, a search waits for what a
 * worker has not written yet, once the number of workers is known, and for what a job that began
 * again has not written again. */
bool sm_step_walk_may_read(const struct sm_session *s, const struct sm_trial *t, size_t i);
/* The step after which a search forward starts: the current one. If no step is chosen and the job
 * has ended, the search starts with the first one (n < 0). */
struct sm_step sm_step_walk_start(const struct sm_session *s);
/* Whether the job has begun again since it had *sessions sessions. Then *last, the last step read,
 * becomes the step before its first one, unless it is lower already. */
bool sm_step_walk_restarted(const struct sm_trial *t, size_t *sessions, struct sm_step *last);

#endif
