/* profile steps: how long steps take, and which take too long. */
#include "commands/place/describe.h"
#include "commands/profile/profile_commands.h"
#include "commands/profile/profile_window.h"

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

/* The steps of one mode on one node. */
struct group {
    uint16_t node;
    uint8_t mode;
    double *ns; /* as long as all steps; of the group the first n */
    size_t n;
    struct sm_metric_stats stats;
    double std, limit;
};

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

/* False: no memory. A step is an outlier if it takes longer than the mean and so many standard
 * deviations. */
static bool measure(const struct sm_profile *p, const struct sm_profile_window *w, double stddev,
                    struct group *g)
{
    const struct sm_event_store *x = sm_profile_events(p);
    g->n = 0;
    for (size_t i = 0; i < x->n_steps; i++)
        if (x->steps[i].node == g->node && x->steps[i].mode == g->mode && is_in(w, p, &x->steps[i]))
            g->ns[g->n++] = (double)(x->steps[i].end_ns - x->steps[i].start_ns);
    double mean = 0;
    for (size_t i = 0; i < g->n; i++)
        mean += g->ns[i] / (double)g->n;
    g->std = std_of(g->ns, g->n, mean);
    g->limit = mean + stddev * g->std;
    return sm_metric_stats_of_values(g->ns, g->n, &g->stats);
}

static bool is_outlier(const struct group *g, const struct sm_profile_step *s)
{
    return s->node == g->node && s->mode == g->mode && (double)(s->end_ns - s->start_ns) > g->limit;
}

/* ---- rows ---- */

static void add_group(struct sm_result *out, struct sm_node *list, const struct sm_profile *p,
                      const struct group *g)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    size_t outliers = 0;
    for (size_t i = 0; i < g->n; i++)
        outliers += g->ns[i] > g->limit;
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
                     const struct sm_profile_step *s, const struct group *g)
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

static void list_steps(struct sm_result *out, struct sm_node *list, const struct sm_profile *p,
                       const struct sm_profile_window *w, const struct group *g, bool all)
{
    const struct sm_event_store *x = sm_profile_events(p);
    for (size_t i = 0; i < x->n_steps; i++) {
        const struct sm_profile_step *s = &x->steps[i];
        if (s->node == g->node && s->mode == g->mode && is_in(w, p, s) && (all || is_outlier(g, s)))
            add_step(out, list, p, s, g);
    }
}

/* The groups that there are, in the order of nodes and modes. */
static size_t find_groups(struct sm_result *out, const struct sm_profile *p, struct group **groups)
{
    const struct sm_event_store *x = sm_profile_events(p);
    size_t nodes = sm_profile_node_count(p), n = 0;
    bool *seen = sm_arena_xalloc(&out->arena, nodes * SM_MODES + 1);
    *groups = sm_arena_xalloc(&out->arena, (nodes * SM_MODES + 1) * sizeof(**groups));
    for (size_t i = 0; i < x->n_steps; i++)
        if (x->steps[i].node < nodes)
            seen[x->steps[i].node * SM_MODES + x->steps[i].mode] = true;
    for (size_t i = 0; i < nodes * SM_MODES; i++)
        if (seen[i])
            (*groups)[n++] = (struct group){.node = (uint16_t)(i / SM_MODES), .mode = i % SM_MODES};
    return n;
}

static bool run_steps(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_profile *p = sm_profile_ask(c, err);
    const struct sm_word *word = sm_call_option(c, "stddev");
    bool all = sm_call_flag(c, "list"), singly = all || sm_call_flag(c, "outliers");
    struct sm_profile_window w;
    struct group *groups;
    double stddev = 3;
    if (!p || !sm_profile_window(c, p, &w, err) || (word && !sm_call_double(word, &stddev, err)))
        return false;
    size_t n = find_groups(out, p, &groups);
    double *room = sm_arena_xalloc(&out->arena, (sm_profile_events(p)->n_steps + 1) * sizeof *room);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < n; i++) {
        groups[i].ns = room;
        if (!measure(p, &w, stddev, &groups[i]))
            return sm_err_set(err, SM_ERR_MEMORY, "No memory for the durations of steps.");
        if (singly)
            list_steps(out, list, p, &w, &groups[i], all);
        else if (groups[i].n)
            add_group(out, list, p, &groups[i]);
    }
    if (singly)
        sm_result_listing(out, list, step_columns, sizeof step_columns / sizeof *step_columns);
    else
        sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    if (!n)
        sm_result_dim(out, "The profile has no steps: no phase \"Step:ModeKeys.MODE\".");
    else if (!list->first)
        sm_result_dim(out, "No step takes longer than the mean and %g standard deviations.",
                      stddev);
    return true;
}

static const struct sm_option options[] = {
    SM_PROFILE_WINDOW_OPTIONS,
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
        "step:int?,start_ns:int,duration_ns:int,times:num}]",
    .run = run_steps,
};
