/* SPDX-License-Identifier: Apache-2.0 */
/* profile summary: the use of the machines, and all metrics. */
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/profile/machine_events.h"
#include "commands/profile/profile_ask.h"
#include "commands/profile/profile_commands.h"
#include "commands/profile/profile_rows.h"
#include "commands/trace/trace_tables.h"
#include "commands/verdict/session_verdict.h"
#include "reader/profile/profile_name.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 4096 };

static const struct sm_column usage_columns[] = {
    {.key = "node", .header = "NODE"},
    {.key = "metric", .header = "METRIC"},
    {.key = "unit", .header = "UNIT"},
    {.key = "mean", .header = "MEAN", .format = SM_COL_NUMBER},
    {.key = "p50", .header = "P50", .format = SM_COL_NUMBER},
    {.key = "p90", .header = "P90", .format = SM_COL_NUMBER},
    {.key = "p95", .header = "P95", .format = SM_COL_NUMBER},
    {.key = "p99", .header = "P99", .format = SM_COL_NUMBER},
    {.key = "max", .header = "MAX", .format = SM_COL_NUMBER},
    {.key = "min", .header = "MIN", .format = SM_COL_NUMBER},
};
static const struct sm_column metric_columns[] = {
    {.key = "node"},  {.key = "type"}, {.key = "name"}, {.key = "dimension"}, {.key = "unit"},
    {.key = "count"}, {.key = "min"},  {.key = "mean"}, {.key = "p50"},       {.key = "p90"},
    {.key = "p95"},   {.key = "p99"},  {.key = "max"},
};

static void add_stats(struct sm_result *out, struct sm_node *row, const struct sm_metric_stats *s,
                      bool bytes)
{
    sm_node_uint(out, row, "count", s->count);
    sm_node_measure(out, row, "min", s->min, bytes);
    sm_node_measure(out, row, "mean", s->mean, bytes);
    sm_node_measure(out, row, "p50", s->q[SM_STATS_P50], bytes);
    sm_node_measure(out, row, "p90", s->q[SM_STATS_P90], bytes);
    sm_node_measure(out, row, "p95", s->q[SM_STATS_P95], bytes);
    sm_node_measure(out, row, "p99", s->q[SM_STATS_P99], bytes);
    sm_node_measure(out, row, "max", s->max, bytes);
}

static void add_name(struct sm_result *out, struct sm_node *row, const char *key,
                     const struct sm_names *names, uint32_t id)
{
    sm_node_textn(out, row, key, sm_names_text(names, id), sm_names_length(names, id));
}

/* ---- all metrics ---- */

static int by_key(const void *a, const void *b, void *store)
{
    const struct sm_metric_store *m = store;
    const struct sm_metric_series *x = *(const struct sm_metric_series *const *)a,
                                  *y = *(const struct sm_metric_series *const *)b;
    const uint32_t xs[] = {x->key.node, x->key.type, x->key.dimension, x->key.name},
                   ys[] = {y->key.node, y->key.type, y->key.dimension, y->key.name};
    int order = 0;
    for (int i = 0; i < 4 && !order; i++)
        order = sm_natural_cmp(sm_metric_name(m, xs[i]), sm_metric_name(m, ys[i]));
    return order;
}

static bool add_metric(struct sm_result *out, struct sm_node *list, const struct sm_metric_store *m,
                       const struct sm_metric_series *s)
{
    struct sm_metric_stats stats;
    if (!sm_metric_stats_of(s, 0, s->n, &stats))
        return false;
    struct sm_node *row = sm_node_map(out, list, NULL);
    add_name(out, row, "node", m->names, s->key.node);
    add_name(out, row, "type", m->names, s->key.type);
    add_name(out, row, "name", m->names, s->key.name);
    add_name(out, row, "dimension", m->names, s->key.dimension);
    sm_node_text(out, row, "unit", sm_metric_unit(m, s));
    add_stats(out, row, &stats, false);
    return true;
}

static bool add_metrics(struct sm_result *out, struct sm_node *list,
                        const struct sm_metric_store *m)
{
    const struct sm_metric_series **order =
        sm_arena_xalloc(&out->arena, (m->n_series + 1) * sizeof *order);
    size_t n = 0;
    for (size_t i = 0; i < m->n_series; i++)
        if (m->series[i].key.name != SM_NAME_NONE && m->series[i].n)
            order[n++] = &m->series[i];
    if (n)
        qsort_r(order, n, sizeof *order, by_key, (void *)(uintptr_t)m);
    for (size_t i = 0; i < n; i++)
        if (!add_metric(out, list, m, order[i]))
            return false;
    return true;
}

/* ---- the use of each node ---- */

struct sm_profile_columns sm_profile_usage_columns(void)
{
    return (struct sm_profile_columns){usage_columns, sizeof usage_columns / sizeof *usage_columns};
}

bool sm_profile_usage_row(struct sm_result *out, struct sm_node *list,
                          const struct sm_metric_store *m, uint32_t node, enum sm_usage u)
{
    struct sm_metric_stats stats;
    if (!sm_usage_stats(m, node, u, &stats))
        return false;
    if (stats.count) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        add_name(out, row, "node", m->names, node);
        sm_node_text(out, row, "metric", sm_usage_name(u));
        sm_node_text(out, row, "unit", sm_usage_unit(u));
        add_stats(out, row, &stats, sm_usage_is_bytes(u));
        sm_node_uint(out, row, "members", sm_usage_members(m, node, u));
    }
    return true;
}

static bool add_usages(struct sm_result *out, struct sm_node *list, const struct sm_metric_store *m)
{
    uint32_t *nodes = sm_arena_xalloc(&out->arena, NODES_MAX * sizeof *nodes);
    size_t n = sm_usage_nodes(m, nodes, NODES_MAX);
    for (size_t i = 0; i < n; i++)
        for (int u = 0; u < SM_USAGES; u++)
            if (!sm_profile_usage_row(out, list, m, nodes[i], (enum sm_usage)u))
                return false;
    return true;
}

/* ---- the rest ---- */

static bool add_steps(struct sm_result *out, struct sm_node *map, const struct sm_profile *p)
{
    enum sm_mode mode = sm_profile_main_mode(p);
    struct sm_metric_stats s;
    double *durations;
    size_t n;
    bool ok = sm_profile_step_durations(p, mode, &durations, &n) &&
              sm_metric_stats_of_values(durations, n, &s);
    struct sm_node *steps = sm_node_map(out, map, "steps");
    sm_free(durations);
    if (!ok)
        return false;
    sm_node_uint(out, steps, "count", n);
    sm_profile_node_duration(out, steps, "mean", s.mean);
    sm_profile_node_duration(out, steps, "p50", s.q[SM_STATS_P50]);
    sm_profile_node_duration(out, steps, "p95", s.q[SM_STATS_P95]);
    sm_profile_node_duration(out, steps, "p99", s.q[SM_STATS_P99]);
    sm_profile_node_duration(out, steps, "max", s.max);
    sm_node_text(out, steps, "mode", n ? sm_mode_name(mode) : NULL);
    return true;
}

static void add_nodes(struct sm_result *out, struct sm_node *map, const struct sm_profile *p)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    uint32_t *ids = sm_arena_xalloc(&out->arena, NODES_MAX * sizeof *ids);
    size_t n = sm_usage_nodes(m, ids, NODES_MAX);
    struct sm_node *nodes = sm_node_list(out, map, "nodes");
    for (size_t i = 0; i < n; i++)
        sm_node_text(out, nodes, NULL, sm_metric_name(m, ids[i]));
    for (size_t i = 0; i < sm_profile_node_count(p); i++) {
        const char *name = sm_profile_node(p, i);
        bool known = false;
        for (size_t k = 0; k < n && !known; k++)
            known = sm_profile_same_node(sm_metric_name(m, ids[k]), name);
        if (!known)
            sm_node_text(out, nodes, NULL, name);
    }
}

/* "3m12s on 2 nodes, 40 TRAIN steps of 150 ms" */
static void add_headline(struct sm_result *out, const struct sm_profile *p,
                         const struct sm_node *map)
{
    int64_t from = 0, to = 0;
    char span[16] = "0 s", step[16];
    const struct sm_node *steps = sm_node_get(map, "steps"), *p50 = sm_node_get(steps, "p50");
    size_t nodes = 0;
    for (const struct sm_node *v = sm_node_get(map, "nodes")->first; v; v = v->next)
        nodes++;
    if (sm_profile_span(p, &from, &to))
        sm_format_nanoseconds((double)to - (double)from, span);
    if (p50->type != SM_NODE_INT) {
        sm_result_text(out, "%s, %zu node%s, no steps.", span, nodes, nodes == 1 ? "" : "s");
        return;
    }
    sm_format_nanoseconds((double)p50->i, step);
    sm_result_text(out, "%s, %zu node%s, %llu %s steps, half of them within %s.", span, nodes,
                   nodes == 1 ? "" : "s", (unsigned long long)sm_node_get(steps, "count")->u,
                   sm_mode_name(sm_profile_main_mode(p)), step);
}

static bool run_summary(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    if (sm_trace_is_asked(c))
        return sm_trace_run_summary(c, out, err);
    const struct sm_profile *p = sm_profile_ask(c, err);
    if (!p)
        return false;
    const struct sm_speed *v = sm_session_speed(c->session, c->session->current);
    if (!v)
        return sm_err_set(err, SM_ERR_MEMORY, "No memory for the verdict of the profile.");
    const struct sm_metric_store *m = sm_profile_metrics(p);
    bool text = c->output == SM_OUTPUT_TEXT && !c->fields, ok;
    struct sm_node *map = sm_node_map(out, NULL, NULL), *metrics, *usage;
    sm_node_text(out, map, "verdict", v->cause->id);
    sm_node_int_or_null(out, map, "since", v->since_step >= 0, v->since_step);
    sm_speed_add_evidence(out, map, v);
    ok = add_steps(out, map, p);
    add_nodes(out, map, p);
    metrics = sm_node_list(out, map, "metrics");
    ok = ok && (text || add_metrics(out, metrics, m));
    usage = sm_node_list(out, map, "usage");
    if (!ok || !add_usages(out, usage, m))
        return sm_err_set(err, SM_ERR_MEMORY, "No memory for the figures of the profile.");
    sm_speed_add_rest(out, map, v);
    sm_speed_print(out, v);
    add_headline(out, p, map);
    if (usage->first)
        sm_result_table(out, usage, usage_columns, sizeof usage_columns / sizeof *usage_columns);
    sm_machine_events_add(out, map, p);
    sm_profile_remarks(out, p);
    out->root = map;
    out->rows = metrics;
    out->columns = metric_columns;
    out->n_columns = sizeof metric_columns / sizeof *metric_columns;
    return true;
}

static const struct sm_option options[] = {SM_TRACE_OPTIONS, {0}};
const struct sm_cmd sm_cmd_profile_summary = {
    .parent = "profile",
    .name = "summary",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show the use of CPU, GPU, memory, disks and network of each node",
    .help =
        "Text has one line for each node and kind of use: CPU and GPU are means over the cores "
        "and GPUs at each\ntime, Network is received and sent by the training, Disks are read and "
        "written by all programs. Of profiles\nthat \"sample\" recorded, too: the program (100 % "
        "is "
        "one core) and its memory; in how much of the time some\nprogram waited for a core, a disk "
        "or memory; in how many of the scheduler's periods the CPU limit stopped it,\nand how much "
        "of "
        "the memory limit is used. K is 1024 bytes. Below are events: errors of a GPU's driver\n"
        "(XidError), processes that were killed for lack of memory (OomKills), reasons for which a "
        "GPU ran slower.\nJSON and CSV have every metric. The times of steps are nanoseconds. The "
        "first "
        "lines say what holds the run up,\nsince when, and what can be tried (doc/verdict.md).",
    .example = "profile summary",
    .see_also = "profile system, profile phases, profile steps, info profiler",
    .options = options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{verdict:text,since:int?," SM_SHAPE_SPEED_EVIDENCE
              ",steps:{count:int,mean:int?,p50:int?,p95:int?,p99:int?,max:int?,mode:mode?},nodes:["
              "name],metrics:[{*:num}]," SM_SHAPE_TRACE_SUMMARY "," SM_SHAPE_SPEED_REST
              "}|{verdict:text,since:int?," SM_SHAPE_SPEED_EVIDENCE
              ",steps:{count:int,mean:int?,p50:int?,p95:"
              "int?,p99:int?,max:int?,mode:mode?},nodes:[name],metrics:[{node:name,type:name,name:"
              "name,dimension:name,unit:text,count:int,min:num,mean:num,p50:num,p90:num,p95:num,"
              "p99:num,max:num}],usage:[{node:name,metric:text,unit:text,count:int,min:num,mean:"
              "num,p50:num,p90:num,p95:num,p99:num,max:num,members:int}]," SM_SHAPE_SPEED_REST
              "," SM_SHAPE_MACHINE_EVENTS "}",
    .run = run_summary,
};
