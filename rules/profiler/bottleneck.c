/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/profiler/bottleneck.h"

#include "reader/base/grow.h"
#include "rules/profiler/breakdown.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What was sampled at one time. */
struct tick {
    int64_t ns;
    uint32_t gpus, cores, node;
};
struct ticks {
    struct tick *items;
    size_t n, cap;
    struct sm_map places; /* of ticks of the store in items */
};

static struct tick *tick_of(struct ticks *t, const struct sm_metric_store *m, uint32_t id)
{
    uint64_t at;
    if (sm_map_get(&t->places, id, &at))
        return &t->items[at];
    SM_GROW(t->items, t->n, t->cap);
    t->items[t->n] = (struct tick){.ns = m->ticks[id], .node = SM_NAME_NONE};
    if (!sm_map_put(&t->places, id, t->n))
        sm_xalloc(SIZE_MAX); /* no memory: stops the program */
    return &t->items[t->n++];
}

/* Adds the samples of a series in the window. */
static void add_series(struct ticks *t, const struct sm_rule_at *x,
                       const struct sm_metric_series *s, bool gpu, double limit)
{
    const struct sm_metric_store *m = sm_profile_metrics(x->profile);
    size_t to = sm_metric_at(m, s, x->to_ns);
    for (size_t i = sm_metric_at(m, s, x->from_ns); i < to; i++) {
        struct tick *k = tick_of(t, m, s->ticks[i]);
        if (gpu)
            k->gpus += s->values[i] < limit;
        else if (s->values[i] > limit) {
            k->cores++;
            k->node = s->key.node;
        }
    }
}

static int by_time(const void *a, const void *b)
{
    const struct tick *x = a, *y = b;
    return (x->ns > y->ns) - (x->ns < y->ns);
}

static void read_window(struct ticks *t, const struct sm_rule_at *x,
                        const struct sm_bottleneck_how *how)
{
    const struct sm_metric_store *m = sm_profile_metrics(x->profile);
    for (size_t i = 0; i < m->n_series; i++) {
        const struct sm_metric_series *s = &m->series[i];
        if (sm_series_is_device(m, s, SM_SERIES_GPU))
            add_series(t, x, s, true, x->p[how->gpu].number);
        else if (sm_series_is_device(m, s, how->dimension))
            add_series(t, x, s, false, x->p[how->cores].number);
    }
    if (t->n)
        qsort(t->items, t->n, sizeof *t->items, by_time);
}

/* ---- snapshots ---- */

static void begin_snapshot(struct sm_bottleneck *b, int64_t ns)
{
    b->begun = true;
    b->found = false;
    b->begin_ns = ns;
    b->gpus = b->cores = 0;
    b->snapshots++;
}

static void remember_node(struct sm_bottleneck *b, const struct sm_metric_store *m, uint32_t node)
{
    if (!b->nodes)
        b->nodes = sm_names_new();
    if (b->nodes && node != SM_NAME_NONE)
        sm_names_add(b->nodes, sm_metric_name(m, node), strlen(sm_metric_name(m, node)));
}

static void add_tick(struct sm_bottleneck *b, const struct sm_metric_store *m, const struct tick *t)
{
    if (!b->begun || t->ns - b->begin_ns > SM_BOTTLENECK_NS)
        begin_snapshot(b, t->ns);
    b->low += !b->gpus && t->gpus;
    b->gpus += t->gpus;
    b->cores += t->cores;
    if (!b->gpus || !b->cores)
        return;
    remember_node(b, m, t->node);
    if (!b->found) {
        SM_GROW(b->items, b->n, b->cap);
        b->n++;
    }
    b->found = true;
    b->items[b->n - 1] = (struct sm_bottleneck_found){b->begin_ns, b->gpus, b->cores};
}

static void note(struct sm_rule_at *x, const struct sm_bottleneck_how *how,
                 const struct sm_bottleneck *b)
{
    struct sm_str nodes = {0};
    double share = 100 * (double)b->n / (double)b->snapshots;
    uint32_t n = b->nodes ? sm_names_count(b->nodes) : 0;
    for (uint32_t i = 0; i < n; i++)
        sm_str_printf(&nodes, "%s%s", i ? ", " : "; nodes ", sm_names_text(b->nodes, i));
    x->node = n == 1 ? sm_names_text(b->nodes, 0) : NULL;
    sm_rule_note(x, NULL, share, x->p[how->threshold].number, true,
                 "at %zu of %llu times (%.4g %% > %g %%) a GPU was below %g %% and %s of a core "
                 "above %g %%%s",
                 b->n, (unsigned long long)b->snapshots, share, x->p[how->threshold].number,
                 x->p[how->gpu].number, how->what, x->p[how->cores].number,
                 n > 1 ? sm_str_text(&nodes) : "");
    sm_str_clear(&nodes);
}

void sm_bottleneck_judge(struct sm_rule_at *x, const struct sm_bottleneck_how *how)
{
    struct sm_bottleneck *b = x->state;
    struct ticks t = {0};
    size_t before = b->n;
    read_window(&t, x, how);
    for (size_t i = 0; i < t.n; i++)
        add_tick(b, sm_profile_metrics(x->profile), &t.items[i]);
    bool fires = (double)b->snapshots > x->p[how->patience].number &&
                 100 * (double)b->n / (double)b->snapshots > x->p[how->threshold].number;
    sm_rule_window_count(x, b->snapshots, b->n - before, fires);
    b->fired = b->fired || fires;
    if (fires)
        note(x, how, b);
    sm_map_clear(&t.places);
    sm_free(t.items);
}

/* ---- details ---- */

/* How many bottlenecks are strictly within an event. */
static double within(const struct sm_bottleneck *b, const struct sm_profile_event *e)
{
    size_t from = 0, to = b->n, end;
    for (size_t high = b->n; from < high;) {
        size_t mid = (from + high) / 2;
        if (b->items[mid].ns > e->start_ns)
            high = mid;
        else
            from = mid + 1;
    }
    for (end = from; end < to;) {
        size_t mid = (end + to) / 2;
        if (b->items[mid].ns < sm_event_end(e))
            end = mid + 1;
        else
            to = mid;
    }
    return (double)(end - from);
}

static void breakdown_json(const struct sm_bottleneck *b, const struct sm_profile *p,
                           struct sm_json_writer *w)
{
    const struct sm_event_store *x = sm_profile_events(p);
    struct sm_breakdown sums = {0};
    struct sm_event_walk walk = {.from_ns = INT64_MIN, .to_ns = INT64_MAX};
    for (const struct sm_profile_event *e; (e = sm_event_next(x, &walk));) {
        double times = within(b, e);
        if (times > 0)
            sm_breakdown_add(&sums, x, e, times);
    }
    sm_breakdown_json(&sums, x, true, w);
    sm_breakdown_clear(&sums);
}

void sm_bottleneck_details(const struct sm_rule_instance *i, const struct sm_profile *p,
                           struct sm_json_writer *w)
{
    const struct sm_bottleneck *b = sm_rule_state(i);
    sm_json_start_map(w);
    sm_json_key(w, "bottlenecks");
    sm_json_start_map(w);
    for (size_t k = 0; b && k < b->n; k++) {
        struct sm_str key = {0};
        sm_str_printf(&key, "%lld.%06lld", (long long)(b->items[k].ns / 1000000000),
                      (long long)(b->items[k].ns % 1000000000 / 1000));
        sm_json_key(w, sm_str_text(&key));
        sm_json_start_map(w);
        sm_profiler_count(w, "GPUs", b->items[k].gpus);
        sm_profiler_count(w, "CPUs", b->items[k].cores);
        sm_json_end_map(w);
        sm_str_clear(&key);
    }
    sm_json_end_map(w);
    sm_profiler_count(w, "low_gpu_utilization", b ? b->low : 0);
    if (b && b->fired)
        breakdown_json(b, p, w);
    sm_json_end_map(w);
}

void sm_bottleneck_clear(void *state)
{
    struct sm_bottleneck *b = state;
    sm_names_free(b->nodes);
    sm_free(b->items);
}
