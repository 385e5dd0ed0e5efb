/* SPDX-License-Identifier: Apache-2.0 */
/* Results of runs that --shard has dealt out: which run a row belongs to, and joining the parts. */
#ifndef SM_MERGE_RUNS_H
#define SM_MERGE_RUNS_H

#include "commands/session/session.h"

/* Adds "dealt" to the row of a rule of trial i, if its runs were dealt out: the part, the number of
 * the run, and how many there are. */
void sm_merge_runs_mark(struct sm_result *r, struct sm_node *row, const struct sm_session *s,
                        size_t i);
/* Sorts the marked rows of the list as the runs were before they were dealt, after all others, and
 * removes the marks. SM_ERR_MISSING: a part of a directory is missing; SM_ERR_DATA: a row comes
 * twice, or the parts are not of the same runs. */
bool sm_merge_runs_join(struct sm_node *list, struct sm_err *err);

#endif
