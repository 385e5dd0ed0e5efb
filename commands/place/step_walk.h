/* SPDX-License-Identifier: Apache-2.0 */
/* Where a search along the steps starts, and which steps it may read while the job still writes. */
#ifndef SM_STEP_WALK_H
#define SM_STEP_WALK_H

#include "commands/session/session.h"

bool sm_step_walk_is_live(const struct sm_session *s); /* the current trial is live and followed */
/* Whether a search may read the trial's i-th step. While the job runs, a search waits for workers
 * that have not written the step yet, if the number of workers is known, and, after a restart of
 * the job, for steps that have not been written again. */
bool sm_step_walk_may_read(const struct sm_session *s, const struct sm_trial *t, size_t i);
/* The step after which a search forward starts: the current one. If no step is chosen and the job
 * has ended, the search starts with the first one (n < 0). */
struct sm_step sm_step_walk_start(const struct sm_session *s);
/* Whether the job was restarted since it had *sessions sessions. Then *last, the last step read,
 * becomes the step before its first one, unless it is lower already. */
bool sm_step_walk_restarted(const struct sm_trial *t, size_t *sessions, struct sm_step *last);

#endif
