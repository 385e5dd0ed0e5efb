/* SPDX-License-Identifier: Apache-2.0 */
/* report: a summary of the run. */
#include "commands/answer/shape.h"
#include "commands/judge/describe_rule.h"
#include "commands/judge/judge.h"
#include "commands/judge/report_merge.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/stored_findings.h"
#include "commands/place/describe.h"
#include "commands/verdict/session_verdict.h"
#include "commands/verdict/verdict_tree.h"
#include "reader/base/clock.h"
#include "rules/builtin/rule_list.h"

#include <math.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- losses: first, lowest and last ---- */

static const struct sm_column loss_columns[] = {
    {.key = "name", .header = "LOSS"},
    {.key = "mode", .header = "MODE"},
    {.key = "worker", .header = "WORKER"}, /* if there are several */
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "first", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "best", .header = "BEST", .format = SM_COL_NUMBER},
    {.key = "best_step", .header = "AT", .format = SM_COL_NUMBER},
    {.key = "last", .header = "LAST", .format = SM_COL_NUMBER},
};
enum { WORKER_OF_LOSS = 2, WORKER_OF_TENSOR = 1, LOSSES_SHOWN = 40 };

/* A table with the column of workers if there are several. */
static void show_table(struct sm_result *out, const struct sm_trial *t, const struct sm_node *list,
                       const struct sm_column *all, size_t n, size_t worker)
{
    struct sm_column *columns = sm_arena_xalloc(&out->arena, n * sizeof *columns);
    memcpy(columns, all, n * sizeof *columns);
    columns[worker].hidden = sm_trial_worker_count(t) < 2;
    sm_result_text(out, "%s", "");
    sm_result_table(out, list, columns, n);
}

static void add_loss(struct sm_result *out, struct sm_node *list, const char *name,
                     const char *mode, const char *worker, const struct sm_series *s)
{
    size_t best = 0;
    for (size_t i = 1; i < s->n; i++)
        if (s->points[i].value < s->points[best].value || isnan(s->points[best].value))
            best = i;
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "name", name);
    sm_node_text(out, row, "mode", mode);
    sm_node_uint(out, row, "steps", s->n);
    sm_node_double(out, row, "first", s->points[0].value, false);
    if (isnan(s->points[best].value)) { /* all are NaN */
        sm_node_null(out, row, "best");
        sm_node_null(out, row, "best_step");
    } else {
        sm_node_double(out, row, "best", s->points[best].value, false);
        sm_node_int(out, row, "best_step", s->points[best].step.n);
    }
    sm_node_double(out, row, "last", s->points[s->n - 1].value, false);
    if (worker)
        sm_node_text(out, row, "worker", worker);
}

/* Adds a row if the worker saved the tensor in that mode. Returns false with SM_ERR_WAIT. */
static bool add_curve(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                      const struct sm_trial_tensor *x, enum sm_mode mode, uint16_t worker,
                      struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_series_spec spec = {.tensor = x->name, .mode = mode, .worker = worker};
    struct sm_series s = {0};
    bool read = sm_series_read(c->session->fetch, t, &spec, &s, err);
    if (read && s.n)
        add_loss(out, list, sm_trial_tensor_name(t, x), sm_mode_name(mode),
                 sm_trial_worker_count(t) > 1 ? sm_trial_worker(t, worker) : NULL, &s);
    sm_series_clear(&s);
    return read || err->code != SM_ERR_WAIT;
}

/* Adds a tensor in each of its modes, of each worker. Returns false with SM_ERR_WAIT. */
static bool add_modes_of_loss(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                              const struct sm_trial_tensor *x, struct sm_err *err)
{
    bool ok = true;
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++)
        for (size_t w = 0; w < sm_trial_worker_count(sm_session_trial(c->session)); w++)
            if (x->modes & 1 << m)
                ok = add_curve(c, out, list, x, (enum sm_mode)m, (uint16_t)w, err) && ok;
    return ok || sm_err_set(err, SM_ERR_WAIT, "reading the losses");
}

static void show_losses(struct sm_result *out, const struct sm_trial *t,
                        const struct sm_node *losses)
{
    struct sm_node *shown = sm_node_list(out, NULL, NULL);
    size_t n = 0;
    for (const struct sm_node *row = losses->first; row; row = row->next)
        if (n++ < LOSSES_SHOWN)
            sm_node_map(out, shown, NULL)->first = row->first;
    if (!n)
        return;
    show_table(out, t, shown, loss_columns, COUNT(loss_columns), WORKER_OF_LOSS);
    if (n > LOSSES_SHOWN)
        sm_result_dim(out, "%zu more losses; -json has all of them.", n - LOSSES_SHOWN);
}

static bool add_losses(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                       struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    bool ok = true;
    for (size_t i = 0; i < sm_trial_collection_count(t); i++) {
        size_t n;
        const uint32_t *ids = sm_trial_collection_tensors(t, i, &n);
        if (strcmp(sm_trial_collection(t, i)->name, "losses") != 0)
            continue;
        for (size_t k = 0; k < n; k++) {
            const struct sm_names *names = sm_trial_names(t);
            const struct sm_trial_tensor *x =
                sm_trial_find(t, sm_names_text(names, ids[k]), sm_names_length(names, ids[k]));
            ok = (!x || add_modes_of_loss(c, out, list, x, err)) && ok;
        }
    }
    return ok;
}

/* ---- rules and tensors ---- */

/* The rule could not judge any step, because an archive does not contain the values. */
static bool is_blind(const struct sm_rule_instance *i)
{
    return !i->triggered && !i->datapoints && i->skips[0].why;
}

/* " 2 judged nothing, DeadRelu WeightUpdateRatio: values are left out of the archive." of those
 * from `first` on that give the same reason. */
static void add_blind_rules(struct sm_str *out, const struct sm_rules *r, size_t first)
{
    const char *why = sm_rules_item(r, first)->skips[0].why;
    struct sm_str names = {0};
    size_t n = 0;
    for (size_t i = first; i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *k = sm_rules_item(r, i);
        if (!is_blind(k) || strcmp(k->skips[0].why, why) != 0)
            continue;
        n++;
        sm_str_addc(&names, ' ');
        sm_str_add_escaped(&names, k->name, strlen(k->name));
    }
    sm_str_printf(out, " %zu judged nothing,%s: %s.", n, sm_str_text(&names), why);
    sm_str_clear(&names);
}

static bool is_first_with_reason(const struct sm_rules *r, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (is_blind(sm_rules_item(r, i)) &&
            strcmp(sm_rules_item(r, i)->skips[0].why, sm_rules_item(r, at)->skips[0].why) == 0)
            return false;
    return true;
}

/* "8 of 12 rules found nothing.", and those that judged nothing. */
static void add_quiet_rules(struct sm_result *out, const struct sm_rules *r)
{
    size_t quiet = 0;
    struct sm_str blind = {0};
    for (size_t i = 0; i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *k = sm_rules_item(r, i);
        quiet += !k->triggered && !is_blind(k);
        if (is_blind(k) && is_first_with_reason(r, i))
            add_blind_rules(&blind, r, i);
    }
    sm_result_text(out, "%zu of %zu rules found nothing.%s", quiet, sm_rules_count(r),
                   sm_str_text(&blind));
    sm_str_clear(&blind);
}

static void add_rules(struct sm_result *out, struct sm_node *root, const struct sm_rules *r)
{
    struct sm_node *list = sm_node_list(out, root, "rules");
    sm_result_text(out, "%s", "");
    for (size_t i = 0; i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *k = sm_rules_item(r, i);
        struct sm_str text = {0};
        sm_describe_instance(out, list, r, k);
        sm_node_text(out, list->last, "advice", k->triggered ? k->rule->advice : NULL);
        if (k->triggered && k->n_findings) {
            sm_rule_message(r, k, &k->findings[0], &text);
            sm_result_text(out, "%s\n  %s", sm_str_text(&text), k->rule->advice);
        }
        sm_str_clear(&text);
    }
    add_quiet_rules(out, r);
}

/* Adds the findings that are stored in an archive. They may come from values that the archive does
 * not contain. */
static void add_stored(struct sm_result *out, struct sm_node *root, const struct sm_trial *t)
{
    if (!sm_stored_count(t))
        return;
    struct sm_node *all = sm_node_list(out, root, "when_saved"),
                   *fired = sm_node_list(out, NULL, NULL);
    size_t n = sm_stored_findings(out, all, t, NULL), quiet = 0;
    for (const struct sm_node *row = all->first; row; row = row->next) {
        if (sm_stored_fired(row))
            sm_node_map(out, fired, NULL)->first = row->first;
        else
            quiet++;
    }
    sm_result_text(out, "\nWhen the archive was saved:");
    if (fired->first)
        sm_describe_status_table(out, fired);
    sm_result_text(out, "%zu of %zu rules had found nothing.", quiet, n);
}

static bool is_listed(const struct sm_node *list, const char *tensor)
{
    for (const struct sm_node *row = list->first; row; row = row->next) {
        const struct sm_node *name = sm_node_get(row, "tensor");
        if (name && sm_text_is(name->text, tensor))
            return true;
    }
    return false;
}

static const struct sm_column tensor_columns[] = {
    {.key = "tensor", .header = "TENSOR WITH A PROBLEM"},
    {.key = "worker", .header = "WORKER"}, /* if there are several */
    {.key = "step", .header = "SINCE", .format = SM_COL_NUMBER},
    {.key = "rule", .header = "RULE"},
    {.key = "what", .header = "WHAT"},
};

static struct sm_node *add_tensors(struct sm_result *out, struct sm_node *root,
                                   const struct sm_rules *r)
{
    struct sm_node *list = sm_node_list(out, root, "tensors");
    for (size_t i = 0; i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *k = sm_rules_item(r, i);
        for (size_t f = 0; f < k->n_findings; f++) {
            if (!k->findings[f].tensor || is_listed(list, k->findings[f].tensor))
                continue;
            struct sm_node *row = sm_node_map(out, list, NULL);
            sm_node_text(out, row, "tensor", k->findings[f].tensor);
            sm_node_int(out, row, "step", k->findings[f].step);
            sm_node_text(out, row, "rule", k->name);
            sm_node_text(out, row, "what", k->findings[f].text);
            if (sm_trial_worker_count(sm_rules_trial(r)) > 1)
                sm_node_text(out, row, "worker", k->findings[f].worker);
        }
    }
    return list;
}

/* ---- the command ---- */

/* *out: the attached rules, else every rule whose tensors exist. Returns false with SM_ERR_WAIT. */
static bool judge_steps(struct sm_call *c, const struct sm_rules **out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_rules *attached = sm_session_rules_at(s, s->current);
    if (attached && sm_rules_count(attached)) {
        *out = attached;
        return sm_rules_all_judged(attached) || sm_rules_finished(attached) ||
               sm_err_set(err, SM_ERR_WAIT, "judging the steps");
    }
    if (!c->state) {
        c->state = sm_session_rules_judge(s);
        sm_rules_auto(sm_judge(s)->judging, sm_rule_table);
    }
    *out = sm_judge(s)->judging;
    return sm_session_rules_judged(c, err);
}

static void add_trial(const struct sm_trial *t, struct sm_result *out, struct sm_node *root)
{
    sm_node_text(out, root, "name", sm_trial_name(t));
    sm_node_text(out, root, "state", sm_trial_state_name(sm_trial_state(t)));
    sm_node_uint(out, root, "steps", sm_trial_step_count(t));
    struct sm_node *modes = sm_node_map(out, root, "modes");
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++) {
        struct sm_mode_span span = sm_mode_span(t, (enum sm_mode)m);
        if (span.steps)
            sm_node_uint(out, modes, sm_mode_name(m), span.steps);
    }
}

static void show_trial(const struct sm_trial *t, struct sm_result *out)
{
    struct sm_str text = {0};
    sm_str_add_escaped(&text, sm_trial_name(t), strlen(sm_trial_name(t)));
    sm_str_printf(&text, ": %s. ", sm_trial_state_name(sm_trial_state(t)));
    sm_describe_contents(&text, t);
    sm_result_text(out, "%s.", sm_str_text(&text));
    sm_str_clear(&text);
}

/* *out: NULL if no step was saved. Returns false with SM_ERR_WAIT. */
static bool find_verdict(struct sm_call *c, const struct sm_verdict **out)
{
    struct sm_err err;
    *out = sm_verdict_ask(c, &err);
    return *out || err.code != SM_ERR_WAIT;
}

static bool run_report(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_rules *r;
    const struct sm_verdict *v;
    if (sm_call_flag(c, "merge"))
        return sm_report_merge(c, out, err);
    if (c->n_words)
        return sm_err_set(err, SM_ERR_USAGE, "Files are only valid with -merge.");
    struct sm_node *root = sm_node_map(out, NULL, NULL);
    add_trial(t, out, root);
    struct sm_node *losses = sm_node_list(out, root, "losses");
    bool found = find_verdict(c, &v), judged = judge_steps(c, &r, err);
    if (!add_losses(c, out, losses, err) || !judged || !found)
        return sm_err_set(err, SM_ERR_WAIT, "reading and judging");
    if (v)
        sm_verdict_print(out, v);
    sm_result_text(out, "%s", v ? "" : "No verdict: no step was saved.\n");
    show_trial(t, out);
    show_losses(out, t, losses);
    add_rules(out, root, r);
    add_stored(out, root, t);
    const struct sm_node *tensors = add_tensors(out, root, r);
    if (tensors->first)
        show_table(out, t, tensors, tensor_columns, COUNT(tensor_columns), WORKER_OF_TENSOR);
    if (v)
        sm_verdict_node(out, root, "verdict", v);
    out->root = root;
    return true;
}

static const struct sm_arg report_args[] = {{.name = "FILE", .kind = SM_ARG_FILE, .repeats = true},
                                            {0}};
static const struct sm_option report_options[] = {
    {.name = "merge",
     .kind = SM_ARG_FLAG,
     .help = "join these results of --json instead; needs no trial"},
    {0},
};
const struct sm_cmd sm_cmd_report = {
    .name = "report",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Summary of the run: verdict, losses, findings of rules, advice",
    .help = "Begins with the verdict. Uses the attached rules, else every rule whose tensors "
            "exist.\n"
            "-merge joins results of \"-batch --rules ... --json\": the parts of --shard become "
            "one result, several trials a list.\n"
            "Then the exit status of a batch is 3 if a rule has fired.",
    .example = "report",
    .see_also = "verdict, rule, info, doctor",
    .args = report_args,
    .options = report_options,
    .without_trial = "merge",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer =
        "{name:name,state:text,steps:int,modes:{*:int},losses:[{name:name,mode:mode,steps:"
        "int,first:num,best:num?,best_step:int?,last:num,worker?:name}],rules:["
        "{" SM_SHAPE_RULE_STATUS ",advice:text?}],tensors:[{tensor:name?,step:int,rule:text,"
        "what:text,worker?:name?}],when_saved?:["
        "{" SM_SHAPE_RULE_STATUS "}],verdict?:{" SM_SHAPE_VERDICT "}}|[{" SM_SHAPE_RULE_STATUS "}]",
    .run = run_report,
};
