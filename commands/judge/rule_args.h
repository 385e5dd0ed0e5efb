/* What the commands about rules share. */
#ifndef SM_RULE_ARGS_H
#define SM_RULE_ARGS_H

#include "commands/language/cmd.h"

bool sm_rule_unknown(struct sm_text name, struct sm_err *err); /* false, with the nearest name */
/* The words behind the rule's name, and mode and workers, as NAME=VALUE in the call's arena; there
 * is room for two more. The first of `expr` is its condition. */
bool sm_rule_arguments(struct sm_call *c, const struct sm_rule *rule, const char ***out, size_t *n,
                       struct sm_err *err);

#endif
