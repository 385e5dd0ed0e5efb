/* SPDX-License-Identifier: Apache-2.0 */
/* Completion of rules, their parameters and attached rules. */
#include "commands/judge/judge.h"
#include "commands/support/candidates.h"

#include "commands/judge/session_rules.h"
#include "rules/builtin/rule_list.h"

#include <string.h>

void sm_candidates_rules(struct completer *c)
{
    for (const struct sm_rule *const *r = sm_rule_table; *r; r++)
        sm_candidates_add(c, (*r)->name);
    for (size_t i = 0; i < sm_judge(c->s)->n_customs; i++)
        sm_candidates_add(c, sm_judge(c->s)->customs[i]->rule.name);
    sm_candidates_sort(c);
}

void sm_candidates_rule_params(struct completer *c)
{
    static const char *const common[] = {"action=", "end_step=", "policy=", "start_step=", NULL};
    const struct sm_rule *rule = c->n_words ? sm_session_rules_find(c->s, c->words[0]) : NULL;
    for (const struct sm_rule_param *p = rule ? rule->params : NULL; p && p->name; p++)
        sm_candidates_add(c, sm_arena_xprintf(&c->out->arena, "%s=", p->name));
    sm_candidates_words(c, common);
    sm_candidates_sort(c);
    c->out->finished = false;
}

void sm_candidates_instances(struct completer *c)
{
    const struct sm_rules *r =
        c->s->current < c->s->n_trials ? sm_session_rules_at(c->s, c->s->current) : NULL;
    for (size_t i = 0; r && i < sm_rules_count(r); i++)
        sm_candidates_name(c, sm_rules_item(r, i)->name, strlen(sm_rules_item(r, i)->name));
    sm_candidates_sort(c);
}
