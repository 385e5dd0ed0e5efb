/* SPDX-License-Identifier: Apache-2.0 */
/* The saved steps around a number: the meaning of "~137", and the suggestions for a step that does
 * not exist. */
#ifndef SM_NEAREST_H
#define SM_NEAREST_H

#include "reader/trial.h"

struct sm_near_step {
    bool found;
    int64_t number; /* the mode's step, or the global step */
    struct sm_step step;
};
struct sm_nearest {
    struct sm_near_step below, at, above;
};
/* Finds the last step below the number, the step itself, and the first above it: among those of x
 * (NULL: of the trial), of the mode and by the worker. TRAIN, EVAL and PREDICT count in their own
 * steps, ANY and GLOBAL in global steps of all modes. */
void sm_nearest_find(const struct sm_trial *t, const struct sm_trial_tensor *x, enum sm_mode mode,
                     uint16_t worker, int64_t number, struct sm_nearest *out);
/* The closest of the three, of two equally close ones the lower. NULL if there is no step. */
const struct sm_near_step *sm_nearest_of(const struct sm_nearest *n, int64_t number);
/* Appends "14, 18", or the only one; nothing if there is none. */
void sm_nearest_format(const struct sm_nearest *n, struct sm_str *out);

#endif
