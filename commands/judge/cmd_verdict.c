/* What rules found: rule status, test, explain; info rules, info events. */
#include "commands/judge/describe_rule.h"
#include "commands/judge/rule_args.h"
#include "commands/judge/rule_explain.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/stored_findings.h"
#include "commands/language/cmd_list.h"
#include "commands/origin/goto_finding.h"
#include "commands/place/args.h"
#include "commands/session/incident.h"

#include <math.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- rule status ---- */

static bool is_over(struct sm_session *s, struct sm_rules *r)
{
    bool more = s->open_options.follow && sm_trial_state(sm_rules_trial(r)) != SM_TRIAL_ENDED;
    sm_rules_finite(r, !s->open_options.follow);
    if (more && (sm_rules_is_auto(r) || !sm_rules_count(r)))
        return false;
    return sm_rules_over(r) && sm_rules_settled(r) && !s->incidents->running;
}

/* True when there is nothing to wait for. */
static bool all_over(struct sm_session *s, bool all)
{
    bool over = true;
    for (size_t i = 0; i < s->n_trials; i++)
        if ((all || i == s->current) && s->trials[i].rules)
            over = is_over(s, s->trials[i].rules) && over;
    return over;
}

static bool all_judged(const struct sm_session *s, bool all)
{
    bool judged = true;
    for (size_t i = 0; i < s->n_trials; i++) {
        const struct sm_rules *r = all || i == s->current ? s->trials[i].rules : NULL;
        bool none = !r || (!sm_rules_count(r) && !sm_rules_is_auto(r));
        judged = judged && (none || (sm_rules_settled(r) && !sm_rules_busy(r)));
    }
    return judged;
}

/* Who looks at a screen may ask again; a script goes on with the answer. */
static bool is_answered(const struct sm_call *c, bool all)
{
    struct sm_session *s = c->session;
    return sm_call_flag(c, "wait") ? all_over(s, all) : s->interactive || all_judged(s, all);
}

static void add_skips(struct sm_result *out, const struct sm_rule_instance *i)
{
    for (size_t k = 0; k < SM_RULE_SKIPS && i->skips[k].why; k++)
        sm_result_dim(out, "%s: %s, %llu times", i->name, i->skips[k].why,
                      (unsigned long long)i->skips[k].count);
}

static bool run_status(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    bool all = sm_call_flag(c, "all"), found = !c->n_words,
         text = c->output == SM_OUTPUT_TEXT && !c->fields;
    const char *only = c->n_words ? c->words[0].text.p : NULL;
    if (!is_answered(c, all))
        return sm_err_set(err, SM_ERR_WAIT, "judging the steps");
    struct sm_node *list = sm_node_list(out, NULL, NULL),
                   *kept = text ? sm_node_list(out, NULL, NULL) : list;
    for (size_t t = 0; t < s->n_trials; t++) {
        struct sm_rules *r = all || t == s->current ? sm_session_rules_of(s, t) : NULL;
        for (size_t i = 0; r && i < sm_rules_count(r); i++) {
            const struct sm_rule_instance *k = sm_rules_item(r, i);
            if (c->n_words && sm_rules_find(r, c->words[0].text.p) != i)
                continue;
            sm_describe_instance(out, list, r, k);
            if (all)
                sm_node_text(out, list->last, "trial", sm_trial_name(s->trials[t].trial));
            found = true;
        }
        if ((all || t == s->current) && sm_stored_findings(out, kept, s->trials[t].trial, only))
            found = true;
    }
    if (!found)
        return sm_err_set(err, SM_ERR_MISSING, "No rule \"%s\" is attached.  Try \"rule status\".",
                          c->words[0].text.p);
    if (!list->first && !kept->first)
        sm_result_dim(out, "No rule is attached. Try \"rule auto\" or \"rule add NAME\".");
    bool several = all && s->n_trials > 1;
    sm_describe_status(out, list, several);
    if (text && kept->first) {
        sm_result_text(
            out, "%sThe archive says what was found when it was saved:", list->first ? "\n" : "");
        sm_describe_status_table(out, kept);
    }
    struct sm_rules *r = sm_session_rules_current(s);
    for (size_t i = 0; c->n_words && i < sm_rules_count(r); i++)
        if (sm_rules_find(r, c->words[0].text.p) == i)
            add_skips(out, sm_rules_item(r, i));
    return true;
}

static const struct sm_arg one_instance[] = {{.name = "INSTANCE", .kind = SM_ARG_INSTANCE}, {0}};
static const struct sm_option status_options[] = {
    {.name = "wait",
     .kind = SM_ARG_FLAG,
     .help =
         "until all steps are judged and the rules have ended; with --follow until the job ends"},
    {.name = "all", .kind = SM_ARG_FLAG, .help = "the rules of all open trials"},
    {0},
};
const struct sm_cmd sm_cmd_rule_status = {
    .name = "status",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Attached rules: status, when they fired and why",
    .help = "Statuses are those of SageMaker: InProgress, NoIssuesFound, IssuesFound, Error, "
            "Stopped. In scripts the steps that are\n"
            "on disk are judged first; at the prompt the answer comes at once. What was found "
            "before a trial became an archive (snapshot\n"
            "save) is listed apart, and says \"from\": \"archive\" in JSON.",
    .example = "rule status -wait",
    .see_also = "rule info",
    .args = one_instance,
    .options = status_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL | SM_CMD_LOOKS,
    .run = run_status,
};
const struct sm_cmd sm_cmd_info_rules = {
    .name = "rules",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Attached rules: the same as \"rule status\"",
    .example = "info rules",
    .see_also = "rule",
    .args = one_instance,
    .options = status_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_status,
};

/* ---- rule test ---- */

/* Of a step: what violates first. */
static void add_findings(struct sm_result *out, const struct sm_rules *r,
                         const struct sm_rule_instance *i, int64_t step)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (int violated = 1; violated >= 0; violated--)
        for (size_t k = 0; k < i->n_findings; k++)
            if (i->findings[k].violated == violated && (step < 0 || i->findings[k].step == step))
                sm_describe_finding(out, list, r, i, &i->findings[k]);
    if (list->first)
        sm_result_listing(out, list, sm_finding_columns, sm_n_finding_columns);
    out->root = list;
    out->columns = sm_finding_columns;
    out->n_columns = sm_n_finding_columns;
}

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
    if (i->triggered)
        sm_result_text(
            out, "%s fires at %llu steps, first at %lld, last at %lld: %llu of %llu datapoints.",
            rule->class_name, (unsigned long long)i->triggered, (long long)i->first_fired,
            (long long)i->last_fired, (unsigned long long)i->violations,
            (unsigned long long)i->datapoints);
    else
        sm_result_text(out, "%s does not fire: %llu datapoints%s.", rule->class_name,
                       (unsigned long long)i->datapoints, i->matched ? "" : ", 0 tensors matched");
    add_findings(out, s->judging, i, -1);
    add_skips(out, i);
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
    .name = "test",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Judge all steps there are by a rule, without attaching it",
    .help = "Goes on after the first firing and lists every violation.",
    .example = "rule test vanishing_gradient threshold=1e-5",
    .see_also = "rule",
    .args = test_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_test,
};

/* ---- rule explain ---- */

static bool run_explain(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_rule_explain *x = c->state =
        c->state ? c->state : sm_arena_xalloc(&c->arena, sizeof *x);
    if (!sm_rule_explain_judge(c, x, c->words[0].text, c->n_words > 1 ? &c->words[1] : NULL, err))
        return false;
    const struct sm_rule *rule = x->rule;
    const struct sm_rule_instance *i = x->shown;
    sm_result_text(out, "%s fires when %s.", rule->class_name, rule->fires);
    for (size_t k = 0; k < sm_rule_param_count(rule); k++)
        sm_result_text(out, "  %s = %s", rule->params[k].name,
                       i->values[k].set ? i->values[k].text : "none");
    bool ready = sm_rule_has_tensors(rule, i->values, sm_session_trial(s));
    sm_result_text(out, "The hook must save: %s. This trial %s tensors for it.", rule->saves,
                   ready ? "has" : "has no");
    sm_result_text(out, "\nAt step %lld:", (long long)x->step);
    add_findings(out, s->judging, i, x->step);
    if (!out->root->first)
        sm_result_dim(out, "Nothing was looked at: no tensor of the rule is saved there, or it "
                           "does not judge this step.");
    add_skips(out, i);
    if (i->last_fired == x->step)
        sm_result_text(out, "\n%s", rule->advice);
    return sm_goto_finding(c, i, x->step, out, err);
}

static const struct sm_arg explain_args[] = {
    {.name = "INSTANCE", .kind = SM_ARG_ANY_RULE, .required = true},
    {.name = "STEP", .kind = SM_ARG_STEP},
    {0},
};
const struct sm_cmd sm_cmd_rule_explain = {
    .name = "explain",
    .cmd_class = SM_CLASS_RULES,
    .summary = "The numbers that a rule saw at a step, beside their limits",
    .help =
        "Without a step where it first fires, or the newest if it does not. The name of a rule "
        "that is not attached means its defaults.\n"
        "The tensor and step of the first violation become current, so that bt goes on from there.",
    .example = "rule explain overfit",
    .see_also = "rule backtrace",
    .args = explain_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_explain,
};

/* ---- info events ---- */

static const struct sm_column events_columns[] = {
    {.key = "time", .header = "TIME", .format = SM_COL_TIME},
    {.key = "rule", .header = "RULE"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "text", .header = "WHAT"},
};

static bool run_events(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    const struct sm_incidents *l = c->session->incidents;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < l->n; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_double(out, row, "time", (double)l->items[i].time_us / 1e6, false);
        sm_node_text(out, row, "rule", l->items[i].rule);
        sm_node_int(out, row, "step", l->items[i].step);
        sm_node_text(out, row, "text", l->items[i].text);
    }
    sm_result_listing(out, list, events_columns, COUNT(events_columns));
    return true;
}

const struct sm_cmd sm_cmd_info_events = {
    .name = "events",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "What rules and their actions did in this session",
    .example = "info events",
    .see_also = "rule",
    .flags = SM_CMD_LISTING,
    .run = run_events,
};
