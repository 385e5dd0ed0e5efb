/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/shape.h"
#include "commands/judge/judge.h"
#include "commands/judge/rule_args.h"
#include "commands/judge/rule_attach.h"
#include "commands/judge/session_rules.h"
#include "commands/place/evaluate.h"

#include <string.h>

/* False if the condition of the rule expr names a tensor that the trial does not have and will not
 * get. */
static bool check_names(struct sm_call *c, const char *const *args, size_t n, struct sm_err *err)
{
    struct sm_value tensor = {.type = SM_TENSOR};
    struct sm_expr_env env;
    struct sm_expr *e;
    sm_evaluate_env(c, &env);
    env.subject = &tensor;
    enum sm_trial_state state = sm_trial_state(env.trial);
    bool grows = state == SM_TRIAL_WAITING || state == SM_TRIAL_LIVE;
    for (size_t i = 0; i < n && !grows; i++)
        if (strncmp(args[i], "expr=", 5) == 0 &&
            sm_expr_parse(args[i] + 5, strlen(args[i] + 5), &c->arena, &e, NULL) &&
            !sm_expr_check_names(e, &env, err))
            return false;
    return true;
}

static bool run_add(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_rule *rule = sm_session_rules_find(c->session, c->words[0].text.p);
    const struct sm_word *as = sm_call_keyword(c, "as");
    struct sm_rule_instance *i;
    const char **args;
    size_t n;
    if (!rule)
        return sm_rule_unknown(c->words[0].text, err);
    if (!sm_rule_arguments(c, rule, &args, &n, err) || !check_names(c, args, n, err))
        return false;
    struct sm_rules *r = sm_session_rules_current(c->session);
    if (!sm_rule_attach(c->session, r, rule, as ? as->text.p : NULL, args, n, &i, err))
        return false;
    sm_session_rules_ask(c->session);
    sm_rule_attached_node(out, sm_node_map(out, NULL, NULL), i);
    sm_result_text(out, "%s is attached.", sm_result_escape(out, i->name, strlen(i->name)));
    sm_rule_hint_at_names(r, i, out);
    return true;
}

static const struct sm_arg add_args[] = {
    {.name = "NAME", .kind = SM_ARG_RULE, .required = true},
    {.name = "PARAMETER=VALUE", .kind = SM_ARG_RULE_PARAM, .repeats = true},
    {.name = "INSTANCE", .kind = SM_ARG_TEXT, .keyword = "as"},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKERS", .kind = SM_ARG_WORKER, .keyword = "workers"},
    {0},
};
const struct sm_cmd sm_cmd_rule_add = {
    .parent = "rule",
    .name = "add",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Attach a rule to the current trial",
    .help = "The rule judges all complete steps, then new steps as they arrive. Every rule has the "
            "parameters mode, workers (first,\n"
            "all or a name), start_step, end_step, policy=once or continue, action=\"print; bell; "
            "break; log FILE; stop; shell CMD; notify\".\n"
            "\"rule add expr 'CONDITION'\" attaches your own condition. With an invalid parameter "
            "the rule has status Error.",
    .example = "rule add expr 'mean(abs(x)) > 10' collection_names=gradients as big_gradients",
    .see_also = "rule, print",
    .args = add_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .answer = SM_SHAPE_ATTACHED,
    .run = run_add,
};
