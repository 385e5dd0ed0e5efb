/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/shape.h"
#include "commands/judge/describe_rule.h"
#include "commands/judge/judge.h"
#include "commands/judge/rule_args.h"
#include "commands/judge/session_rules.h"

static bool run_test(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    const struct sm_rule *rule = sm_session_rules_find(s, c->words[0].text.p);
    const char **args;
    size_t n;
    if (!rule)
        return sm_rule_unknown(c->words[0].text, err);
    if (!c->state) {
        if (!sm_rule_arguments(c, rule, &args, &n, err))
            return false;
        args[n++] = "policy=continue";
        c->state = sm_rules_add(sm_session_rules_judge(s), rule, NULL, args, n, err);
    }
    const struct sm_rule_instance *i = c->state;
    if (!sm_session_rules_judged(c, err))
        return false;
    if (i->status == SM_RULE_ERROR)
        return sm_err_set(err, SM_ERR_USAGE, "%s", i->reason);
    if (i->triggered && rule->on_windows)
        sm_result_text(out, "%s fires %llu times: %llu violations, %llu datapoints.",
                       rule->class_name, (unsigned long long)i->triggered,
                       (unsigned long long)i->violations, (unsigned long long)i->datapoints);
    else if (i->triggered)
        sm_result_text(
            out, "%s fires at %llu steps, first at %lld, last at %lld: %llu of %llu datapoints.",
            rule->class_name, (unsigned long long)i->triggered, (long long)i->first_fired,
            (long long)i->last_fired, (unsigned long long)i->violations,
            (unsigned long long)i->datapoints);
    else
        sm_result_text(out, "%s does not fire: %llu datapoints%s.", rule->class_name,
                       (unsigned long long)i->datapoints, i->matched ? "" : ", 0 tensors matched");
    sm_describe_findings(out, sm_judge(s)->judging, i, -1);
    sm_describe_skips(out, i);
    sm_describe_unjudged(out, sm_judge(s)->judging, i);
    if (i->violations > i->n_findings)
        sm_result_dim(out, "The first %zu of %llu violations are listed.", i->n_findings,
                      (unsigned long long)i->violations);
    return true;
}

static const struct sm_arg test_args[] = {
    {.name = "NAME", .kind = SM_ARG_RULE, .required = true},
    {.name = "PARAMETER=VALUE", .kind = SM_ARG_RULE_PARAM, .repeats = true},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKERS", .kind = SM_ARG_WORKER, .keyword = "workers"},
    {0},
};
const struct sm_cmd sm_cmd_rule_test = {
    .parent = "rule",
    .name = "test",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Judge all steps on disk by a rule, without attaching it",
    .help = "Continues after the first firing, and lists every violation.",
    .example = "rule test vanishing_gradient threshold=1e-5",
    .see_also = "rule",
    .args = test_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{" SM_SHAPE_FINDING "}]",
    .run = run_test,
};
