/* SPDX-License-Identifier: Apache-2.0 */
/* Folders in which runs are looked for, in the order in which they were added. In a bucket, where
 * each answer takes long, those that follow are looked at meanwhile, several at a time. */
#ifndef SM_RUN_AHEAD_H
#define SM_RUN_AHEAD_H

#include "reader/kind/run_folder.h"

#include <stdatomic.h>

struct sm_run_ahead;

/* source, only (a file that was given, or NULL) and cancelled (may be NULL) are borrowed. NULL: no
 * memory. */
struct sm_run_ahead *sm_run_ahead_new(struct sm_source *source, const char *only,
                                      const atomic_bool *cancelled);
/* Ends what is being looked at. */
void sm_run_ahead_free(struct sm_run_ahead *a);
/* Adds a folder, whose path is borrowed until it is taken. False: enough others are there. */
bool sm_run_ahead_add(struct sm_run_ahead *a, const char *path);
/* Takes the first folder that was added, after each kind was asked for its runs. NULL: it cannot be
 * listed, the search was cancelled, or there was no memory to add it. */
struct sm_run_folder *sm_run_ahead_take(struct sm_run_ahead *a, struct sm_err *err);

#endif
