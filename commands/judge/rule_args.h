/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments that the commands about rules share. */
#ifndef SM_RULE_ARGS_H
#define SM_RULE_ARGS_H

#include "commands/language/cmd.h"

extern const struct sm_arg sm_rule_name_args[];     /* one rule, optional */
extern const struct sm_arg sm_rule_instance_args[]; /* one or more attached rules */

/* Sets SM_ERR_MISSING with the most similar name of a rule. Returns false. */
bool sm_rule_unknown(struct sm_text name, struct sm_err *err);
/* The words after the rule's name, and mode and workers, as NAME=VALUE in the call's arena, with
 * space for two more. The first word of `expr` is its condition. */
bool sm_rule_arguments(struct sm_call *c, const struct sm_rule *rule, const char ***out, size_t *n,
                       struct sm_err *err);
/* Calls `each` for the attached rules that the words name, the last first for "all". Returns false
 * at the first word that names none. */
bool sm_rule_each_instance(struct sm_call *c, void (*each)(struct sm_rules *r, size_t i),
                           struct sm_err *err);

#endif
