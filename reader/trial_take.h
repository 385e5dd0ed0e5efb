/* Between prepare and commit of a merge: for trial_merge.c, trial_prepare.c and trial_commit.c
 * alone. */
#ifndef SM_TRIAL_TAKE_H
#define SM_TRIAL_TAKE_H

#include "reader/trial_state.h"

/* What a name of a batch is in the trial; looked up once a batch. */
struct meaning {
    uint32_t tensor; /* name id + 1; 0: not looked up yet */
    uint8_t kind, reduction;
};
struct prepared {
    uint32_t worker, path;
};
/* Reserves what a part needs. False: no memory. */
bool sm_trial_prepare(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p,
                      struct meaning *names, struct prepared *out);
/* Takes it in; cannot fail. */
void sm_trial_commit(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p,
                     const struct meaning *names, const struct prepared *x);
uint32_t sm_trial_shape_tensor(const struct sm_trial *t, const struct sm_batch *b,
                               const struct sm_batch_shape *s);

#endif
