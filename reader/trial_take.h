/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a merge, prepare and commit: for trial_merge.c, trial_prepare.c and trial_commit.c
 * only. */
#ifndef SM_TRIAL_TAKE_H
#define SM_TRIAL_TAKE_H

#include "reader/trial_state.h"

/* The trial's ids of a name of a batch; looked up once per batch. */
struct name_ids {
    uint32_t tensor; /* name id + 1; 0: not yet looked up */
    uint8_t kind, reduction;
    uint32_t worker, workers; /* of a worker's name: its number when there were so many; 0: unknown
                               */
};
struct prepared {
    uint32_t worker, path;
};
/* Removes what the part removes, and reserves everything it needs. False if there is no memory. */
bool sm_trial_prepare(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p,
                      struct name_ids *names, struct prepared *out);
/* Adds the part; cannot fail. */
void sm_trial_commit(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p,
                     const struct name_ids *names, const struct prepared *x);
/* What the part removes before it is added; for SM_REMOVES_STEPS that is all. False: no memory, and
 * some of it is still there. */
bool sm_trial_remove(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p,
                     const struct name_ids *names, const struct prepared *x);
/* trial_scalars.c: opens the place of the scalars of a part, of which there are t->room[tensor] of
 * this tensor; nothing if the tensor is not packed. False: no memory. */
bool sm_trial_open_scalar(struct sm_trial *t, uint32_t tensor, const struct sm_part *p);
bool sm_trial_put_scalar(struct sm_trial_tensor *x, size_t at, const struct sm_entry *e,
                         const struct sm_batch_scalar *v);
/* Whether part a comes before part b in the order of event files by name; both of one worker. */
bool sm_trial_file_before(const struct sm_trial *t, const struct sm_part *a,
                          const struct sm_part *b);
uint32_t sm_trial_shape_tensor(const struct sm_trial *t, const struct sm_batch *b,
                               const struct sm_batch_shape *s);

#endif
