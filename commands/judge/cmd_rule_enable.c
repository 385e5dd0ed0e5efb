/* SPDX-License-Identifier: Apache-2.0 */
/* rule enable, rule disable. */
#include "commands/judge/judge.h"
#include "commands/judge/rule_args.h"
#include "commands/judge/session_rules.h"

static void enable_instance(struct sm_rules *r, size_t i)
{
    sm_rules_enable(r, i, true);
}

static void disable_instance(struct sm_rules *r, size_t i)
{
    sm_rules_enable(r, i, false);
}

static bool run_enable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return sm_rule_each_instance(c, enable_instance, err);
}

static bool run_disable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return sm_rule_each_instance(c, disable_instance, err);
}

const struct sm_cmd sm_cmd_rule_enable = {
    .parent = "rule",
    .name = "enable",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Resume stopped rules at the next step",
    .example = "rule enable all",
    .args = sm_rule_instance_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .run = run_enable,
};
const struct sm_cmd sm_cmd_rule_disable = {
    .parent = "rule",
    .name = "disable",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Stop rules; their findings are kept",
    .example = "rule disable all",
    .args = sm_rule_instance_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .run = run_disable,
};
