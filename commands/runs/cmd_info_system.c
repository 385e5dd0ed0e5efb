/* SPDX-License-Identifier: Apache-2.0 */
/* info system: the metrics of the machine that the logger kept. */
#include "commands/answer/shape.h"
#include "commands/runs/run_metric.h"
#include "commands/runs/run_system.h"
#include "commands/runs/runs.h"
#include "commands/session/trial_list.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "count", .header = "SAMPLES", .format = SM_COL_NUMBER},
    {.key = "newest", .header = "NEWEST", .format = SM_COL_NUMBER},
    {.key = "min", .header = "MIN", .format = SM_COL_NUMBER},
    {.key = "mean", .header = "MEAN", .format = SM_COL_NUMBER},
    {.key = "max", .header = "MAX", .format = SM_COL_NUMBER},
    {.key = "first_time", .header = "FIRST", .format = SM_COL_TIME, .hidden = true},
    {.key = "last_time", .header = "LAST", .format = SM_COL_TIME, .hidden = true},
    {.key = "line", .header = "TREND", .format = SM_COL_SPARK, .text_only = true},
};
static const struct sm_column point_columns[] = {
    {.key = "time", .header = "TIME", .format = SM_COL_TIME},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

static void add_row(struct sm_result *out, struct sm_node *list, const struct sm_run_system_row *r,
                    bool text)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "name", r->name);
    sm_node_uint(out, row, "count", r->n);
    sm_node_double(out, row, "newest", r->newest, false);
    sm_node_double(out, row, "min", r->min, false);
    sm_node_double(out, row, "mean", r->mean, false);
    sm_node_double(out, row, "max", r->max, false);
    sm_node_time(out, row, "first_time", r->times[0]);
    sm_node_time(out, row, "last_time", r->times[r->n - 1]);
    sm_node_text(out, row, "trend", sm_run_trend_name(sm_run_trend_of(r->values, r->n)));
    struct sm_node *line = text ? sm_node_list(out, row, "line") : NULL;
    double points[SM_RUN_POINTS];
    size_t n = text ? sm_run_thin(r->values, r->n, points) : 0;
    for (size_t i = 0; i < n; i++)
        sm_node_double(out, line, NULL, points[i], false);
}

static void list_metrics(struct sm_call *c, struct sm_result *out, const struct sm_run_system *s)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < s->n; i++)
        if (s->rows[i].n)
            add_row(out, list, &s->rows[i], c->output == SM_OUTPUT_TEXT);
    sm_result_listing(out, list, columns, COUNT(columns));
}

static void show_metric(struct sm_result *out, const struct sm_run_system_row *r)
{
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "name", r->name);
    struct sm_node *list = sm_node_list(out, map, "points");
    for (size_t i = 0; i < r->n; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_time(out, row, "time", r->times[i]);
        sm_node_double(out, row, "value", r->values[i], false);
    }
    sm_result_table(out, list, point_columns, COUNT(point_columns));
    out->root = map;
    out->rows = list;
    out->columns = point_columns;
    out->n_columns = COUNT(point_columns);
}

static const struct sm_run_system_row *find_metric(const struct sm_run_system *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->rows[i].name, name) == 0)
            return &s->rows[i];
    return NULL;
}

static bool answer(struct sm_call *c, struct sm_result *out, const struct sm_run_system *s,
                   struct sm_err *err)
{
    const char *name = c->n_words ? c->words[0].text.p : NULL;
    const struct sm_run_system_row *one = name ? find_metric(s, name) : NULL;
    if (name && !s->n)
        return sm_err_set(err, SM_ERR_MISSING,
                          "No metric of the machine has \"%s\" in its name; \"info system\" lists "
                          "them.",
                          name);
    if (one)
        show_metric(out, one);
    else
        list_metrics(c, out, s);
    return true;
}

static bool run_info_system(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_run_info *info = sm_trial_info(sm_session_trial(c->session));
    struct sm_run_system s;
    sm_run_system_read(info, c->n_words ? c->words[0].text.p : NULL, &s);
    bool ok = answer(c, out, &s, err);
    sm_run_system_clear(&s);
    if (ok && !info->n_samples)
        sm_result_dim(out, "No metric of the machine was logged.");
    if (ok && info->samples_dropped)
        sm_result_dim(out, "The first %llu samples were dropped.",
                      (unsigned long long)info->samples_dropped);
    return ok;
}

static const struct sm_arg args[] = {
    {.name = "NAME",
     .kind = SM_ARG_TEXT,
     .help = "a metric, for all of its samples; or a part of names"},
    {0}};
const struct sm_cmd sm_cmd_info_system = {
    .parent = "info",
    .name = "system",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show the metrics of the machine that the logger kept",
    .help = "Loggers such as W&B, MLflow and trackio sample the processor, memory, disks and GPUs "
            "beside a run.\nSuch samples have a time and no step. With the name of one metric all "
            "of its samples are listed.",
    .example = "info system cpu",
    .see_also = "runs, info summary, log",
    .args = args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{name:name,count:int,newest:num,min:num?,mean:num?,max:num?,first_time:num?,last_"
              "time:num?,trend:'falling'|'rising'|'flat'|'diverged'?,line?:[num]}]|{name:name,"
              "points:[{time:num?,value:num}]}",
    .run = run_info_system,
};
