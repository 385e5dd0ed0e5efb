/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/shape.h"
#include "commands/judge/describe_rule.h"
#include "commands/judge/judge.h"
#include "commands/judge/rule_explain.h"
#include "commands/origin/goto_finding.h"
#include "commands/origin/origin.h"

/* What was found and what to do come before the definition and the numbers. */
static void report_advice(struct sm_call *c, const struct sm_rule_explain *x, struct sm_result *out)
{
    const struct sm_rule_instance *i = x->shown;
    struct sm_str text = {0};
    for (size_t k = 0; k < i->n_findings && !text.len; k++)
        if (i->findings[k].violated && i->findings[k].step == x->step)
            sm_rule_message(sm_judge(c->session)->judging, i, &i->findings[k], &text);
    if (text.len) {
        sm_result_text(out, "%s", sm_result_escape(out, sm_str_text(&text), text.len));
        sm_result_text(out, "%s\n", x->rule->advice);
    }
    sm_str_clear(&text);
}

static bool run_rule_explain(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_rule_explain *x = c->state =
        c->state ? c->state : sm_arena_xalloc(&c->arena, sizeof *x);
    if (!sm_rule_explain_judge(c, x, c->words[0].text, c->n_words > 1 ? &c->words[1] : NULL, err))
        return false;
    const struct sm_rule *rule = x->rule;
    const struct sm_rule_instance *i = x->shown;
    report_advice(c, x, out);
    sm_result_text(out, "%s fires when %s.", rule->class_name, rule->fires);
    sm_describe_way(out, i);
    if (!i->leniently && rule->how_auto)
        sm_result_prose(out, 0, "This is the definition; \"rule auto\" judges otherwise: %s.",
                        rule->how_auto->differs);
    for (size_t k = 0; k < sm_rule_param_count(rule); k++)
        sm_result_text(out, "  %s = %s", rule->params[k].name,
                       i->values[k].set ? i->values[k].text : "none");
    bool ready = sm_rule_has_tensors(rule, i->values, sm_session_trial(s));
    sm_result_text(out, "The hook must save: %s. This trial %s tensors for it.", rule->saves,
                   ready ? "has" : "has no");
    sm_result_text(out, "\nAt step %lld:", (long long)x->step);
    sm_describe_findings(out, sm_judge(s)->judging, i, x->step);
    if (!out->root->first)
        sm_result_dim(out, "Nothing was tested: no tensor of the rule is saved there, or the rule "
                           "does not judge this step.");
    sm_describe_skips(out, i);
    sm_describe_remarks(out, i);
    return sm_goto_finding(c, i, x->step, out, err);
}

static const struct sm_arg explain_args[] = {
    {.name = "INSTANCE", .kind = SM_ARG_ANY_RULE, .required = true},
    {.name = "STEP", .kind = SM_ARG_STEP},
    {0},
};
const struct sm_cmd sm_cmd_rule_explain = {
    .parent = "rule",
    .name = "explain",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Show the numbers that a rule tested at a step, with their limits",
    .help = "Without STEP it shows the first step at which the rule fires, or the newest step at "
            "which it "
            "tests something. The name of a rule that is not attached uses its defaults, and the "
            "tensors that \"rule auto\" gives it if it has none.\n"
            "The tensor and step of the first violation become current, so that bt continues from "
            "there.",
    .example = "rule explain overfit",
    .see_also = "explain, backtrace, rule status",
    .args = explain_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{" SM_SHAPE_FINDING "}]",
    .run = run_rule_explain,
};
