/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the runs of a directory is current after it was opened: the first that has scalars. A
 * run that has just begun, or only checkpoints, is passed over, unless there is no other. Runs are
 * tried one after the other, as each is scanned, so the choice does not depend on time. */
#ifndef SM_FIRST_RUN_H
#define SM_FIRST_RUN_H

#include <stdbool.h>
#include <stddef.h>

struct sm_session;
struct sm_trial;
/* Zero-initialised, nothing is to be chosen. */
struct sm_first_run {
    /* at: the current trial while one is sought, else NULL. some: the first with any value. origin:
     * where the search began. Not used after these trials are closed. */
    const struct sm_trial *at, *some, *origin;
    size_t tried;
};
/* Begins at the current trial. */
void sm_first_run_begin(const struct sm_session *s, struct sm_first_run *f);
/* True if another trial became current. */
bool sm_first_run_pump(struct sm_session *s, struct sm_first_run *f);

#endif
