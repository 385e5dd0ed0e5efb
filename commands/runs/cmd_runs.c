/* SPDX-License-Identifier: Apache-2.0 */
/* runs: the table of runs. */
#include "commands/answer/shape.h"
#include "commands/judge/sleeping_runs.h"
#include "commands/runs/config_columns.h"
#include "commands/runs/config_key.h"
#include "commands/runs/run_extra.h"
#include "commands/runs/run_fields.h"
#include "commands/runs/run_group.h"
#include "commands/runs/run_order.h"
#include "commands/runs/run_points.h"
#include "commands/runs/run_table.h"
#include "commands/runs/runs.h"
#include "commands/session/trial_list.h"
#include "commands/trials/trials.h"
#include "reader/logs/log_json.h"

#include <math.h>
#include <string.h>

enum { CONFIG_COLUMNS = 5 };

static struct sm_trial *trial_of(const struct sm_session *s, const struct sm_run_row *row)
{
    return s->trials[row->trial].trial;
}

/* ---- rows ---- */

static void add_number(struct sm_result *out, struct sm_node *row, const char *key, bool known,
                       double v)
{
    if (known)
        sm_node_double(out, row, key, v, false);
    else
        sm_node_null(out, row, key);
}

static void add_steps(struct sm_result *out, struct sm_node *row, const struct sm_trial *t)
{
    struct sm_trial_range r = sm_trial_range(t);
    sm_node_uint(out, row, "steps", r.steps);
    sm_node_int_or_null(out, row, "first_step", r.steps, r.first);
    sm_node_int_or_null(out, row, "last_step", r.steps, r.last);
}

/* text: for people, without the numbers of another metric than the table's. */
static struct sm_node *add_row(const struct sm_session *s, struct sm_result *out,
                               struct sm_node *list, const struct sm_run_row *r, const char *metric,
                               bool text)
{
    bool comparable = !text || !metric || !r->metric || strcmp(metric, r->metric) == 0;
    const struct sm_trial *t = trial_of(s, r);
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "run", r->name);
    sm_node_text(out, row, "path", r->path);
    sm_node_text(out, row, "kind", sm_trial_kind_name(t));
    sm_trial_parts_node(out, row, t);
    sm_node_text(out, row, "state",
                 text ? sm_trial_state_word(t) : sm_trial_state_name(sm_trial_state(t)));
    add_steps(out, row, t);
    sm_node_text(out, row, "metric", r->metric);
    add_number(out, row, "newest", comparable && r->has_metric, r->newest);
    add_number(out, row, "best", comparable && r->has_metric && !isnan(r->best), r->best);
    sm_node_int_or_null(out, row, "best_step", comparable && r->best_step >= 0, r->best_step);
    sm_node_text(out, row, "trend", comparable ? sm_run_trend_name(r->trend) : NULL);
    sm_node_uint(out, row, "issues", r->issues);
    sm_node_text(out, row, "worst_rule", r->worst_rule);
    sm_run_fields_node(out, row, "config", &sm_trial_info(t)->config);
    sm_node_uint(out, row, "errors", sm_trial_problems(t)->total);
    sm_node_bool(out, row, "current", r->trial == s->current);
    add_number(out, row, "rate", isfinite(sm_trial_steps_per_second(t)),
               sm_trial_steps_per_second(t));
    sm_node_bool(out, row, "hidden", s->trials[r->trial].unlisted);
    sm_node_bool(out, row, "marked", sm_trials_shown(s, r->trial));
    sm_node_int_or_null(out, row, "exit_code", sm_trial_info(t)->ended,
                        sm_trial_info(t)->exit_code);
    sm_node_bool(out, row, "about", r->about);
    sm_node_int_or_null(out, row, "worst_step", r->worst_step >= 0, r->worst_step);
    sm_node_bool(out, row, "judged", r->has_rules && r->judged);
    return row;
}

/* Columns besides those of the table: for people, the keys of the configuration that differ. */
struct added {
    const char *keys[CONFIG_COLUMNS];
    size_t n_keys, more_keys; /* more_keys: that have no column */
    struct sm_run_extra extra;
};

static void add_config(const struct sm_session *s, struct sm_result *out, struct sm_node *row,
                       const struct sm_run_row *r, const char *key)
{
    const char *json = sm_config_get(&sm_trial_info(trial_of(s, r))->config, key);
    const char *text = json ? sm_run_field_text(&out->arena, json) : NULL;
    double v;
    if (text && sm_log_number(text, strlen(text), &v))
        sm_node_double(out, row, key, v, false);
    else
        sm_node_text(out, row, key, text);
}

/* False with SM_ERR_WAIT: a series is being read. */
static bool add_extra(const struct sm_session *s, struct sm_result *out, struct sm_node *row,
                      const struct sm_run_row *r, const char *name, struct sm_err *err)
{
    struct sm_run_value v;
    bool config = sm_config_get(&sm_trial_info(trial_of(s, r))->config, name);
    if (!config && !sm_run_extra_value(s, r, name, &out->arena, &v, err))
        return false;
    if (config)
        add_config(s, out, row, r, name);
    else
        add_number(out, row, name, v.type == SM_RUN_NUMBER, v.number);
    return true;
}

/* In JSON the names are in a map of their own. */
static bool add_columns(struct sm_call *c, struct sm_result *out, struct sm_node *row,
                        const struct sm_run_row *r, const struct added *a, struct sm_err *err)
{
    bool json = c->output == SM_OUTPUT_JSON || c->output == SM_OUTPUT_JSONL;
    struct sm_node *to = json && a->extra.n ? sm_node_map(out, row, "columns") : row;
    for (size_t i = 0; i < a->extra.n; i++)
        if (!add_extra(c->session, out, to, r, a->extra.names[i], err))
            return false;
    for (size_t i = 0; i < a->n_keys; i++)
        add_config(c->session, out, row, r, a->keys[i]);
    return true;
}

/* ---- the command ---- */

static const struct sm_column columns[] = {
    {.key = "current", .header = " ", .format = SM_COL_MARK, .text_only = true},
    {.key = "run", .header = "RUN"},
    {.key = "state", .header = "STATE"},
    {.key = "last_step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "rate", .header = "STEPS/S", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "newest", .header = "NEWEST", .format = SM_COL_NUMBER},
    {.key = "best", .header = "BEST", .format = SM_COL_NUMBER},
    {.key = "best_step", .header = "AT", .format = SM_COL_NUMBER},
    {.key = "trend", .header = "TREND"},
    {.key = "worst_rule", .header = "RULES"},
    {.key = "path", .header = "PATH", .hidden = true},
    {.key = "kind", .header = "KIND", .hidden = true},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "first_step", .header = "FIRST", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "metric", .header = "METRIC", .hidden = true},
    {.key = "issues", .header = "ISSUES", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "errors", .header = "ERRORS", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "exit_code", .header = "EXIT", .format = SM_COL_NUMBER, .hidden = true},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Headers are printed as they are: names of a file are made harmless here. */
static const char *header_of(struct sm_result *out, const char *name)
{
    struct sm_str text = {0};
    sm_str_add_escaped(&text, name, strlen(name));
    const char *header = sm_arena_xstrndup(&out->arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return header;
}

static struct sm_column column_of(struct sm_result *out, const char *name, bool text_only)
{
    return (struct sm_column){.key = name,
                              .header = header_of(out, name),
                              .format = SM_COL_NUMBER,
                              .text_only = text_only};
}

/* The columns of the table with those that are added before the findings. */
static void list_rows(struct sm_result *out, struct sm_node *list, const struct sm_run_table *t,
                      const struct added *a, bool live)
{
    struct sm_column *all =
        sm_arena_xalloc(&out->arena, (COLUMNS + CONFIG_COLUMNS + SM_RUN_EXTRA_MAX) * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < COLUMNS; i++) {
        bool here = strcmp(columns[i].key, "worst_rule") == 0;
        for (size_t k = 0; here && k < a->extra.n; k++)
            all[n++] = column_of(out, a->extra.names[k], false);
        for (size_t k = 0; here && k < a->n_keys; k++)
            all[n++] = column_of(out, a->keys[k], true);
        all[n] = columns[i];
        if (t->metric && strcmp(columns[i].key, "newest") == 0)
            all[n].header = header_of(out, t->metric);
        if (strcmp(columns[i].key, "rate") == 0)
            all[n].hidden = !live;
        n++;
    }
    sm_result_listing(out, list, all, n);
}

static bool read_filter(struct sm_call *c, struct sm_run_filter **out, struct sm_err *err)
{
    *out = NULL;
    return !c->raw.n || sm_run_filter_parse(c->raw, &c->arena, out, err);
}

/* ---- groups ---- */

static const struct sm_column group_columns[] = {
    {.key = "group", .header = "GROUP"},
    {.key = "runs", .header = "RUNS", .format = SM_COL_NUMBER},
    {.key = "mean", .header = "MEAN", .format = SM_COL_NUMBER},
    {.key = "std", .header = "STD", .format = SM_COL_NUMBER},
    {.key = "min", .header = "MIN", .format = SM_COL_NUMBER},
    {.key = "max", .header = "MAX", .format = SM_COL_NUMBER},
    {.key = "best_mean", .header = "BEST MEAN", .format = SM_COL_NUMBER},
    {.key = "best", .header = "BEST", .format = SM_COL_NUMBER},
    {.key = "best_run", .header = "RUN"},
    {.key = "not_finite", .header = "BAD", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "diverged", .header = "DIVERGED", .format = SM_COL_NUMBER},
};

static void add_group(struct sm_result *out, struct sm_node *list, const struct sm_run_group *g)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "group", g->value);
    sm_node_uint(out, row, "runs", g->n);
    add_number(out, row, "mean", g->newest.n, g->newest.mean);
    add_number(out, row, "std", g->newest.n, g->newest.std);
    add_number(out, row, "min", g->newest.n, g->newest.lo);
    add_number(out, row, "max", g->newest.n, g->newest.hi);
    add_number(out, row, "best_mean", g->best.n, g->best.mean);
    add_number(out, row, "best", g->top, g->top ? g->top->best : 0);
    sm_node_text(out, row, "best_run", g->top ? g->top->name : NULL);
    sm_node_uint(out, row, "not_finite", g->not_finite);
    sm_node_uint(out, row, "diverged", g->diverged);
}

/* The newest values of the metric by a key of the configuration. */
static bool list_groups(struct sm_call *c, struct sm_result *out, const struct sm_run_table *t,
                        const char *key, struct sm_err *err)
{
    struct sm_run_group *groups;
    size_t n = sm_run_groups(c->session, t, key, &out->arena, &groups, NULL);
    struct sm_column *own = sm_arena_xalloc(&out->arena, sizeof group_columns);
    if (n == 1 && !groups[0].value)
        return sm_err_set(err, SM_ERR_MISSING, "No run has \"%s\".", key);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    size_t diverged = 0;
    for (size_t i = 0; i < n; i++) {
        add_group(out, list, &groups[i]);
        diverged += groups[i].diverged;
    }
    memcpy(own, group_columns, sizeof group_columns);
    own[0].header = sm_arena_xstrndup(&out->arena, key, strlen(key));
    sm_result_listing(out, list, own, sizeof group_columns / sizeof *group_columns);
    if (diverged && c->output == SM_OUTPUT_TEXT)
        sm_result_dim(out, "%zu %s diverged and %s left out of the numbers.", diverged,
                      diverged == 1 ? "run" : "runs", diverged == 1 ? "is" : "are");
    return true;
}

static bool list_runs(struct sm_call *c, struct sm_result *out, const struct sm_run_table *t,
                      const struct added *a, struct sm_err *err)
{
    bool text = c->output == SM_OUTPUT_TEXT, live = false, known = true;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < t->n; i++) {
        struct sm_node *row = add_row(c->session, out, list, &t->rows[i], t->metric, text);
        live = live || sm_trial_state(trial_of(c->session, &t->rows[i])) == SM_TRIAL_LIVE;
        known = add_columns(c, out, row, &t->rows[i], a, err) && known; /* all are asked for */
    }
    list_rows(out, list, t, a, live);
    return known;
}

/* All but the column to sort by, which needs the table. */
static bool read_choice(struct sm_call *c, struct sm_run_choice *out, struct sm_err *err)
{
    const struct sm_word *best = sm_call_option(c, "best");
    struct sm_run_filter *filter;
    int64_t most = 0;
    if (!read_filter(c, &filter, err) || (best && !sm_call_int(best, 1, INT32_MAX, &most, err)))
        return false;
    *out = (struct sm_run_choice){.unlisted = sm_call_flag(c, "all") || sm_call_flag(c, "show"),
                                  .filter = filter,
                                  .best = (size_t)most,
                                  .reverse = sm_call_flag(c, "r")};
    return true;
}

static bool read_sort(struct sm_call *c, const struct sm_run_table *t, struct sm_run_choice *out,
                      struct sm_err *err)
{
    const struct sm_word *sort = sm_call_option(c, "sort");
    out->sort = sort ? sm_run_sort_key(c->session, t, sort->text.p, err) : NULL;
    return !sort || out->sort;
}

/* -hide and -show: leaves the rows out from now on, or puts them back. */
static bool keep_listed(struct sm_call *c, struct sm_run_table *t, struct sm_err *err)
{
    struct sm_session *s = c->session;
    bool hide = sm_call_flag(c, "hide"), show = sm_call_flag(c, "show");
    if (hide && show)
        return sm_err_set(err, SM_ERR_USAGE, "-hide and -show contradict each other.");
    if (hide && !c->raw.n)
        return sm_err_set(err, SM_ERR_USAGE, "-hide needs a FILTER: which runs to hide.");
    for (size_t i = 0; (hide || show) && i < t->n; i++)
        s->trials[t->rows[i].trial].unlisted = hide;
    if (hide || show)
        sm_trials_restyle(s);
    return true;
}

static size_t count_unlisted(const struct sm_session *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_trials; i++)
        n += s->trials[i].unlisted;
    return n;
}

static void add_notes(struct sm_call *c, struct sm_result *out, const struct sm_run_table *t,
                      size_t all, const struct added *a, const char *unknown)
{
    size_t unlisted = count_unlisted(c->session);
    if (!all)
        sm_result_dim(out, "No run is open.");
    else if (!t->n && unknown)
        sm_result_dim(out, "None of %zu runs matches: none has \"%s\".", all, unknown);
    else if (!t->n)
        sm_result_dim(out, "None of %zu runs matches.", all);
    else if (unknown)
        sm_result_dim(out, "No run has \"%s\".", unknown);
    sm_run_unknown_metric_note(out, t->unknown_metric);
    if (c->output != SM_OUTPUT_TEXT)
        return;
    if (t->n && a->more_keys)
        sm_result_dim(out, "%zu more keys of the configuration differ; see \"info config\".",
                      a->more_keys);
    sm_step_range_note(c->session, out);
    struct sm_runs_judged rules = sm_runs_judged(c->session);
    if (rules.judged < rules.n)
        sm_result_dim(out, "rules: %zu of %zu runs judged", rules.judged, rules.n);
    if (unlisted)
        sm_result_dim(out, "%zu hidden; \"runs -show\" puts them back.", unlisted);
}

/* What the user chose is shown once; keys that differ are for people only. */
static bool read_added(struct sm_call *c, struct sm_result *out, const struct sm_run_table *t,
                       const char *sort, struct added *a, struct sm_err *err)
{
    const struct sm_word *names = sm_call_option(c, "columns");
    const char *keys[CONFIG_COLUMNS];
    size_t all, n = sm_run_table_differs(c->session, t, keys, CONFIG_COLUMNS, &all);
    *a = (struct added){.more_keys = all - n};
    if (!sm_run_extra_read(c->session, t, names ? names->text.p : NULL, &out->arena, &a->extra,
                           err))
        return false;
    if (c->output == SM_OUTPUT_TEXT)
        sm_run_extra_add_sort(c->session, t, sort, &a->extra);
    for (size_t i = 0; c->output == SM_OUTPUT_TEXT && i < n; i++)
        if (!sm_run_extra_has(&a->extra, keys[i]))
            a->keys[a->n_keys++] = sm_arena_xstrndup(&out->arena, keys[i], strlen(keys[i]));
    return true;
}

static bool answer_runs(struct sm_call *c, struct sm_result *out, struct sm_run_table *table,
                        struct sm_err *err)
{
    const struct sm_word *group = sm_call_option(c, "group");
    struct sm_run_choice choice;
    struct added added;
    size_t all = table->n;
    if (!read_choice(c, &choice, err) || !read_sort(c, table, &choice, err) ||
        !read_added(c, out, table, choice.sort, &added, err))
        return false;
    const char *unknown = sm_run_unknown_name(c->session, table, choice.filter);
    if (!sm_run_table_choose(c->session, table, &choice, err) || !keep_listed(c, table, err))
        return false;
    if (sm_call_option(c, "scatter"))
        return sm_run_points_answer(c, out, table, err);
    if (group && table->n)
        return list_groups(c, out, table, group->text.p, err);
    if (!list_runs(c, out, table, &added, err))
        return false;
    add_notes(c, out, table, all, &added, unknown);
    return true;
}

static bool run_runs(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_run_table table = {0};
    struct sm_run_choice choice;
    struct sm_runs_judged rules = sm_runs_judged(c->session);
    bool waits = !c->session->interactive && !c->session->by_program && rules.judged < rules.n;
    bool ok = read_choice(c, &choice, err) &&
              (!waits || sm_err_set(err, SM_ERR_WAIT, "judging the runs")) &&
              sm_run_table_read(c->session, &table, err) && answer_runs(c, out, &table, err);
    sm_run_table_clear(&table);
    return ok;
}

static const struct sm_arg runs_args[] = {{.name = "FILTER", .kind = SM_ARG_EXPR}, {0}};
static const struct sm_option runs_options[] = {
    {.name = "sort", .kind = SM_ARG_TEXT, .value = "KEY", .help = "sort by this column or key"},
    {.name = "columns",
     .kind = SM_ARG_TEXT,
     .value = "NAMES",
     .help = "also show these keys and series, with commas between them: train/loss,epoch"},
    {.name = "group",
     .kind = SM_ARG_TEXT,
     .value = "KEY",
     .help = "mean and range of the metric for each value of a key of the configuration"},
    {.name = "scatter",
     .kind = SM_ARG_TEXT,
     .value = "KEY",
     .help = "a point for each run: the metric against a key of the configuration or a series"},
    {.name = "y",
     .kind = SM_ARG_TEXT,
     .value = "NAME",
     .help = "with -scatter: this series or key instead of the metric"},
    {.name = "best",
     .kind = SM_ARG_NUMBER,
     .value = "N",
     .help = "only the N best by the metric, the best first"},
    {.name = "r", .kind = SM_ARG_FLAG, .help = "reverse the order"},
    {.name = "hide", .kind = SM_ARG_FLAG, .help = "leave these runs out of tables and charts"},
    {.name = "show", .kind = SM_ARG_FLAG, .help = "put these runs back; without FILTER all"},
    {.name = "all", .kind = SM_ARG_FLAG, .help = "list hidden runs, too"},
    {0},
};
const struct sm_cmd sm_cmd_runs = {
    .name = "runs",
    .cmd_class = SM_CLASS_FILES,
    .summary = "List the runs: state, metric, trend, configuration, findings",
    .help =
        "FILTER: names of the configuration, of series (their newest value), run, state, newest, "
        "best, step, trend, kind or "
        "issues, with == != <\n<= > >= and ~ (a pattern, a part or /re/), && || ! and parentheses: "
        "lr > 1e-4 && !ended. state is the word of the "
        "column STATE:\na run that failed is failed and not ended; (ended || failed) finds both. A "
        "word alone is\ntrue if it is the state of the run, or a key with a "
        "value other than 0, false "
        "and empty;\nany other word finds runs by a part of their name, and /re/ by a regular "
        "expression. Columns show "
        "what differs between the configurations, and the series that sorts. -columns adds keys "
        "and series, with their newest value.\nThe setting metric chooses the series; "
        "\"trial RUN\" makes a run current. Where rules judge all runs, a script waits for them, "
        "and at the prompt a line says how many were judged.",
    .example = "runs state == ended -sort best",
    .see_also = "trial, info config, info trials, diff",
    .args = runs_args,
    .options = runs_options,
    .flags = SM_CMD_LISTING | SM_CMD_RAW,
    .answer =
        "[{run:name,path:name,kind:text,parts:[text],state:text,steps:int,first_step:int?,"
        "last_step:int?,metric:name?,newest:num?,best:num?,best_step:int?,trend:text?,issues:"
        "int,worst_rule:text?,config:{*:num|bool|text|values?},errors:int,current:bool,rate:"
        "num?,hidden:bool,marked:bool,exit_code:int?,about:bool,worst_step:int?,judged:bool,"
        "columns?:{*:num|bool|"
        "text|values?}}|{"
        "group:text?,runs:int,mean:num?,std:num?,min:num?,max:num?,best_mean:num?,best:num?,"
        "best_run:name?,not_finite:int,diverged:int}]|{x:name,y:name,rank_correlation:num?,missing:"
        "int,diverged:int,points:[{run:name,x:num|text,y:num}]}",
    .run = run_runs,
};
