/* SPDX-License-Identifier: Apache-2.0 */
/* Suggests a tensor for a name that does not exist. */
#ifndef SM_SIMILAR_TENSOR_H
#define SM_SIMILAR_TENSOR_H

#include "reader/trial.h"

/* The closest name by edit distance (at most a quarter of the name, limited to 2..6), else the
 * first whose letters and digits contain those of the name: conv0_weight is in CNN_conv0.weight.
 * NULL if none, or if the name is longer than the search allows. */
const char *sm_similar_tensor(const struct sm_trial *t, struct sm_text name);

#endif
