/* SPDX-License-Identifier: Apache-2.0 */
/* At which steps weights were saved, and where: logs have more steps than there are checkpoints. */
#ifndef SM_SAVED_WEIGHTS_H
#define SM_SAVED_WEIGHTS_H

#include "reader/trial.h"

/* The first and the last step with values of these n tensors (NULL: of all) that are weights, or,
 * if none of them is, with any values; numbers that came with their steps do not count. False:
 * there is no such step, and both are -1. */
bool sm_weight_steps(const struct sm_trial *t, const struct sm_trial_tensor *const *of, size_t n,
                     struct sm_step *first, struct sm_step *last);
/* The same of all tensors, for steps from..to, both included. */
bool sm_weight_steps_within(const struct sm_trial *t, int64_t from, int64_t to,
                            struct sm_step *first, struct sm_step *last);
/* Appends the file and the place in it where the elements of a value begin: the same text for
 * tensors that are one in the file. False: the source does not say, and nothing is appended. */
bool sm_value_place(const struct sm_trial *t, const struct sm_entry *e, struct sm_str *out);

/* Whether a tensor of this name is state beside the model: of an optimizer, of random numbers,
 * of callbacks. */
bool sm_is_training_state(const char *name);

#endif
