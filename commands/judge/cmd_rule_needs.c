/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/shape.h"
#include "commands/judge/judge.h"
#include "commands/judge/rule_args.h"
#include "commands/judge/session_rules.h"
#include "rules/builtin/rule_list.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column needs_columns[] = {
    {.key = "rule", .header = "RULE"},
    {.key = "ready", .header = "READY"},
    {.key = "saves", .header = "WHAT THE HOOK MUST SAVE"},
};

static void add_need(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                     const struct sm_rule *r)
{
    struct sm_arena a = {0};
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "rule", r->name);
    sm_node_bool(out, row, "ready",
                 sm_rule_has_tensors(r, sm_rule_values(r, &a), sm_session_trial(c->session)));
    sm_node_text(out, row, "saves", r->saves);
    sm_arena_clear(&a);
}

static bool run_needs(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    const struct sm_rule *only =
        c->n_words ? sm_session_rules_find(c->session, c->words[0].text.p) : NULL;
    if (c->n_words && !only)
        return sm_rule_unknown(c->words[0].text, err);
    if (only)
        add_need(c, out, list, only);
    for (const struct sm_rule *const *r = sm_rule_table; !only && *r; r++)
        add_need(c, out, list, *r);
    sm_result_listing(out, list, needs_columns, COUNT(needs_columns));
    return true;
}

const struct sm_cmd sm_cmd_rule_needs = {
    .parent = "rule",
    .name = "needs",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Show what the hook must save for each rule, and whether it is saved",
    .help = "For the default parameters of the rules. Save intervals are in parentheses.",
    .example = "rule needs overfit",
    .see_also = "rule, info",
    .args = sm_rule_name_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL | SM_CMD_READ_ONLY,
    .answer = "[{rule:text,ready:bool,saves:text}]",
    .run = run_needs,
};
