/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/judge.h"
#include "commands/judge/rule_args.h"
#include "commands/judge/session_rules.h"

static bool run_remove(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return sm_rule_each_instance(c, sm_rules_remove, err);
}

const struct sm_cmd sm_cmd_rule_remove = {
    .parent = "rule",
    .name = "remove",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Detach rules; \"all\" for all of them",
    .example = "rule remove all",
    .args = sm_rule_instance_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .run = run_remove,
};
