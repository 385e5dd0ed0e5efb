/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/trace_write.h"

#include "commands/profile/trace_lanes.h"
#include "reader/base/json.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH_BYTES = 1 << 20, NODES_MOST = 4096, LANE_TID = 0x40000000 };

/* A phase of a node is a process of the trace, numbered from 1; 0 is that of the machines. */
struct writer {
    FILE *f;
    const struct sm_profile *p;
    const struct sm_profile_window *w;
    struct sm_str text;
    struct sm_map processes; /* of node and phase */
    uint32_t n_processes;
    struct sm_trace_lanes lanes;
    const struct sm_profile_event **events; /* of the window, in order of start */
    size_t n_events, cap_events;
    int64_t base_ns;
    bool failed; /* of the file */
    struct sm_trace_written *done;
};

static void flush(struct writer *w, size_t least)
{
    if (w->text.len < least || !w->text.len)
        return;
    w->failed = w->failed || fwrite(w->text.data, 1, w->text.len, w->f) != w->text.len;
    w->done->bytes += w->text.len;
    sm_str_truncate(&w->text, 0);
}

static void add_text(struct writer *w, const char *p, size_t n)
{
    struct sm_json_writer *json = sm_json_writer_new(&w->text);
    sm_json_text(json, p, n);
    sm_json_writer_free(json);
}

/* Microseconds with the digits that are there. */
static void add_us(struct writer *w, const char *key, int64_t ns)
{
    int64_t us = ns / 1000, rest = ns % 1000;
    sm_str_printf(&w->text, ",\"%s\":%s%" PRId64, key, ns < 0 && us == 0 ? "-" : "", us);
    if (rest)
        sm_str_printf(&w->text, ".%03" PRId64, rest < 0 ? -rest : rest);
}

static void add_process(struct writer *w, uint32_t pid, const char *name, size_t n,
                        const char *node)
{
    sm_str_printf(&w->text,
                  ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":", pid);
    add_text(w, name, n);
    sm_str_printf(
        &w->text,
        "}},\n{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"labels\":", pid);
    add_text(w, node, strlen(node));
    sm_str_add(&w->text, "}}");
}

static uint32_t process_of(struct writer *w, const struct sm_profile_event *e)
{
    const struct sm_names *names = sm_profile_names(w->p);
    uint64_t key = (uint64_t)e->node << 32 | e->phase, pid;
    if (sm_map_get(&w->processes, key, &pid))
        return (uint32_t)pid;
    w->failed = !sm_map_put(&w->processes, key, ++w->n_processes) || w->failed;
    add_process(w, w->n_processes, sm_names_text(names, e->phase), sm_names_length(names, e->phase),
                sm_profile_node(w->p, e->node));
    return w->n_processes;
}

/* The thread that an event is shown in: its own, or one that is made for those that overlap it. */
static uint32_t thread_of(struct writer *w, const struct sm_profile_event *e, uint32_t pid)
{
    size_t nth;
    uint32_t lane;
    bool is_new;
    if (e->instant)
        return e->pid;
    if (!sm_trace_lane_of(&w->lanes, (uint64_t)pid << 32 | e->pid, e->start_ns, sm_event_end(e),
                          &nth, &lane, &is_new))
        w->failed = true;
    if (w->failed || !nth)
        return e->pid;
    if (is_new)
        sm_str_printf(&w->text,
                      ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{"
                      "\"name\":\"%u (%zu)\"}}",
                      pid, LANE_TID + lane, e->pid, nth + 1);
    return LANE_TID + lane;
}

static void add_event(struct writer *w, const struct sm_profile_event *e)
{
    const struct sm_names *names = sm_profile_names(w->p);
    uint32_t pid = process_of(w, e), tid = thread_of(w, e, pid);
    sm_str_add(&w->text, ",\n{\"name\":");
    add_text(w, sm_names_text(names, e->name), sm_names_length(names, e->name));
    sm_str_printf(&w->text, ",\"ph\":\"%s\",\"pid\":%u,\"tid\":%u",
                  e->instant ? "i\",\"s\":\"p" : "X", pid, tid);
    add_us(w, "ts", e->start_ns - w->base_ns);
    if (!e->instant)
        add_us(w, "dur", e->duration_ns);
    sm_str_add(&w->text, ",\"args\":{");
    if (e->pid)
        sm_str_printf(&w->text, "\"pid\":%u", e->pid);
    if (e->step >= 0)
        sm_str_printf(&w->text, "%s\"step_num\":%d", e->pid ? "," : "", e->step);
    sm_str_add(&w->text, "}}");
    w->done->events++;
}

static bool is_shown(const struct writer *w, const struct sm_profile_event *e)
{
    return e->node < sm_profile_node_count(w->p) &&
           sm_profile_window_has(w->w, sm_profile_node(w->p, e->node));
}

static int by_start(const void *a, const void *b)
{
    const struct sm_profile_event *x = *(const struct sm_profile_event *const *)a,
                                  *y = *(const struct sm_profile_event *const *)b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->duration_ns != y->duration_ns)
        return x->duration_ns > y->duration_ns ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

static bool collect_events(struct writer *w)
{
    struct sm_event_walk walk = {w->w->from_ns, w->w->to_ns, 0, 0};
    const struct sm_profile_event *e;
    while ((e = sm_event_next(sm_profile_events(w->p), &walk)))
        if (is_shown(w, e)) {
            if (!SM_VEC_ROOM(w->events, w->n_events, w->cap_events))
                return false;
            w->events[w->n_events++] = e;
        }
    if (w->n_events)
        qsort(w->events, w->n_events, sizeof(*w->events), by_start);
    return true;
}

static bool add_events(struct writer *w)
{
    bool ok = collect_events(w);
    for (size_t i = 0; ok && !w->failed && i < w->n_events; i++) {
        add_event(w, w->events[i]);
        flush(w, FLUSH_BYTES);
    }
    return ok;
}

/* ---- counters ---- */

static bool add_counter(struct writer *w, uint32_t pid, uint32_t node, enum sm_usage u)
{
    struct sm_usage_values v;
    char number[32];
    if (!sm_usage_read(sm_profile_metrics(w->p), node, u, w->w->from_ns, w->w->to_ns, &v))
        return false;
    for (size_t i = 0; i < v.n; i++) {
        sm_str_printf(&w->text, ",\n{\"name\":\"%s %s\",\"ph\":\"C\",\"pid\":%u", sm_usage_name(u),
                      sm_usage_unit(u), pid);
        add_us(w, "ts", v.ns[i] - w->base_ns);
        sm_format_shortest(v.values[i], false, number);
        sm_str_printf(&w->text, ",\"args\":{\"value\":%s}}", number);
        flush(w, FLUSH_BYTES);
        w->done->samples++;
    }
    sm_usage_clear(&v);
    return true;
}

static bool add_counters(struct writer *w)
{
    static const char system[] = "system";
    const struct sm_metric_store *m = sm_profile_metrics(w->p);
    uint32_t *nodes = sm_alloc(NODES_MOST * sizeof *nodes);
    size_t n = nodes ? sm_usage_nodes(m, nodes, NODES_MOST) : 0;
    bool ok = nodes;
    for (size_t i = 0; ok && i < n; i++) {
        const char *node = sm_metric_name(m, nodes[i]);
        if (!sm_profile_window_has(w->w, node))
            continue;
        add_process(w, ++w->n_processes, system, sizeof system - 1, node);
        for (int u = 0; ok && u < SM_USAGES; u++)
            ok = add_counter(w, w->n_processes, nodes[i], (enum sm_usage)u);
    }
    sm_free(nodes);
    return ok;
}

/* Times are relative to the first whole second: viewers keep them in doubles. */
bool sm_trace_write(FILE *f, const struct sm_profile *p, const struct sm_profile_window *w,
                    struct sm_trace_written *out, struct sm_err *err)
{
    struct writer x = {.f = f, .p = p, .w = w, .done = out};
    *out = (struct sm_trace_written){0};
    x.base_ns = w->from_ns - w->from_ns % 1000000000;
    sm_str_printf(&x.text,
                  "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{"
                  "\"start_time_since_epoch_in_micros\":%" PRId64 "}}",
                  x.base_ns / 1000);
    bool ok = add_events(&x) && add_counters(&x);
    sm_str_add(&x.text, "\n]\n");
    ok = ok && !x.text.failed;
    flush(&x, 0);
    sm_map_clear(&x.processes);
    sm_trace_lanes_clear(&x.lanes);
    sm_free(x.events);
    sm_str_clear(&x.text);
    if (!ok)
        return sm_err_set(err, SM_ERR_MEMORY, "No memory for the trace.");
    return !x.failed || sm_err_errno(err, "the trace");
}
