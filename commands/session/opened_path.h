/* SPDX-License-Identifier: Apache-2.0 */
/* The paths that were opened: a directory may get more runs while it is followed, so it is searched
 * again from time to time, in the background. Internal to commands/session. */
#ifndef SM_OPENED_PATH_H
#define SM_OPENED_PATH_H

#include "commands/session/session.h"
#include "reader/runs/run_search.h"

struct sm_opened_paths;
struct sm_opened_paths *sm_opened_new(void);
/* Searches that run are dropped when the pool returns them. */
void sm_opened_free(struct sm_opened_paths *all);
/* Remembers a directory and its runs, which are the trials of the session from `first` on. waiting:
 * the trial that stands for it while it has none, or NULL. */
void sm_opened_add(struct sm_session *s, const char *path, const struct sm_run_list *runs,
                   size_t first, const struct sm_trial *waiting);
/* Trial i is about to close. With its last run a directory is not searched any more. */
void sm_opened_forget(struct sm_session *s, size_t i);
/* Opens the runs that came since; true if there are any. */
bool sm_opened_pump(struct sm_session *s);
int64_t sm_opened_deadline_us(const struct sm_session *s);
/* From the current trial on, the first run with scalars becomes current (first_run.h). */
void sm_opened_choose(struct sm_session *s);
/* The user has chosen a trial. */
void sm_opened_chosen(struct sm_session *s);

/* Opens one run as the last trial of the session (session.c). */
bool sm_session_add_run(struct sm_session *s, const struct sm_run_ref *run, bool several,
                        struct sm_err *err);
/* The run of trial i has a run of validation now (sm_run_ref.validation). */
void sm_session_join(struct sm_session *s, size_t i, const struct sm_run_ref *run);

#endif
