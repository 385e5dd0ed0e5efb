/* SPDX-License-Identifier: Apache-2.0 */
/* The differences between the configurations of two trials: workers, collections and their save
 * rules. */
#ifndef SM_CONFIG_DIFF_H
#define SM_CONFIG_DIFF_H

#include "commands/answer/result.h"
#include "reader/trial.h"

/* Adds a row for each difference: what, a, b. Save rules are compared for collections with tensors
 * in one of the trials. */
void sm_config_diff(struct sm_result *out, struct sm_node *list, const struct sm_trial *a,
                    const struct sm_trial *b);

#endif
