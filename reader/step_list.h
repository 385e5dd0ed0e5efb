/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a trial, ascending. A log may have them in any order: they lie in blocks, so that
 * one is inserted anywhere at the cost of a block, and the indexes of those behind it are counted
 * again only when somebody asks by index. Internal to a trial: for trial*.c only. */
#ifndef SM_STEP_LIST_H
#define SM_STEP_LIST_H

#include "reader/trial.h"

enum { SM_STEP_LIST_BLOCK = 256 };

struct sm_step_list;
struct sm_step_list *sm_step_list_new(void); /* NULL: no memory */
void sm_step_list_free(struct sm_step_list *l);
void sm_step_list_clear(struct sm_step_list *l);
size_t sm_step_list_count(const struct sm_step_list *l);
size_t sm_step_list_memory(const struct sm_step_list *l); /* bytes */

/* i < count. Valid until a step is put or removed. */
struct sm_trial_step *sm_step_list_at(struct sm_step_list *l, size_t i);
struct sm_trial_step *sm_step_list_last(struct sm_step_list *l); /* NULL: there is none */
/* The index of the first step that is not below; count if all are. */
size_t sm_step_list_place(struct sm_step_list *l, int64_t step);

/* Room for one more step, so that sm_step_list_put does not fail. False: no memory. */
bool sm_step_list_open(struct sm_step_list *l);
/* The step, found or added; next: the one behind it, NULL if it is the last. What is added is zero
 * but for its number; *added says which. */
struct sm_trial_step *sm_step_list_put(struct sm_step_list *l, int64_t step, bool *added,
                                       const struct sm_trial_step **next);
/* Removes the steps from index `from` on that `keep` does not want. */
void sm_step_list_filter(struct sm_step_list *l, size_t from,
                         bool (*keep)(struct sm_trial_step *s, void *user), void *user);
/* How many steps were moved to make room for others; for tests. */
uint64_t sm_step_list_moved(const struct sm_step_list *l);

#endif
