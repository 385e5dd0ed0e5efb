/* SPDX-License-Identifier: Apache-2.0 */
/* Goes to the tensor and step of a finding. */
#ifndef SM_GOTO_FINDING_H
#define SM_GOTO_FINDING_H

#include "commands/language/cmd.h"

/* Makes the tensor and step of the first violation at a step current, and suggests bt if the value
 * is bad. Does nothing without a violation of a tensor. Returns false with SM_ERR_WAIT. */
bool sm_goto_finding(struct sm_call *c, const struct sm_rule_instance *i, int64_t step,
                     struct sm_result *out, struct sm_err *err);
/* Does the same for a tensor and worker by name. An unknown or NULL tensor: does nothing; worker
 * NULL: any. */
bool sm_goto_finding_to(struct sm_call *c, const char *tensor_name, const char *worker_name,
                        int64_t step, struct sm_result *out, struct sm_err *err);

#endif
