/* SPDX-License-Identifier: Apache-2.0 */
/* Finds new files of a trial and reads them, in workers; the trial merges the results and knows no
 * files. The tail decides once which kind of trial the source has (reader/trial_kinds.h), then
 * calls the operations of that kind; reader/kind/trial_kind.h describes them and their threads. */
#ifndef SM_TAIL_H
#define SM_TAIL_H

#include "reader/kind/tail_news.h"
#include "reader/kind/trial_options.h"

struct sm_tail;
struct sm_tail *sm_tail_new(struct sm_source *source, const struct sm_trial_options *o,
                            struct sm_err *err);
/* Which run of the folder was opened (sm_trial_options.member); NULL: the folder itself. */
const char *sm_tail_member(const struct sm_tail *t);
void sm_tail_free(struct sm_tail *t);
/* Reads a run of validation, too, from the next list on (sm_trial_options.validation), which must
 * not run now. Nothing if it has one. The source is referenced; false: no memory. */
bool sm_tail_join(struct sm_tail *t, struct sm_source *source, const char *name);
/* Makes the next list scan all folders, not only the newest, and retry bad files. */
void sm_tail_everything(struct sm_tail *t);
struct sm_tail_changes *sm_tail_list(struct sm_tail *t); /* NULL if there is no memory */
/* NULL if there is no memory */
struct sm_batch *sm_tail_read(const struct sm_tail *t, size_t from, size_t to);
/* n_merged: how many of b's parts the trial has taken; the others are found again. */
void sm_tail_settle(struct sm_tail *t, const struct sm_batch *b, size_t n_merged);
/* Begins anew: all is found again. No list or read may run. */
void sm_tail_restart(struct sm_tail *t);
/* After lack of memory: unsettled files and all collections files are found again. */
void sm_tail_unread(struct sm_tail *t);

#endif
