/* SPDX-License-Identifier: Apache-2.0 */
/* What trends keep from one look to the next, of the tensors of one trial: what stands for their
 * steps (step_tree.h). */
#ifndef SM_TRENDS_H
#define SM_TRENDS_H

#include "reader/analysis/step_tree.h"
#include "reader/base/map.h"

/* Zero at first. */
struct sm_trends {
    const struct sm_trial *trial;
    struct sm_map at; /* tensor and worker -> index in items + 1 */
    struct sm_step_tree **items;
    size_t n, cap;
};
/* The one for this tensor and worker, as it was left. NULL if there is no memory. */
struct sm_step_tree *sm_trends_tree(struct sm_trends *x, const struct sm_trial *t, uint32_t tensor,
                                    uint16_t worker);
/* To be called before the trial is closed. */
void sm_trends_forget(struct sm_trends *x, const struct sm_trial *t);
void sm_trends_clear(struct sm_trends *x);

#endif
