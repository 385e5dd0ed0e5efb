/* How the configurations of two trials differ: workers, collections and what each of them saves. */
#ifndef SM_CONFIG_DIFF_H
#define SM_CONFIG_DIFF_H

#include "commands/answer/result.h"
#include "reader/trial.h"

/* A row for each difference: what, a, b. What collections save is told of those that have tensors
 * in one of the trials. */
void sm_config_diff(struct sm_result *out, struct sm_node *list, const struct sm_trial *a,
                    const struct sm_trial *b);

#endif
