/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of the current trial: reader/analysis/trial_problems.h joined with findings of rules. */
#ifndef SM_SESSION_PROBLEMS_H
#define SM_SESSION_PROBLEMS_H

#include "commands/session/session.h"
#include "reader/analysis/trial_problems.h"

/* Fills *out, zero-initialised or used before, unsorted. Problems of values are those of the
 * current step and worker. A trial must be open. Returns the number of values that are still being
 * read. */
size_t sm_session_problems_read(struct sm_session *s, struct sm_trial_problems *out);

#endif
