/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/shape.h"
#include "commands/judge/describe_rule.h"
#include "commands/judge/judge.h"
#include "commands/judge/rule_args.h"
#include "commands/judge/session_rules.h"
#include "rules/builtin/rule_list.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column list_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "class", .header = "CLASS", .hidden = true},
    {.key = "group", .header = "GROUP"},
    {.key = "summary", .header = "SUMMARY", .wraps = true},
};

static bool run_list(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    const struct sm_rule *rule =
        c->n_words ? sm_session_rules_find(c->session, c->words[0].text.p) : NULL;
    if (c->n_words && !rule)
        return sm_rule_unknown(c->words[0].text, err);
    if (rule) {
        sm_describe_rule_row(out, list, rule);
        sm_describe_rule(out, rule);
        out->columns = list_columns;
        out->n_columns = COUNT(list_columns);
        return true;
    }
    for (const struct sm_rule *const *r = sm_rule_table; *r; r++)
        sm_describe_rule_row(out, list, *r);
    for (size_t i = 0; i < sm_judge(c->session)->n_customs; i++)
        sm_describe_rule_row(out, list, &sm_judge(c->session)->customs[i]->rule);
    sm_result_listing(out, list, list_columns, COUNT(list_columns));
    return true;
}

const struct sm_cmd sm_cmd_rule_list = {
    .parent = "rule",
    .name = "list",
    .cmd_class = SM_CLASS_RULES,
    .summary = "List all rules, or describe one",
    .example = "rule list vanishing_gradient",
    .see_also = "rule",
    .args = sm_rule_name_args,
    .flags = SM_CMD_LISTING | SM_CMD_READ_ONLY,
    .answer = "[{name:text,class:text,group:text,summary:text,parameters:[{name:text,type:text,"
              "default:text?,unit:text?,help:text}],collections:[text]}]",
    .run = run_list,
};
