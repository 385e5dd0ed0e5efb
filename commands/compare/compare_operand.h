/* SPDX-License-Identifier: Apache-2.0 */
/* The two operands of a comparison (sm_place_parse_operand): places without a tensor. An operand
 * without a step means all steps of its mode. */
#ifndef SM_COMPARE_OPERAND_H
#define SM_COMPARE_OPERAND_H

#include "commands/place/place.h"

/* If one operand has a step, gives the other one the same step, or the current one if both are of
 * the same trial and worker. False with SM_ERR_MISSING if there is no such step. */
bool sm_compare_operands_match(const struct sm_session *s, struct sm_place *a, struct sm_place *b,
                               struct sm_err *err);
/* Two trials without a step, both of checkpoints or of one step each, that have no step in common:
 * gives each its last step. False: they are compared step by step. */
bool sm_compare_operands_at_last(struct sm_place *a, struct sm_place *b);
/* "run1 step 100 EVAL worker_1" */
void sm_compare_operand_text(const struct sm_session *s, const struct sm_place *x,
                             struct sm_str *out);
/* The same step of the mode, or the step with the same number if one of the trials has no modes. */
bool sm_compare_operand_same_step(const struct sm_trial *t, enum sm_mode mode,
                                  const struct sm_trial_step *as, struct sm_step *out);

#endif
