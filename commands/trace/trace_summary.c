/* SPDX-License-Identifier: Apache-2.0 */
/* What traces say at a glance: the verdict, where the time of GPUs goes, the steps. */
#include "commands/trace/trace_tables.h"
#include "commands/verdict/session_verdict.h"
#include "reader/trial.h"

bool sm_trace_is_asked(const struct sm_call *c)
{
    return sm_trial_traces(sm_session_trial(c->session)) != NULL;
}

static void add_duration(struct sm_result *out, struct sm_node *map, const char *key, bool known,
                         double ns)
{
    sm_node_int_or_null(out, map, key, known, (int64_t)(ns + 0.5));
}

/* Durations of the steps of all traces, as of a profile. */
static void add_steps(struct sm_result *out, struct sm_node *map, const struct sm_traces *t,
                      struct sm_spread *s)
{
    struct sm_node *steps = sm_node_map(out, map, "steps");
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        n += t->views[i].n_steps;
    int64_t *ns = sm_arena_xalloc(&out->arena, (n + 1) * sizeof *ns);
    n = 0;
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0; k < t->views[i].n_steps; k++)
            ns[n++] = t->views[i].steps[k].end_ns - t->views[i].steps[k].start_ns;
    sm_spread_of(ns, n, s);
    sm_node_uint(out, steps, "count", n);
    add_duration(out, steps, "mean", n, s->mean);
    add_duration(out, steps, "p50", n, s->q50);
    add_duration(out, steps, "p95", n, n ? sm_spread_quantile(ns, n, 0.95) : 0);
    add_duration(out, steps, "p99", n, n ? sm_spread_quantile(ns, n, 0.99) : 0);
    sm_node_int_or_null(out, steps, "max", n, s->max);
    sm_node_text(out, steps, "mode", NULL);
}

static uint64_t add_ranks(struct sm_result *out, struct sm_node *map, const struct sm_traces *t)
{
    struct sm_node *nodes = sm_node_list(out, map, "nodes"), *ranks;
    uint64_t events = 0;
    for (size_t i = 0; i < t->n; i++)
        if (!i || t->items[i]->rank != t->items[i - 1]->rank)
            sm_node_text(out, nodes, NULL, t->items[i]->worker);
    ranks = sm_node_list(out, map, "ranks");
    for (size_t i = 0; i < t->n; i++) {
        events += t->views[i].trace->n;
        if (!i || t->items[i]->rank != t->items[i - 1]->rank)
            sm_node_int(out, ranks, NULL, t->items[i]->rank);
    }
    return events;
}

/* "8 ranks, 20,832 events, 160 steps (100 to 119), half of them within 13.8 ms; NVIDIA H100." */
static void add_headline(struct sm_result *out, const struct sm_traces *t, uint64_t events,
                         const struct sm_spread *s)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    size_t ranks = 0;
    const char *device = NULL;
    char count[32], step[16];
    struct sm_str text = {0};
    for (size_t i = 0; i < t->n; i++) {
        const struct sm_trace_view *v = &t->views[i];
        ranks += !i || t->items[i]->rank != t->items[i - 1]->rank;
        device = device ? device : v->trace->device;
        for (size_t k = 0; k < v->n_steps; k++) {
            first = v->steps[k].number < first ? v->steps[k].number : first;
            last = v->steps[k].number > last ? v->steps[k].number : last;
        }
    }
    sm_format_count(events, count);
    sm_format_nanoseconds(s->q50, step);
    sm_str_printf(&text, "%zu rank%s, %s events, ", ranks, ranks == 1 ? "" : "s", count);
    if (s->n)
        sm_str_printf(&text, "%zu steps (%lld to %lld), half of them within %s", s->n,
                      (long long)first, (long long)last, step);
    else
        sm_str_add(&text, "no steps");
    if (device)
        sm_str_printf(&text, "; %.80s", device);
    sm_result_text(out, "%s.", sm_result_escape(out, text.data, text.len));
    sm_str_clear(&text);
}

static void print(struct sm_result *out, const struct sm_node *map)
{
    struct sm_trace_columns x = sm_trace_temporal_columns();
    const struct sm_node *list = sm_node_get(map, "temporal");
    if (list->first)
        sm_result_table(out, list, x.columns, x.n);
    x = sm_trace_kernel_type_columns();
    list = sm_node_get(map, "kernel_types");
    if (list->first)
        sm_result_table(out, list, x.columns, x.n);
    else
        sm_result_dim(out, "The traces have no work of GPUs; \"profile ops\" shows the operators.");
}

bool sm_trace_run_summary(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_traces *t = sm_traces_ask(c, err);
    const struct sm_speed *v = t ? sm_session_speed(c->session, c->session->current) : NULL;
    struct sm_spread steps;
    if (!t)
        return false;
    if (!v)
        return sm_err_set(err, SM_ERR_MEMORY, "No memory for the verdict of the traces.");
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    int64_t world = sm_trace_set_world(t->set);
    sm_node_text(out, map, "verdict", v->cause->id);
    sm_node_int_or_null(out, map, "since", v->since_step >= 0, v->since_step);
    sm_speed_add_evidence(out, map, v);
    add_steps(out, map, t, &steps);
    uint64_t events = add_ranks(out, map, t);
    sm_node_list(out, map, "metrics");
    struct sm_node *temporal = sm_node_list(out, map, "temporal");
    sm_trace_add_temporal(out, temporal, t);
    sm_trace_add_overlap(out, sm_node_list(out, map, "overlap"), t);
    sm_trace_add_kernel_types(out, sm_node_list(out, map, "kernel_types"), t);
    sm_node_int_or_null(out, map, "world_size", world > 0, world);
    sm_node_uint(out, map, "trace_events", events);
    sm_speed_add_rest(out, map, v);
    sm_speed_print(out, v);
    add_headline(out, t, events, &steps);
    print(out, map);
    sm_trace_remarks(out, t);
    struct sm_trace_columns x = sm_trace_temporal_columns();
    out->root = map;
    out->rows = temporal;
    out->columns = x.columns;
    out->n_columns = x.n;
    return true;
}
