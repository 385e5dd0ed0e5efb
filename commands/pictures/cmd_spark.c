/* SPDX-License-Identifier: Apache-2.0 */
/* spark: several series at once, one line per series. */
#include "commands/answer/read_errors.h"
#include "commands/answer/shape.h"
#include "commands/pictures/pictures.h"
#include "commands/place/curves.h"
#include "commands/place/series_args.h"
#include "commands/session/trial_list.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column columns[] = {
    {.key = "trial", .header = "TRIAL"}, /* first: omitted for a single trial */
    {.key = "name", .header = "NAME"},
    {.key = "worker", .header = "WORKER"}, /* only of all workers */
    {.key = "reduction", .header = "WHAT"},
    {.key = "points", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "first", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "trend", .header = "TREND", .format = SM_COL_SPARK},
};

static void add_spark_row(const struct sm_session *session, struct sm_result *out,
                          struct sm_node *list, const struct sm_curve *x)
{
    const struct sm_series *s = &x->series;
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "name", x->name);
    sm_node_text(out, row, "reduction", sm_args_reduction_text(&x->spec));
    sm_node_uint(out, row, "points", s->n);
    if (s->n) {
        sm_node_double(out, row, "first", s->points[0].value, false);
        sm_node_double(out, row, "last", s->points[s->n - 1].value, false);
    }
    struct sm_node *trend = sm_node_list(out, row, "trend");
    for (size_t k = 0; k < s->n; k++)
        sm_node_double(out, trend, NULL, s->points[k].value, false);
    sm_node_uint(out, row, "unread", s->unread);
    sm_node_text(out, row, "trial", sm_trials_name(session, x->trial));
    if (x->run != SM_WORKER_ANY)
        sm_node_text(out, row, "worker", sm_trial_worker(session->trials[x->trial].trial, x->run));
    sm_args_saved_node(out, row, &x->spec);
}

static void list_columns(struct sm_call *c, bool of_trials, struct sm_result *out,
                         struct sm_node *list)
{
    struct sm_column *shown = sm_arena_xalloc(&out->arena, sizeof columns);
    size_t n = 0;
    for (size_t i = !of_trials; i < COUNT(columns); i++)
        if (sm_args_all_workers(c) || strcmp(columns[i].key, "worker") != 0)
            shown[n++] = columns[i];
    sm_result_listing(out, list, shown, n);
}

static bool run_spark(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_curves curves;
    struct sm_read_errors_steps unread = {0};
    if (!sm_curves_read(c, false, &curves, err))
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < curves.n; i++) {
        const struct sm_curve *x = &curves.items[i];
        add_spark_row(c->session, out, list, x);
        sm_read_errors_steps_add(&unread, x->name, x->series.unread, x->series.first_unread);
    }
    list_columns(c, curves.trials.n != 1, out, list);
    sm_read_errors_steps_report(&unread, out);
    sm_curves_note_saved(out, &curves);
    sm_step_range_note(c->session, out);
    sm_curves_clear(&curves);
    return true;
}

static const struct sm_option spark_options[] = {SM_TRIAL_SET_OPTION, {0}};
const struct sm_cmd sm_cmd_spark = {
    .name = "spark",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Sparklines of all matching tensors over the steps",
    .help = "With several open trials, the tensors of each. \"worker *\": those of each worker.",
    .example = "spark gradient/* reduce l2",
    .see_also = "plot, series, tensors",
    .args = sm_curves_args,
    .options = spark_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{name:name,reduction:text?,points:int,first?:num,last?:num,trend:[num],unread:int,"
              "trial:name,worker?:name,saved?:bool}]",
    .run = run_spark,
};
