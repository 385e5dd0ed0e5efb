/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions of hyperparameters that are listed as runs of their own: add_hparams writes each into a
 * folder below that of its run (reader/tensorboard/tensorboard_session.h). */
#ifndef SM_RUN_SESSION_H
#define SM_RUN_SESSION_H

#include "reader/runs/run_search.h"

/* Sets sm_run_ref.session and .joined of a list that is complete and sorted, and where .bare is
 * set. Reads the small event files of runs in the folders of others. False: no memory. */
bool sm_run_mark_sessions(struct sm_run_list *list, struct sm_source *source);
/* Moves the sessions that are left behind all other runs. False: no memory. */
bool sm_run_put_sessions_last(struct sm_run_list *list);

#endif
