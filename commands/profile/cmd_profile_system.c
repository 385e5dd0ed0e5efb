/* SPDX-License-Identifier: Apache-2.0 */
/* profile system: the use of each node over time. */
#include "commands/profile/profile_commands.h"
#include "commands/profile/profile_window.h"
#include "reader/profile/buckets.h"

#include <math.h>

enum { NODES_MOST = 4096, BUCKETS = 60, BUCKETS_MOST = 100000 };

static const struct sm_column columns[] = {
    {.key = "node", .header = "NODE"},
    {.key = "metric", .header = "METRIC"},
    {.key = "unit", .header = "UNIT"},
    {.key = "now", .header = "NOW", .format = SM_COL_NUMBER},
    {.key = "mean", .header = "MEAN", .format = SM_COL_NUMBER},
    {.key = "p95", .header = "P95", .format = SM_COL_NUMBER},
    {.key = "max", .header = "MAX", .format = SM_COL_NUMBER},
    {.key = "values", .header = "OVER TIME", .format = SM_COL_SPARK},
};

static void add_values(struct sm_result *out, struct sm_node *row, const struct sm_buckets *b,
                       const struct sm_metric_store *m, uint32_t node, enum sm_usage u)
{
    double *means = sm_arena_xalloc(&out->arena, b->n * sizeof *means);
    sm_buckets_usage(b, m, node, u, means);
    sm_node_int(out, row, "from_ns", b->from_ns);
    sm_node_int(out, row, "width_ns", b->width_ns);
    struct sm_node *list = sm_node_list(out, row, "values");
    for (size_t i = 0; i < b->n; i++)
        if (isnan(means[i]))
            sm_node_null(out, list, NULL);
        else
            sm_node_double(out, list, NULL, means[i], false);
}

static bool add_row(struct sm_result *out, struct sm_node *list, const struct sm_metric_store *m,
                    uint32_t node, enum sm_usage u, const struct sm_profile_window *w,
                    const struct sm_buckets *b)
{
    struct sm_usage_values v;
    struct sm_metric_stats stats;
    if (!sm_usage_read(m, node, u, w->held_ns, w->to_ns, &v))
        return false;
    if (v.n) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "node", sm_metric_name(m, node));
        sm_node_text(out, row, "metric", sm_usage_name(u));
        sm_node_text(out, row, "unit", sm_usage_unit(u));
        sm_node_measure(out, row, "now", v.values[v.n - 1], sm_usage_is_bytes(u));
        add_values(out, row, b, m, node, u);
        if (!sm_metric_stats_of_values(v.values, v.n, &stats)) {
            sm_usage_clear(&v);
            return false;
        }
        sm_node_measure(out, row, "mean", stats.mean, sm_usage_is_bytes(u));
        sm_node_measure(out, row, "p95", stats.q[SM_STATS_P95], sm_usage_is_bytes(u));
        sm_node_measure(out, row, "max", stats.max, sm_usage_is_bytes(u));
    }
    sm_usage_clear(&v);
    return true;
}

static bool run_system(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_profile *p = sm_profile_ask(c, err);
    const struct sm_word *n_word = sm_call_option(c, "buckets");
    struct sm_profile_window w;
    int64_t n = BUCKETS;
    if (!p || !sm_profile_window(c, p, &w, err) ||
        (n_word && !sm_call_int(n_word, 1, BUCKETS_MOST, &n, err)))
        return false;
    const struct sm_metric_store *m = sm_profile_metrics(p);
    struct sm_buckets b = sm_buckets_of(m, w.from_ns, w.to_ns - 1, (size_t)n);
    uint32_t *nodes = sm_arena_xalloc(&out->arena, NODES_MOST * sizeof *nodes);
    size_t n_nodes = sm_usage_nodes(m, nodes, NODES_MOST);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < n_nodes; i++)
        for (int u = 0; u < SM_USAGES && sm_profile_window_has(&w, sm_metric_name(m, nodes[i]));
             u++)
            if (!add_row(out, list, m, nodes[i], (enum sm_usage)u, &w, &b))
                return sm_err_set(err, SM_ERR_MEMORY, "No memory for the values of the metrics.");
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    sm_profile_remarks(out, p);
    return true;
}

static const struct sm_option options[] = {
    SM_PROFILE_WINDOW_OPTIONS,
    {.name = "buckets",
     .kind = SM_ARG_NUMBER,
     .value = "N",
     .help = "cut the time into N parts (60)",
     .initial = "60"},
    {0},
};
const struct sm_cmd sm_cmd_profile_system = {
    .parent = "profile",
    .name = "system",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show the use of CPU, GPU, memory and network over time",
    .help = "`values` are the means of equal parts of the time. A value holds until the next, at "
            "most for 2.5 intervals; then\nit is null. "
            "`now` is the last value.",
    .example = "profile system -last 10m",
    .see_also = "profile summary, profile heat",
    .options = options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{node:name,metric:text,unit:text,now:num,from_ns:int,width_ns:int,values:[num?],"
              "mean:num,p95:num,max:num}]",
    .run = run_system,
};
