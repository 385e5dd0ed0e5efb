/* SPDX-License-Identifier: Apache-2.0 */
/* explain: a finding of a rule, and how to continue with bt. */
#include "commands/answer/shape.h"
#include "commands/judge/describe_rule.h"
#include "commands/judge/judge.h"
#include "commands/judge/rule_explain.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/stored_findings.h"
#include "commands/origin/goto_finding.h"
#include "commands/origin/origin.h"
#include "commands/place/describe.h"
#include "reader/trial_place.h"
#include "rules/builtin/rule_list.h"

#include <string.h>

/* Kept while the call waits. */
struct question {
    struct sm_rule_explain explaining;
    bool chosen, searching; /* searching: no rule is attached, so all applicable rules are judged */
    bool nothing;           /* no rule has fired */
    struct sm_text name;
    const char *also; /* "DeadRelu at step 4, ..."; NULL if no other rule has fired */
};

/* ---- which rule ---- */

static const struct sm_rule_instance *first_fired(const struct sm_rules *r)
{
    const struct sm_rule_instance *first = NULL;
    for (size_t i = 0; i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *k = sm_rules_item(r, i);
        if (k->first_fired >= 0 && (!first || k->first_fired < first->first_fired))
            first = k;
    }
    return first;
}

static const char *name_others(struct sm_call *c, const struct sm_rules *r,
                               const struct sm_rule_instance *but)
{
    struct sm_str text = {0};
    for (size_t i = 0; i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *k = sm_rules_item(r, i);
        if (k == but || k->first_fired < 0)
            continue;
        sm_str_printf(&text, "%s", text.len ? ", " : "");
        sm_str_add_escaped(&text, k->name, strlen(k->name));
        sm_str_printf(&text, " at step %lld", (long long)k->first_fired);
    }
    const char *copy = text.len ? sm_arena_xstrndup(&c->arena, sm_str_text(&text), text.len) : NULL;
    sm_str_clear(&text);
    return copy;
}

/* The attached rules; if no rule is attached, all applicable rules. In a script they must have
 * judged all steps on disk. Returns NULL with SM_ERR_WAIT. */
static const struct sm_rules *judged_rules(struct sm_call *c, struct question *q,
                                           struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_rules *r = sm_session_rules_current(s);
    if (!q->searching && (sm_rules_count(r) || sm_rules_is_auto(r))) {
        bool ready =
            (s->interactive && sm_rules_fired(r)) || (sm_rules_all_judged(r) && !sm_rules_busy(r));
        if (!ready)
            sm_err_set(err, SM_ERR_WAIT, "judging the steps");
        return ready ? r : NULL;
    }
    if (!q->searching)
        sm_rules_auto(sm_session_rules_judge(s), sm_rule_table);
    q->searching = q->explaining.leniently = true;
    return sm_session_rules_judged(c, err) && sm_rules_count(sm_judge(s)->judging)
               ? sm_judge(s)->judging
               : NULL;
}

/* Chooses a rule with findings stored in an archive, if no rule has fired now. */
static void choose_stored(struct sm_call *c, struct question *q)
{
    struct sm_result scratch;
    sm_result_init(&scratch);
    const struct sm_node *row = sm_stored_first(&scratch, sm_session_trial(c->session), NULL);
    const struct sm_node *name = row ? sm_node_get(row, "rule") : NULL;
    q->nothing =
        !name || name->type != SM_NODE_TEXT || !sm_session_rules_find(c->session, name->text.p);
    if (!q->nothing)
        q->name = (struct sm_text){sm_arena_xstrndup(&c->arena, name->text.p, name->text.n),
                                   name->text.n};
    sm_result_clear(&scratch);
}

static bool choose_rule(struct sm_call *c, struct question *q, struct sm_err *err)
{
    if (c->n_words) {
        q->name = c->words[0].text;
        return q->chosen = true;
    }
    const struct sm_rules *r = judged_rules(c, q, err);
    const struct sm_rule_instance *first = r ? first_fired(r) : NULL;
    if (!r && err->code == SM_ERR_WAIT)
        return false;
    if (!first) {
        choose_stored(c, q);
        return q->chosen = true;
    }
    const char *name = q->searching ? first->rule->name : first->name;
    q->name = (struct sm_text){sm_arena_xstrndup(&c->arena, name, strlen(name)), strlen(name)};
    q->also = name_others(c, r, first);
    return q->chosen = true;
}

/* ---- findings ---- */

static const struct sm_finding *first_violation(const struct sm_rule_explain *x, size_t *others)
{
    const struct sm_finding *first = NULL;
    size_t n = 0;
    for (size_t k = 0; k < x->shown->n_findings; k++) {
        const struct sm_finding *f = &x->shown->findings[k];
        if (!f->violated || f->step != x->step)
            continue;
        first = first ? first : f;
        n++;
    }
    *others = n ? n - 1 : 0;
    return first;
}

static void add_keys(const struct sm_rule_explain *x, const struct sm_finding *f,
                     struct sm_result *out)
{
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "rule", x->rule->class_name);
    sm_node_text(out, map, "instance", x->like ? x->like->name : NULL);
    sm_node_int(out, map, "step", x->step);
    sm_node_bool(out, map, "fires", f != NULL);
    sm_node_text(out, map, "mode", f ? sm_mode_name((int)f->mode) : NULL);
    sm_node_int_or_null(out, map, "mode_step", f != NULL, f ? f->mode_step : 0);
    sm_node_text(out, map, "worker", f ? f->worker : NULL);
    sm_node_text(out, map, "tensor", f ? f->tensor : NULL);
    if (f) {
        sm_node_double(out, map, "value", f->value, false);
        sm_node_double(out, map, "threshold", f->limit, false);
    }
    sm_node_text(out, map, "message", f ? f->text : NULL);
    sm_node_text(out, map, "fires_when", x->rule->fires);
    sm_node_text(out, map, "advice", x->rule->advice);
    sm_node_text(out, map, "automatic_differs",
                 x->shown->leniently && x->rule->how_auto ? x->rule->how_auto->differs : NULL);
    out->root = map;
}

static void report_finding(const struct sm_trial *t, const struct sm_rule_explain *x,
                           const struct sm_finding *f, size_t others, struct sm_result *out)
{
    struct sm_str where = {0};
    if (f->tensor) {
        sm_str_add_escaped(&where, f->tensor, strlen(f->tensor));
        sm_str_add(&where, " at ");
    }
    sm_describe_step(&where, (struct sm_step){f->step}, f->mode,
                     (struct sm_mode_step){f->mode_step});
    if (f->worker && sm_trial_worker_count(t) > 1) {
        sm_str_add(&where, ", ");
        sm_str_add_escaped(&where, f->worker, strlen(f->worker));
    }
    if (others)
        sm_str_printf(&where, " (and %zu more)", others);
    sm_result_text(out, "%s fires: %s", x->rule->class_name, sm_str_text(&where));
    sm_result_text(out, "%s", sm_result_escape(out, f->text, strlen(f->text)));
    sm_str_clear(&where);
}

/* "DeadRelu does not fire at step 3.", or the reason that it judged nothing. */
static void report_nothing(const struct sm_rule_explain *x, struct sm_result *out)
{
    const struct sm_rule_instance *i = x->shown;
    if (i->skips[0].why && !i->datapoints)
        sm_result_text(out, "%s judged nothing at step %lld: %s.", x->rule->class_name,
                       (long long)x->step, i->skips[0].why);
    else
        sm_result_text(out, "%s does not fire at step %lld.", x->rule->class_name,
                       (long long)x->step);
}

/* The first finding of the rule that is stored in the archive. NULL if there is none, or if
 * another step is given. */
static const struct sm_node *find_stored(struct sm_call *c, const struct sm_rule_explain *x,
                                         struct sm_result *out)
{
    const char *name = x->like ? x->like->name : x->rule->class_name;
    const struct sm_node *row = sm_stored_first(out, sm_session_trial(c->session), name);
    return row && (c->n_words < 2 || sm_node_get(row, "first_step")->i == x->step) ? row : NULL;
}

static void report_stored(const struct sm_node *row, struct sm_result *out)
{
    const struct sm_node *tensor = sm_node_get(row, "tensor"), *what = sm_node_get(row, "what");
    bool has_tensor = tensor->type == SM_NODE_TEXT;
    sm_result_text(out, "It fired before the archive was saved: %s%sstep %lld",
                   has_tensor ? sm_result_escape(out, tensor->text.p, tensor->text.n) : "",
                   has_tensor ? " at " : "at ", (long long)sm_node_get(row, "first_step")->i);
    if (what->type == SM_NODE_TEXT)
        sm_result_text(out, "%s", sm_result_escape(out, what->text.p, what->text.n));
}

/* Goes to the stored finding, if the archive contains its tensor and step. */
static bool goto_stored(struct sm_call *c, const struct sm_node *row, struct sm_result *out,
                        struct sm_err *err)
{
    const struct sm_node *tensor = sm_node_get(row, "tensor");
    struct sm_step step = {sm_node_get(row, "first_step")->i};
    if (tensor->type != SM_NODE_TEXT || !sm_place_trial_step(sm_session_trial(c->session), step))
        return true;
    return sm_goto_finding_to(c, tensor->text.p, NULL, step.n, out, err);
}

static bool run_explain(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct question *q = c->state = c->state ? c->state : sm_arena_xalloc(&c->arena, sizeof *q);
    struct sm_rule_explain *x = &q->explaining;
    size_t others;
    if (!q->chosen && !choose_rule(c, q, err))
        return false;
    if (q->nothing) {
        sm_node_bool(out, sm_node_map(out, NULL, NULL), "fires", false);
        sm_result_text(
            out,
            "No rule has fired%s. \"explain RULE\" shows the result of a rule of \"rule list\".",
            q->searching ? " among all that apply to this trial" : "");
        return true;
    }
    if (!sm_rule_explain_judge(c, x, q->name, c->n_words > 1 ? &c->words[1] : NULL, err))
        return false;
    const struct sm_finding *f = first_violation(x, &others);
    add_keys(x, f, out);
    const struct sm_node *before = f ? NULL : find_stored(c, x, out);
    if (f)
        report_finding(sm_session_trial(c->session), x, f, others, out);
    else
        report_nothing(x, out);
    if (before)
        report_stored(before, out);
    if (f || before)
        sm_result_prose(out, 0, "%s", x->rule->advice);
    sm_result_prose(out, 0, "It fires when %s.", x->rule->fires);
    sm_describe_way(out, x->shown);
    sm_describe_remarks(out, x->shown);
    if (q->also)
        sm_result_prose(out, 0, "Also fired: %s.", q->also);
    sm_result_dim(out, "\"rule explain %s %lld\" lists all numbers that it tested.",
                  sm_result_escape(out, q->name.p, q->name.n), (long long)x->step);
    return before ? goto_stored(c, before, out, err)
                  : sm_goto_finding(c, x->shown, x->step, out, err);
}

static const struct sm_arg explain_args[] = {
    {.name = "INSTANCE", .kind = SM_ARG_ANY_RULE},
    {.name = "STEP", .kind = SM_ARG_STEP},
    {0},
};
const struct sm_cmd sm_cmd_explain = {
    .name = "explain",
    .cmd_class = SM_CLASS_STACK,
    .summary = "Show what a rule found: the tensor, the numbers, and the next command",
    .help = "Without INSTANCE it shows the attached rule that fired first; if no rule is attached, "
            "all applicable rules are\n"
            "judged. Without STEP it shows the first step at which the rule fires, or the newest "
            "step. The tensor and step\n"
            "become current, so that bt continues from there.",
    .example = "explain",
    .see_also = "backtrace, rule, layers",
    .args = explain_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{rule:text,instance:text?,step:int,fires:bool,mode:mode?,mode_step:int?,worker:name?"
              ",tensor:name?,value?:num,threshold?:num,message:text?,fires_when:text,advice:text,"
              "automatic_differs?:text?}|{"
              "fires:bool}",
    .run = run_explain,
};
