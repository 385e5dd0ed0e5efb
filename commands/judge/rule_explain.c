/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/rule_explain.h"

#include "commands/judge/rule_args.h"
#include "commands/judge/session_rules.h"
#include "commands/place/place.h"

#include <string.h>

/* Whether the rule says nothing with its defaults, but `rule auto` knows what to give it. */
static bool lacks_tensors(const struct sm_rule *rule, struct sm_arena *a)
{
    struct sm_err err;
    return rule->automatic && *rule->automatic &&
           !sm_rule_check(rule, sm_rule_values(rule, a), &err);
}

/* Judges from the first step, because some rules depend on earlier steps; up to x->step, if it is
 * set. */
static const struct sm_rule_instance *
start_judging(struct sm_call *c, const struct sm_rule_explain *x, struct sm_err *err)
{
    const struct sm_rule_instance *like = x->like;
    const char *lenient[SM_RULE_AUTO_ARGS], *const *given = like ? like->args : lenient;
    size_t k = 0, n = 0;
    if (like)
        n = like->n_args;
    else if (x->leniently || lacks_tensors(x->rule, &c->arena))
        n = sm_rule_auto_args(x->rule, !x->leniently, &c->arena, lenient);
    const char **args = sm_arena_xalloc(&c->arena, (n + 2) * sizeof *args);
    for (size_t i = 0; i < n; i++)
        args[k++] = given[i];
    if (x->has_step) {
        args[k++] = "policy=continue";
        args[k++] = sm_arena_xprintf(&c->arena, "end_step=%lld", (long long)x->step + 1);
    }
    struct sm_rules *r = sm_session_rules_judge(c->session);
    sm_rules_explain(r, x->has_step ? x->step : -1);
    return sm_rules_add(r, x->rule, like ? like->name : NULL, args, k, err);
}

/* Sets the step: the given one, else the first at which the rule fires, else the newest at which it
 * tests something, else the newest. Returns false with SM_ERR_WAIT or an error. */
static bool find_step(struct sm_call *c, struct sm_rule_explain *x, const struct sm_word *given,
                      struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    size_t n = sm_trial_step_count(t);
    struct sm_step step = {n ? sm_trial_step(t, n - 1)->step.n : 0};
    if (x->has_step)
        return true;
    if (given && !sm_place_step(c, sm_place_all(c->session, SM_MODE_ANY), given->text, &step, err))
        return false;
    if (!given && x->like && x->like->first_fired >= 0) {
        step.n = x->like->first_fired;
    } else if (!given) {
        x->search = x->search ? x->search : start_judging(c, x, err);
        if (!sm_session_rules_judged(c, err))
            return false;
        if (x->search->first_fired >= 0)
            step.n = x->search->first_fired;
        else if (x->search->last_tested >= 0)
            step.n = x->search->last_tested;
    }
    x->step = step.n;
    return x->has_step = true;
}

static bool find_rule(struct sm_call *c, struct sm_rule_explain *x, struct sm_text name,
                      struct sm_err *err)
{
    struct sm_rules *r = sm_session_rules_current(c->session);
    size_t at = sm_rules_find(r, name.p);
    x->like = at < sm_rules_count(r) ? sm_rules_item(r, at) : NULL;
    x->rule = x->like ? x->like->rule : sm_session_rules_find(c->session, name.p);
    x->leniently = x->leniently || (r && sm_rules_is_auto(r));
    if (x->rule && strcmp(x->rule->class_name, "ProfilerReport") == 0)
        return sm_err_set(
            err, SM_ERR_USAGE,
            "ProfilerReport judges the profile, not steps: see \"profile report\" and "
            "\"profile rules\".");
    if (x->rule && x->rule->on_windows)
        return sm_err_set(err, SM_ERR_USAGE,
                          "%s judges the profile, not steps: see \"profile rule %s\".",
                          x->rule->class_name, x->rule->class_name);
    return x->rule || sm_rule_unknown(name, err);
}

bool sm_rule_explain_judge(struct sm_call *c, struct sm_rule_explain *x, struct sm_text name,
                           const struct sm_word *step, struct sm_err *err)
{
    if ((!x->rule && !find_rule(c, x, name, err)) || !find_step(c, x, step, err))
        return false;
    x->shown = x->shown ? x->shown : start_judging(c, x, err);
    if (!sm_session_rules_judged(c, err))
        return false;
    return x->shown->status != SM_RULE_ERROR ||
           sm_err_set(err, SM_ERR_USAGE, "%s", x->shown->reason);
}
