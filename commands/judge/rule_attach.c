/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/rule_attach.h"

#include "commands/judge/judge.h"
#include "commands/judge/session_rules.h"

bool sm_rule_attach(struct sm_session *s, struct sm_rules *r, const struct sm_rule *rule,
                    const char *instance, const char *const *args, size_t n,
                    struct sm_rule_instance **out, struct sm_err *err)
{
    const char *mode = sm_session_rules_mode(s, rule);
    const char **all = sm_xalloc((n + 1) * sizeof *all);
    size_t k = 0;
    if (mode)
        all[k++] = mode;
    for (size_t i = 0; i < n; i++)
        all[k++] = args[i];
    *out = sm_rules_add(r, rule, instance, all, k, err);
    sm_free(all);
    s->news++;
    return (*out)->status != SM_RULE_ERROR;
}

void sm_rule_hint_at_names(struct sm_rules *r, const struct sm_rule_instance *i,
                           struct sm_result *out)
{
    struct sm_trial *t = sm_rules_trial(r);
    struct sm_str names = {0};
    if (t && sm_trial_tensor_count(t) && !sm_rule_has_tensors(i->rule, i->values, t) &&
        sm_rule_similar(i, t, &names))
        sm_result_dim(out, "No tensor matches so far. Similar: %s", sm_str_text(&names));
    sm_str_clear(&names);
}

void sm_rule_attached_node(struct sm_result *out, struct sm_node *map,
                           const struct sm_rule_instance *i)
{
    sm_node_text(out, map, "rule", i->rule->class_name);
    sm_node_text(out, map, "instance", i->name);
}
