/* SPDX-License-Identifier: Apache-2.0 */
/* tensors, info tensors: list tensors. */
#include "commands/answer/read_errors.h"
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/place/evaluate.h"
#include "commands/place/place.h"
#include "commands/place/select.h"
#include "commands/values/list_cost.h"
#include "commands/values/tensor_order.h"
#include "commands/values/values.h"
#include "reader/analysis/tensor_health.h"
#include "reader/analysis/worker_values.h"

#include <stdio.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum {
    STATS_ROWS = 200,
    TREND_POINTS = 8
}; /* STATS_ROWS: longer lists have statistics only with -stats */

static const struct sm_column tensors_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "kind", .header = "KIND", .hidden = true},
    {.key = "dtype", .header = "DTYPE"},
    {.key = "shape", .header = "SHAPE", .format = SM_COL_SHAPE},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "first_step", .header = "FIRST", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "last_step", .header = "LAST", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "modes", .header = "MODES", .format = SM_COL_LIST, .hidden = true},
    {.key = "workers", .header = "WORKERS", .format = SM_COL_LIST, .hidden = true},
    {.key = "collections", .header = "COLLECTIONS", .format = SM_COL_LIST, .hidden = true},
    {.key = "reductions", .header = "REDUCTIONS", .format = SM_COL_LIST, .hidden = true},
    {.key = "mean", .header = "MEAN", .format = SM_COL_NUMBER, .text_only = true},
    {.key = "std", .header = "STD", .format = SM_COL_NUMBER, .text_only = true},
    {.key = "nan", .header = "NAN", .format = SM_COL_NUMBER, .text_only = true},
    {.key = "trend", .header = "TREND", .format = SM_COL_SPARK, .text_only = true},
};
/* The columns without statistics. */
enum { PLAIN_COLUMNS = COUNT(tensors_columns) - 4 };

/* The newest of the steps that has an entry of the tensor; n < 0 if there is none. */
static struct sm_step newest_entry_step(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                        const struct sm_steps *steps_given)
{
    size_t from, to;
    for (size_t i = steps_given->n; i-- > 0;)
        if (sm_trial_entries_at(t, x, steps_given->items[i], &from, &to))
            return steps_given->items[i];
    return (struct sm_step){-1};
}

/* The value entry to list: at the step, or the newest if step.n < 0. */
static struct sm_entry shown_value(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                   struct sm_step step)
{
    if (step.n < 0)
        return sm_newest_value(t, x);
    return sm_trial_entry(t, x, step, SM_WORKER_ANY, SM_ENTRY_VALUE, SM_REDUCE_NONE);
}

/* Returns false while values are still being read. */
static bool add_trend(struct sm_call *c, struct sm_result *out, struct sm_node *row,
                      struct sm_trial *t, const struct sm_trial_tensor *x)
{
    struct sm_node *list = sm_node_list(out, row, "trend");
    struct sm_trend trend;
    sm_tensor_health_trend(t, c->session->fetch, NULL, x, SM_WORKER_ANY, TREND_POINTS, &trend);
    for (size_t i = 0; i < trend.n; i++)
        if (!trend.pending[i])
            sm_node_double(out, list, NULL, trend.v[i], false);
    return true;
}

/* The rows whose value on another worker than the one shown has NaN or infinities. */
struct other_workers {
    struct sm_str text; /* of the first */
    size_t n;
};

/* Looks at the other workers' values of the step. Returns false while they are being read. */
static bool add_others(struct sm_call *c, struct sm_trial *t, const struct sm_trial_tensor *x,
                       const struct sm_entry *e, uint64_t *nan, struct other_workers *others)
{
    struct sm_worker_values values = {0};
    struct sm_worker_defects d;
    struct sm_str text = {0};
    sm_worker_values_read(&values, t, x, sm_trial_part(t, e->part)->step, SM_WORKER_ANY);
    sm_worker_values_defects(&values, t, c->session->fetch, e, &d);
    sm_worker_values_clear(&values);
    *nan += d.nan;
    sm_worker_defects_describe(t, &d, &text);
    if (text.len && !others->n++)
        sm_str_printf(&others->text, "%s on %s", sm_trial_tensor_name(t, x), sm_str_text(&text));
    sm_str_clear(&text);
    return !d.unknown;
}

static bool add_stats(struct sm_call *c, struct sm_result *out, struct sm_node *row,
                      struct sm_trial *t, const struct sm_trial_tensor *x, const struct sm_entry *e,
                      struct other_workers *others, struct sm_err *err)
{
    const struct sm_facts *facts = NULL;
    if (sm_entry_exists(e) && !sm_fetch_stats(c->session->fetch, t, e, &facts, err) &&
        err->code == SM_ERR_WAIT)
        return add_trend(c, out, row, t, x), false;
    uint64_t nan = facts && facts->has_stats ? facts->stats.nan : 0;
    bool known = !sm_entry_exists(e) || add_others(c, t, x, e, &nan, others);
    if (facts && facts->has_stats && facts->stats.finite) {
        sm_node_double(out, row, "mean", facts->stats.mean, false);
        sm_node_double(out, row, "std", sm_stats_get(&facts->stats, SM_REDUCE_STD), false);
    }
    if (facts && facts->has_stats)
        sm_node_uint(out, row, "nan", nan);
    return add_trend(c, out, row, t, x) && known;
}

/* Says whose values the columns are of, if there are several workers. */
static void report_others(const struct sm_trial *t, struct other_workers *others,
                          struct sm_result *out)
{
    bool runs = sm_traits_has_runs(sm_trial_traits(t));
    char more[48] = "";
    if (others->n > 1)
        snprintf(more, sizeof more, ", and %zu more tensors", others->n - 1);
    if (sm_trial_worker_count(t) > 1)
        sm_result_dim(out, "MEAN%s STD%s are of the first %s that has the value, by name; %s all.",
                      runs ? "," : " and", runs ? " and TREND" : "", runs ? "run" : "worker",
                      runs ? "NAN counts" : "NAN and TREND count");
    if (others->n)
        sm_result_dim(out, "%s%s.",
                      sm_result_escape(out, sm_str_text(&others->text), others->text.len), more);
}

static bool add_tensor_row(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                           struct sm_trial *t, const struct sm_trial_tensor *x, struct sm_step step,
                           bool stats, struct other_workers *others, struct sm_err *err)
{
    struct sm_entry e = shown_value(t, x, step);
    const struct sm_facts *facts = NULL;
    bool known = true;
    if (sm_entry_exists(&e) && !sm_fetch_head(c->session->fetch, t, &e, &facts, err))
        known = err->code != SM_ERR_WAIT;
    struct sm_node *row = sm_describe_tensor(out, list, t, x, facts);
    stats = stats && !sm_trial_has_histograms(t, x->name);
    if (stats && sm_list_reads_all(c, t) && !sm_fetch_all(c->session->fetch, t, x, err))
        known = err->code != SM_ERR_WAIT && known;
    if (stats && !add_stats(c, out, row, t, x, &e, others, err))
        known = false;
    return known;
}

/* ---- which rows ---- */

static bool has_mode(const struct sm_trial_tensor *x, enum sm_mode mode)
{
    return mode == SM_MODE_ANY || mode == SM_MODE_GLOBAL || x->modes >> mode & 1;
}

/* Evaluates -where EXPR with the value as $t: 1 keep, 0 drop, -1 error or wait. */
static int value_matches(struct sm_call *c, struct sm_trial *t, const struct sm_entry *e,
                         const struct sm_expr *where, struct sm_err *err)
{
    struct sm_value tensor = {.type = SM_TENSOR};
    if (!sm_fetch_tensor(c->session->fetch, t, e, &tensor.tensor, err))
        return err->code == SM_ERR_WAIT ? -1 : 0;
    struct sm_expr_env env;
    sm_evaluate_env(c, &env);
    env.step = sm_trial_part(t, e->part)->step;
    env.subject = &tensor;
    bool keep;
    bool ok = sm_evaluate_condition(c, &env, where, sm_call_option(c, "where"), &keep, err);
    sm_value_clear(&tensor);
    return ok ? keep : -1;
}

/* The same for the tensor at the step: 1 if the value of any worker matches. */
static int matches_where(struct sm_call *c, struct sm_trial *t, const struct sm_trial_tensor *x,
                         struct sm_step step, const struct sm_expr *where, struct sm_err *err)
{
    struct sm_worker_values values = {0};
    struct sm_entry e = shown_value(t, x, step);
    int keep = 0;
    struct sm_err first = {0};
    if (sm_entry_exists(&e))
        sm_worker_values_read(&values, t, x, sm_trial_part(t, e.part)->step, SM_WORKER_ANY);
    for (size_t i = 0; i < values.n && keep <= 0; i++) {
        int one = value_matches(c, t, &values.items[i], where, err);
        if (one < 0 && !first.code)
            first = *err;
        keep = one ? one : keep;
    }
    sm_worker_values_clear(&values);
    if (keep < 0)
        *err = first;
    return keep;
}

/* Parses -where. *out is NULL without it. */
static bool parse_where(struct sm_call *c, struct sm_expr **out, struct sm_err *err)
{
    const struct sm_word *w = sm_call_option(c, "where");
    struct sm_value tensor = {.type = SM_TENSOR};
    struct sm_expr_env env;
    *out = NULL;
    sm_evaluate_env(c, &env);
    env.subject = &tensor;
    return !w || (sm_expr_parse(w->text.p, w->text.n, &c->arena, out, err) &&
                  sm_expr_check_names(*out, &env, err));
}

/* Removes the tensors that do not match the mode, the steps or -where. steps_given: NULL for the
 * newest value. skipped: the tensors to which -where does not apply, also if all do not: then it
 * fails. */
static bool filter_tensors(struct sm_call *c, struct sm_selection *sel, enum sm_mode mode,
                           const struct sm_steps *steps_given, struct sm_skipped *skipped,
                           struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_expr *where;
    if (!parse_where(c, &where, err))
        return false;
    size_t kept = 0, tested = 0;
    bool waiting = false;
    for (size_t i = 0; i < sel->n; i++) {
        const struct sm_trial_tensor *x = sel->items[i];
        struct sm_step step =
            steps_given ? newest_entry_step(t, x, steps_given) : (struct sm_step){-1};
        if (!has_mode(x, mode) || (steps_given && step.n < 0))
            continue;
        int keep = where ? matches_where(c, t, x, step, where, err) : 1;
        struct sm_entry e = shown_value(t, x, step);
        tested += sm_entry_exists(&e);
        if (keep < 0 && sm_skipped_add(skipped, sm_names_text(sm_trial_names(t), x->name), err))
            continue;
        if (keep < 0 && err->code != SM_ERR_WAIT)
            return false;
        waiting = waiting || keep < 0;
        if (keep > 0)
            sel->items[kept++] = x;
    }
    sel->n = kept;
    if (waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading tensors");
    if (skipped->n && skipped->n == tested)
        *err = skipped->first;
    return !skipped->n || skipped->n < tested;
}

/* The columns, with the statistics in all output formats and not only in text. */
static const struct sm_column *with_statistics(struct sm_result *out)
{
    struct sm_column *columns = sm_arena_xalloc(&out->arena, sizeof tensors_columns);
    memcpy(columns, tensors_columns, sizeof tensors_columns);
    for (size_t i = PLAIN_COLUMNS; i < COUNT(tensors_columns) - 1; i++)
        columns[i].text_only = false;
    return columns;
}

static bool lists_statistics(const struct sm_call *c, size_t n)
{
    return sm_list_is_by_statistics(c) || sm_call_flag(c, "stats") ||
           (c->output == SM_OUTPUT_TEXT && n <= STATS_ROWS);
}

/* Reports why the list is empty. at: NULL if no step was given. */
static void report_no_tensors(struct sm_result *out, const struct sm_trial *t,
                              const struct sm_word *at)
{
    if (at)
        sm_result_dim(out, "No matching tensor was saved at step %s.",
                      sm_result_escape(out, at->text.p, at->text.n));
    else if (!sm_trial_tensor_count(t))
        sm_result_dim(out, "The trial has no tensors yet.  Try \"doctor\".");
    else
        sm_result_dim(out, "No tensor matches.");
}

static bool run_tensors(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_selection sel;
    struct sm_steps steps;
    enum sm_mode mode;
    struct sm_skipped skipped = {0};
    const struct sm_word *at = sm_call_keyword(c, "step");
    const struct sm_steps *steps_given = at ? &steps : NULL;
    if (!sm_place_mode_given(c, &mode, err) ||
        (at && !sm_place_steps(c, sm_place_all(c->session, mode), at->text, &steps, err)) ||
        !sm_args_select_in(c, c->words, c->n_words, &sel, err) ||
        !filter_tensors(c, &sel, mode, steps_given, &skipped, err))
        return false;
    if (!sel.n && at && !sm_place_several(at->text) && !sm_call_option(c, "where") &&
        sm_trial_tensor_count(t))
        return sm_err_set(err, SM_ERR_MISSING, "No matching tensor was saved at step %.*s.",
                          (int)at->text.n, at->text.p);
    const struct sm_word *sort = sm_call_option(c, "sort");
    bool wanted = lists_statistics(c, sel.n), newest = sm_list_reads_newest(c, t, &sel);
    bool stats = wanted && newest;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    struct other_workers others = {0};
    bool known = true;
    for (size_t i = 0; i < sel.n; i++)
        known = add_tensor_row(c, out, list, t, sel.items[i],
                               steps_given ? newest_entry_step(t, sel.items[i], steps_given)
                                           : (struct sm_step){-1},
                               stats, &others, err) &&
                known;
    if (!known) {
        sm_str_clear(&others.text);
        return sm_err_set(err, SM_ERR_WAIT, "reading %zu tensors", sel.n);
    }
    if (sort || sm_call_flag(c, "r"))
        sm_tensor_order(&c->arena, list, sort ? sort->text.p : "name", sm_call_flag(c, "r"));
    sm_result_listing(out, list, sm_call_flag(c, "stats") ? with_statistics(out) : tensors_columns,
                      stats ? COUNT(tensors_columns) : PLAIN_COLUMNS);
    if (!sel.n)
        report_no_tensors(out, t, at);
    else if (!wanted && c->output == SM_OUTPUT_TEXT)
        sm_result_dim(out, "%zu tensors; statistics are omitted above %d, use -stats to show them.",
                      sel.n, STATS_ROWS);
    if (wanted && c->output == SM_OUTPUT_TEXT && !c->fields && sel.n) {
        report_others(t, &others, out);
        sm_list_report_limit(c, t, &sel, newest, out);
    }
    sm_str_clear(&others.text);
    return sm_skipped_report(&skipped, SIZE_MAX, out, err);
}

static const struct sm_arg tensors_args[] = {
    {.name = "PATTERN", .kind = SM_ARG_PATTERN, .repeats = true},
    {.name = "COLLECTION", .kind = SM_ARG_COLLECTION, .keyword = "collection"},
    {.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {0},
};
static const struct sm_option tensors_options[] = {
    {.name = "sort",
     .kind = SM_ARG_WORD,
     .value = "KEY",
     .help = "sort by this column",
     .words = sm_tensor_order_keys},
    {.name = "r", .kind = SM_ARG_FLAG, .help = "reverse the order"},
    {.name = "where",
     .kind = SM_ARG_EXPR,
     .value = "EXPR",
     .help = "only tensors for which EXPR is true; $t is the tensor"},
    {.name = "stats",
     .kind = SM_ARG_FLAG,
     .help = "statistics also in long lists and in all output formats"},
    {0},
};
const struct sm_cmd sm_cmd_tensors = {
    .name = "tensors",
    .aliases = "lt",
    .cmd_class = SM_CLASS_DATA,
    .summary = "List tensors by pattern, collection, step or mode",
    .help =
        "Patterns: a name, a glob (*_weight), /regex/, +collection, +tagged, !pattern for "
        "tensors that do not match.\n"
        "Statistics and shape are those of the newest step, or of STEP, from the first worker. NAN "
        "and -where look at every worker.",
    .example = "tensors collection weights -sort mean -r",
    .see_also = "tensor, stat, info",
    .args = tensors_args,
    .options = tensors_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{" SM_SHAPE_TENSOR ",trend?:[num],mean?:num?,std?:num?,nan?:int?}]",
    .run = run_tensors,
};
const struct sm_cmd sm_cmd_info_tensors = {
    .parent = "info",
    .name = "tensors",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List tensors (the same as the command \"tensors\")",
    .example = "info tensors",
    .see_also = "tensors",
    .args = tensors_args,
    .options = tensors_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{" SM_SHAPE_TENSOR ",trend?:[num],mean?:num?,std?:num?,nan?:int?}]",
    .run = run_tensors,
};
