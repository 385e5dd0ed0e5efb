/* SPDX-License-Identifier: Apache-2.0 */
/* profile phases: time by phase of the framework. */
#include "commands/profile/between_steps.h"
#include "commands/profile/profile_ask.h"
#include "commands/profile/profile_commands.h"
#include "commands/profile/profile_rows.h"
#include "commands/profile/step_parts.h"

#include <stdlib.h>
#include <string.h>

static const struct sm_column columns[] = {
    {.key = "phase", .header = "PHASE"},
    {.key = "count", .header = "COUNT", .format = SM_COL_NUMBER},
    {.key = "total_ns", .header = "TOTAL", .format = SM_COL_DURATION},
    {.key = "mean_ns", .header = "MEAN", .format = SM_COL_DURATION},
    {.key = "p50_ns", .header = "P50", .format = SM_COL_DURATION},
    {.key = "p95_ns", .header = "P95", .format = SM_COL_DURATION},
    {.key = "max_ns", .header = "MAX", .format = SM_COL_DURATION},
    {.key = "min_ns", .header = "MIN", .format = SM_COL_DURATION, .hidden = true},
    {.key = "first_ns", .header = "FIRST", .hidden = true},
    {.key = "last_ns", .header = "LAST", .hidden = true},
};

struct sm_profile_columns sm_profile_phase_columns(void)
{
    return (struct sm_profile_columns){columns, sizeof columns / sizeof *columns};
}

static int by_total(const void *a, const void *b)
{
    const struct sm_phase *x = *(const struct sm_phase *const *)a,
                          *y = *(const struct sm_phase *const *)b;
    if (x->sum.total_ns != y->sum.total_ns)
        return x->sum.total_ns > y->sum.total_ns ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

/* at: p50 and p95. */
static void add_row(struct sm_result *out, struct sm_node *list, const char *name, size_t length,
                    const struct sm_event_sum *s, const double *at)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_textn(out, row, "phase", name, length);
    sm_node_uint(out, row, "count", s->count);
    sm_node_int(out, row, "total_ns", s->total_ns);
    sm_node_int(out, row, "min_ns", s->min_ns);
    sm_profile_node_duration(out, row, "p50_ns", at[0]);
    sm_profile_node_duration(out, row, "p95_ns", at[1]);
    sm_node_int(out, row, "max_ns", s->max_ns);
    sm_node_int(out, row, "first_ns", s->first_ns);
    sm_node_int(out, row, "last_ns", s->last_ns);
    sm_profile_node_duration(out, row, "mean_ns", (double)s->total_ns / (double)s->count);
}

/* False: no memory. */
static bool add_phase(struct sm_result *out, struct sm_node *list, const struct sm_event_store *x,
                      const struct sm_phase *phase)
{
    static const double q[] = {0.5, 0.95};
    double at[2];
    if (!sm_event_phase_quantiles(x, phase, q, 2, at))
        return false;
    add_row(out, list, sm_names_text(x->names, phase->name), sm_names_length(x->names, phase->name),
            &phase->sum, at);
    return true;
}

/* What is not in a step has a row, too, in its place; then its count becomes 0. */
static void add_others(struct sm_result *out, struct sm_node *list, struct sm_between_steps *others,
                       int64_t below_ns)
{
    static const char name[] = "others";
    if (!others->sum.count || others->sum.total_ns < below_ns)
        return;
    add_row(out, list, name, strlen(name), &others->sum, others->at);
    others->sum.count = 0;
}

bool sm_profile_phase_rows(struct sm_result *out, struct sm_node *list,
                           const struct sm_event_store *x, bool (*wanted)(const char *phase),
                           struct sm_err *err)
{
    const struct sm_phase **order = sm_arena_xalloc(&out->arena, (x->n_phases + 1) * sizeof *order);
    struct sm_between_steps others = {0};
    bool ok = wanted || sm_between_steps_of(x, &others);
    for (size_t i = 0; i < x->n_phases; i++)
        order[i] = &x->phases[i];
    qsort(order, x->n_phases, sizeof *order, by_total);
    for (size_t i = 0; ok && i < x->n_phases; i++) {
        if (wanted && !wanted(sm_names_text(x->names, order[i]->name)))
            continue;
        add_others(out, list, &others, order[i]->sum.total_ns);
        ok = add_phase(out, list, x, order[i]);
    }
    add_others(out, list, &others, INT64_MIN);
    return ok || sm_err_set(err, SM_ERR_MEMORY, "No memory for the durations of the phases.");
}

/* "step 378 ms = data 46.2 ms + forward 108 ms + ...". */
static void say_parts(struct sm_result *out, const struct sm_event_store *x)
{
    struct sm_step_parts parts;
    struct sm_str text = {0};
    if (!sm_step_parts_of(x, &parts))
        return;
    sm_step_parts_text(&parts, NULL, &text);
    sm_result_prose(out, 4, "%s", sm_str_text(&text));
    sm_str_clear(&text);
}

static bool run_phases(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_profile *p = sm_profile_ask(c, err);
    if (!p)
        return false;
    const struct sm_event_store *x = sm_profile_events(p);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    if (!sm_profile_phase_rows(out, list, x, NULL, err))
        return false;
    say_parts(out, x);
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    if (!x->n_phases)
        sm_profile_remarks(out, p);
    return true;
}

const struct sm_cmd sm_cmd_profile_phases = {
    .parent = "profile",
    .name = "phases",
    .cmd_class = SM_CLASS_DATA,
    .summary = "List the phases of the framework by their time",
    .help = "A phase is what the framework calls a process of its trace: Forward, Backward, "
            "Step:ModeKeys.TRAIN,\ncpu_functions. others is the time between the steps of each "
            "process. The first line is\nwhat a step takes on average: waiting for data, forward, "
            "backward, optimizer, waiting for other\nworkers, and the rest of it. Times of JSON "
            "and CSV are\nnanoseconds; first_ns and last_ns are since 1970.",
    .example = "profile phases",
    .see_also = "profile summary, profile ops, profile steps",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{phase:name,count:int,total_ns:int,min_ns:int,p50_ns:int?,p95_ns:int?,max_ns:int,"
              "first_ns:int,last_ns:int,mean_ns:int?}]",
    .run = run_phases,
};
