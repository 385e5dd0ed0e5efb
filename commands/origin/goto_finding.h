/* From what a rule found to where it began. */
#ifndef SM_GOTO_FINDING_H
#define SM_GOTO_FINDING_H

#include "commands/language/cmd.h"

/* The current point moves to the tensor and step of the first violation at a step; where bt has
 * something to say about it, that is offered. No violation with a tensor: nothing. False:
 * SM_ERR_WAIT. */
bool sm_goto_finding(struct sm_call *c, const struct sm_rule_instance *i, int64_t step,
                     struct sm_result *out, struct sm_err *err);
/* The same to a tensor (NULL, or one that is not there: nothing) and worker (NULL: any) by name. */
bool sm_goto_finding_to(struct sm_call *c, const char *tensor_name, const char *worker_name,
                        int64_t step, struct sm_result *out, struct sm_err *err);

#endif
