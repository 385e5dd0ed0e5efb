/* SPDX-License-Identifier: Apache-2.0 */
/* OverallSystemUsage: how much of the machines was used. */
#include "rules/profiler/profiler_data.h"

#include <math.h>

struct state {
    int64_t to_ns;
};

static const struct sm_rule_param params[] = {SM_PROFILER_SCAN, {0}};

static void judge(struct sm_rule_at *x)
{
    struct state *s = x->state;
    s->to_ns = x->to_ns;
    sm_rule_window_count(x, sm_profiler_cpu_points(sm_profile_metrics(x->profile), x->to_ns), 0, 0);
}

static void put(struct sm_json_writer *w, const char *key, double v)
{
    sm_profiler_number(w, key, v > 0 && isfinite(v) ? sm_profiler_two_decimals(v) : 0);
}

static void put_node(const struct sm_metric_store *m, uint32_t node, enum sm_usage u, int64_t to_ns,
                     struct sm_json_writer *w)
{
    struct sm_usage_values v = {0};
    struct sm_metric_stats t;
    if (sm_usage_read(m, node, u, INT64_MIN, to_ns, &v) && v.n &&
        sm_metric_stats_of_values(v.values, v.n, &t)) {
        sm_json_key(w, sm_metric_name(m, node));
        sm_json_start_map(w);
        put(w, "max", t.max);
        put(w, "p99", t.q[SM_STATS_P99]);
        put(w, "p95", t.q[SM_STATS_P95]);
        put(w, "p50", t.q[SM_STATS_P50]);
        put(w, "min", t.min);
        sm_json_end_map(w);
    }
    sm_usage_clear(&v);
}

static void details(const struct sm_rule_instance *i, const struct sm_profile *p,
                    struct sm_json_writer *w)
{
    static const struct {
        enum sm_usage usage;
        const char *key;
    } rows[] = {{SM_USAGE_NETWORK, "Network"},
                {SM_USAGE_GPU, "GPU"},
                {SM_USAGE_CPU, "CPU"},
                {SM_USAGE_MEMORY, "CPU memory"},
                {SM_USAGE_GPU_MEMORY, "GPU memory"},
                {SM_USAGE_IO_WAIT, "I/O"}};
    const struct sm_metric_store *m = sm_profile_metrics(p);
    const struct state *s = sm_rule_state(i);
    uint32_t nodes[256];
    size_t n = sm_usage_nodes(m, nodes, sizeof nodes / sizeof *nodes);
    sm_json_start_map(w);
    for (size_t r = 0; s && r < sizeof rows / sizeof *rows; r++) {
        sm_json_key(w, rows[r].key);
        sm_json_start_map(w);
        for (size_t k = 0; k < n; k++)
            put_node(m, nodes[k], rows[r].usage, s->to_ns, w);
        sm_json_end_map(w);
    }
    sm_json_end_map(w);
}

static bool suits(const struct sm_profile *p)
{
    return sm_profile_metrics(p)->n_samples > 0;
}

const struct sm_rule sm_rule_overall_system_usage = {
    .name = "overall_system_usage",
    .class_name = "OverallSystemUsage",
    .group = SM_RULE_PROFILER,
    .summary = "Statistics of the use of CPU, GPU, memory, I/O and network",
    .fires = "never; it collects figures of each node for the report",
    .advice = "see \"profile rule OverallSystemUsage\"",
    .saves = "system metrics (the profiler)",
    .automatic = "",
    .params = params,
    .state_size = sizeof(struct state),
    .on_windows = true,
    .judge = judge,
    .suits_profile = suits,
    .details = details,
};
