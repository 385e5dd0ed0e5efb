/* SPDX-License-Identifier: Apache-2.0 */
/* profile steps: how long steps take, and which take too long. */
#include "commands/place/describe.h"
#include "commands/profile/profile_commands.h"
#include "commands/profile/profile_rows.h"
#include "commands/trace/trace_tables.h"
#include "reader/base/clock.h"

#include <math.h>

static const struct sm_column columns[] = {
    {.key = "node", .header = "NODE"},
    {.key = "mode", .header = "MODE"},
    {.key = "count", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "mean_ns", .header = "MEAN", .format = SM_COL_DURATION},
    {.key = "p50_ns", .header = "P50", .format = SM_COL_DURATION},
    {.key = "p95_ns", .header = "P95", .format = SM_COL_DURATION},
    {.key = "p99_ns", .header = "P99", .format = SM_COL_DURATION},
    {.key = "max_ns", .header = "MAX", .format = SM_COL_DURATION},
    {.key = "outliers", .header = "OUTLIERS", .format = SM_COL_NUMBER},
    {.key = "limit_ns", .header = "LIMIT", .format = SM_COL_DURATION},
};
static const struct sm_column step_columns[] = {
    {.key = "node", .header = "NODE"},
    {.key = "mode", .header = "MODE"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "start_ns", .header = "START", .hidden = true},
    {.key = "duration_ns", .header = "DURATION", .format = SM_COL_DURATION},
    {.key = "times", .header = "TIMES", .format = SM_COL_NUMBER},
};

struct sm_profile_columns sm_profile_group_columns(void)
{
    return (struct sm_profile_columns){columns, sizeof columns / sizeof *columns};
}

struct sm_profile_columns sm_profile_step_columns(void)
{
    return (struct sm_profile_columns){step_columns, sizeof step_columns / sizeof *step_columns};
}

static double std_of(const double *x, size_t n, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return n ? sqrt(sum / (double)n) : 0;
}

static bool is_in(const struct sm_profile_window *w, const struct sm_profile *p,
                  const struct sm_profile_step *s)
{
    return s->start_ns >= w->from_ns && s->start_ns < w->to_ns &&
           s->node < sm_profile_node_count(p) &&
           sm_profile_window_has(w, sm_profile_node(p, s->node));
}

static double duration(const struct sm_profile_step *s)
{
    return (double)(s->end_ns - s->start_ns);
}

bool sm_profile_step_measure(struct sm_step_group *g, double stddev, double *ns)
{
    double mean = 0;
    for (size_t i = 0; i < g->n; i++) {
        ns[i] = duration(g->steps[i]);
        mean += ns[i] / (double)g->n;
    }
    g->std = std_of(ns, g->n, mean);
    g->limit = mean + stddev * g->std;
    return sm_metric_stats_of_values(ns, g->n, &g->stats);
}

/* ---- rows ---- */

void sm_profile_group_row(struct sm_result *out, struct sm_node *list, const struct sm_profile *p,
                          const struct sm_step_group *g)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    size_t outliers = 0;
    for (size_t i = 0; i < g->n; i++)
        outliers += duration(g->steps[i]) > g->limit;
    sm_node_text(out, row, "node", sm_profile_node(p, g->node));
    sm_node_text(out, row, "mode", sm_mode_name(g->mode));
    sm_node_uint(out, row, "count", g->n);
    sm_profile_node_duration(out, row, "mean_ns", g->stats.mean);
    sm_profile_node_duration(out, row, "std_ns", g->std);
    sm_profile_node_duration(out, row, "min_ns", g->stats.min);
    sm_profile_node_duration(out, row, "p50_ns", g->stats.q[SM_STATS_P50]);
    sm_profile_node_duration(out, row, "p95_ns", g->stats.q[SM_STATS_P95]);
    sm_profile_node_duration(out, row, "p99_ns", g->stats.q[SM_STATS_P99]);
    sm_profile_node_duration(out, row, "max_ns", g->stats.max);
    sm_node_uint(out, row, "outliers", outliers);
    sm_profile_node_duration(out, row, "limit_ns", g->limit);
}

static void add_step(struct sm_result *out, struct sm_node *list, const struct sm_profile *p,
                     const struct sm_profile_step *s, const struct sm_step_group *g)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    double ns = (double)(s->end_ns - s->start_ns);
    sm_node_text(out, row, "node", sm_profile_node(p, s->node));
    sm_node_text(out, row, "mode", sm_mode_name(s->mode));
    sm_node_int_or_null(out, row, "step", s->step >= 0, s->step);
    sm_node_int(out, row, "start_ns", s->start_ns);
    sm_node_int(out, row, "duration_ns", s->end_ns - s->start_ns);
    sm_node_double(out, row, "times",
                   g->stats.q[SM_STATS_P50] > 0 ? ns / g->stats.q[SM_STATS_P50] : 1, false);
}

void sm_profile_step_rows(struct sm_result *out, struct sm_node *list, const struct sm_profile *p,
                          const struct sm_step_group *g, bool all)
{
    for (size_t i = 0; i < g->n; i++)
        if (all || duration(g->steps[i]) > g->limit)
            add_step(out, list, p, g->steps[i], g);
}

/* ---- groups ---- */

size_t sm_profile_step_groups(struct sm_result *out, const struct sm_profile *p,
                              const struct sm_profile_window *w, struct sm_step_group **groups)
{
    const struct sm_event_store *x = sm_profile_events(p);
    size_t n = sm_profile_node_count(p) * SM_MODES;
    const struct sm_profile_step **at =
        sm_arena_xalloc(&out->arena, (x->n_steps + 1) * sizeof(*at));
    struct sm_step_group *all = *groups = sm_arena_xalloc(&out->arena, (n + 1) * sizeof *all);
    for (size_t i = 0; i < x->n_steps; i++)
        if (is_in(w, p, &x->steps[i]))
            all[x->steps[i].node * SM_MODES + x->steps[i].mode].n++;
    for (size_t i = 0; i < n; i++) {
        all[i].node = (uint16_t)(i / SM_MODES);
        all[i].mode = i % SM_MODES;
        all[i].steps = at;
        at += all[i].n;
        all[i].n = 0;
    }
    for (size_t i = 0; i < x->n_steps; i++)
        if (is_in(w, p, &x->steps[i])) {
            struct sm_step_group *g = &all[x->steps[i].node * SM_MODES + x->steps[i].mode];
            g->steps[g->n++] = &x->steps[i];
        }
    return n;
}

void sm_profile_step_one_clear(struct sm_step_one *x)
{
    sm_free(x->steps);
    sm_free(x->ns);
    *x = (struct sm_step_one){0};
}

bool sm_profile_step_one(const struct sm_profile *p, size_t nth, double stddev,
                         struct sm_step_one *out)
{
    const struct sm_event_store *x = sm_profile_events(p);
    *out = (struct sm_step_one){
        .group = {.node = (uint16_t)(nth / SM_MODES), .mode = (uint8_t)(nth % SM_MODES)}};
    if (nth >= sm_profile_node_count(p) * SM_MODES)
        return false;
    out->steps = sm_xalloc_zero(x->n_steps + 1, sizeof(*out->steps));
    out->ns = sm_xalloc_zero(x->n_steps + 1, sizeof *out->ns);
    out->group.steps = out->steps;
    for (size_t i = 0; i < x->n_steps; i++)
        if (x->steps[i].node == out->group.node && x->steps[i].mode == out->group.mode)
            out->steps[out->group.n++] = &x->steps[i];
    if (sm_profile_step_measure(&out->group, stddev, out->ns))
        return true;
    sm_profile_step_one_clear(out);
    return false;
}

static void show(struct sm_result *out, struct sm_node *list, bool singly)
{
    if (singly)
        sm_result_listing(out, list, step_columns, sizeof step_columns / sizeof *step_columns);
    else
        sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
}

enum { WORK = 500000 }; /* steps that are measured in a turn, and those of one group more */

/* What was measured of each group in the turns before. */
struct measured {
    size_t n, done; /* groups */
    struct sm_step_group *groups;
};

static struct measured *measured_of(struct sm_call *c, size_t n)
{
    struct measured *m = c->state;
    if (m && m->n == n)
        return m;
    m = c->state = sm_arena_xalloc(&c->arena, sizeof *m);
    m->n = n;
    m->groups = sm_arena_xalloc(&c->arena, (n + 1) * sizeof *m->groups);
    return m;
}

/* Fills what is known of the groups. False: there are more to measure (SM_ERR_WAIT), or there is no
 * memory. */
static bool measure_groups(struct sm_call *c, struct sm_result *out, struct sm_step_group *groups,
                           size_t n, size_t n_steps, double stddev, struct sm_err *err)
{
    struct measured *m = measured_of(c, n);
    double *room = sm_arena_xalloc(&out->arena, (n_steps + 1) * sizeof *room);
    for (size_t work = 0; m->done < n && work < WORK; m->done++) {
        struct sm_step_group *g = &m->groups[m->done];
        *g = groups[m->done];
        work += g->n;
        if (!sm_profile_step_measure(g, stddev, room))
            return sm_err_set(err, SM_ERR_MEMORY, "No memory for the durations of steps.");
    }
    for (size_t i = 0; i < m->done; i++) {
        groups[i].stats = m->groups[i].stats;
        groups[i].std = m->groups[i].std;
        groups[i].limit = m->groups[i].limit;
    }
    c->wake_us = m->done < n ? sm_clock_mono_us() : 0;
    return m->done == n || sm_err_set(err, SM_ERR_WAIT, "measuring the steps");
}

static bool run_steps(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    if (sm_trace_is_asked(c))
        return sm_trace_run_steps(c, out, err);
    const struct sm_profile *p = sm_profile_ask(c, err);
    const struct sm_word *word = sm_call_option(c, "stddev");
    bool all = sm_call_flag(c, "list"), singly = all || sm_call_flag(c, "outliers");
    struct sm_profile_window w;
    struct sm_step_group *groups;
    double stddev = 3;
    if (!p || !sm_profile_window(c, p, &w, err) || (word && !sm_call_double(word, &stddev, err)))
        return false;
    if (!(stddev >= 0))
        return sm_err_set(err, SM_ERR_USAGE, "-stddev must be at least 0, not %s.", word->text.p);
    size_t n = sm_profile_step_groups(out, p, &w, &groups), n_steps = sm_profile_events(p)->n_steps;
    if (!measure_groups(c, out, groups, n, n_steps, stddev, err))
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < n; i++) {
        if (singly)
            sm_profile_step_rows(out, list, p, &groups[i], all);
        else if (groups[i].n)
            sm_profile_group_row(out, list, p, &groups[i]);
    }
    show(out, list, singly);
    if (!n_steps)
        sm_result_dim(out, "The profile has no steps: no phase \"Step:ModeKeys.MODE\".");
    else if (!list->first && singly && !all)
        sm_result_dim(out, "No step takes longer than the mean and %g standard deviations.",
                      stddev);
    else if (!list->first)
        sm_result_dim(out, "No step ran there in this time.");
    return true;
}

static const struct sm_option options[] = {
    SM_PROFILE_WINDOW_OPTIONS,
    SM_TRACE_OPTIONS,
    {.name = "outliers", .kind = SM_ARG_FLAG, .help = "list the steps that take too long"},
    {.name = "list", .kind = SM_ARG_FLAG, .help = "list all steps"},
    {.name = "stddev",
     .kind = SM_ARG_NUMBER,
     .value = "N",
     .help = "too long is more than the mean and N standard deviations (3)",
     .initial = "3"},
    {0},
};
const struct sm_cmd sm_cmd_profile_steps = {
    .parent = "profile",
    .name = "steps",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show how long steps take, and list those that take too long",
    .help = "Steps are counted within their mode, as the framework does. An outlier takes longer "
            "than the mean and three\nstandard deviations (-stddev) of the steps of its node and "
            "mode; `times` is its duration divided by the median.",
    .example = "profile steps -outliers",
    .see_also = "profile summary, profile phases, info steps",
    .options = options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer =
        "[{node:name,mode:mode,count:int,mean_ns:int?,std_ns:int?,min_ns:int?,p50_ns:int?,"
        "p95_ns:int?,p99_ns:int?,max_ns:int?,outliers:int,limit_ns:int?}|{node:name,mode:mode,"
        "step:int?,start_ns:int,duration_ns:int,times:num}|" SM_SHAPE_TRACE_STEP "]",
    .run = run_steps,
};
