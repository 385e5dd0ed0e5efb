/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/trace_write.h"

#include "commands/profile/trace_lanes.h"
#include "commands/profile/trace_order.h"
#include "reader/base/json.h"
#include "reader/base/mem.h"

#include <inttypes.h>
#include <string.h>

enum { FLUSH_BYTES = 1 << 20, NODES_MOST = 4096, LANE_TID = 0x40000000 };

enum stage { BEGIN, COLLECT, EVENTS, COUNTERS, END, OVER };
/* A phase of a node is a process of the trace, numbered from 1; 0 is that of the machines. */
struct sm_trace_writer {
    FILE *f;
    const struct sm_profile *p; /* of this turn */
    struct sm_profile_window w;
    enum stage stage;
    struct sm_str text;
    struct sm_map processes; /* of node and phase */
    uint32_t n_processes;
    struct sm_trace_lanes lanes;
    struct sm_event_walk walk;
    struct sm_trace_order events; /* of the window */
    uint32_t nodes[NODES_MOST];   /* of the counters */
    size_t n_nodes, node;
    int usage;                     /* of the node: the next one, or that of the values */
    struct sm_usage_values values; /* their samples */
    size_t value;
    int64_t base_ns;
    bool failed; /* of the file */
    struct sm_trace_written done;
};

static void flush(struct sm_trace_writer *w, size_t least)
{
    if (w->text.len < least || !w->text.len)
        return;
    w->failed = w->failed || fwrite(w->text.data, 1, w->text.len, w->f) != w->text.len;
    w->done.bytes += w->text.len;
    sm_str_truncate(&w->text, 0);
}

static void add_text(struct sm_trace_writer *w, const char *p, size_t n)
{
    struct sm_json_writer *json = sm_json_writer_new(&w->text);
    sm_json_text(json, p, n);
    sm_json_writer_free(json);
}

/* Microseconds with the digits that are there. */
static void add_us(struct sm_trace_writer *w, const char *key, int64_t ns)
{
    int64_t us = ns / 1000, rest = ns % 1000;
    sm_str_printf(&w->text, ",\"%s\":%s%" PRId64, key, ns < 0 && us == 0 ? "-" : "", us);
    if (rest)
        sm_str_printf(&w->text, ".%03" PRId64, rest < 0 ? -rest : rest);
}

static void add_process(struct sm_trace_writer *w, uint32_t pid, const char *name, size_t n,
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

static uint32_t process_of(struct sm_trace_writer *w, const struct sm_profile_event *e)
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
static uint32_t thread_of(struct sm_trace_writer *w, const struct sm_profile_event *e, uint32_t pid)
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

static void add_event(struct sm_trace_writer *w, const struct sm_profile_event *e)
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
    w->done.events++;
}

static bool is_shown(const struct sm_trace_writer *w, const struct sm_profile_event *e)
{
    return e->node < sm_profile_node_count(w->p) &&
           sm_profile_window_has(&w->w, sm_profile_node(w->p, e->node));
}

/* False: they are complete. */
static bool collect_one(struct sm_trace_writer *w, bool *ok)
{
    const struct sm_event_store *x = sm_profile_events(w->p);
    const struct sm_profile_event *e = sm_event_next(x, &w->walk);
    if (e && is_shown(w, e))
        *ok = sm_trace_order_add(&w->events, x, sm_event_number(&w->walk));
    return e;
}

static bool write_one(struct sm_trace_writer *w)
{
    const struct sm_profile_event *e = sm_trace_order_take(&w->events, sm_profile_events(w->p));
    if (e)
        add_event(w, e);
    return e;
}

/* ---- counters ---- */

static void add_sample(struct sm_trace_writer *w)
{
    enum sm_usage u = (enum sm_usage)w->usage;
    char number[32];
    sm_str_printf(&w->text, ",\n{\"name\":\"%s %s\",\"ph\":\"C\",\"pid\":%u", sm_usage_name(u),
                  sm_usage_unit(u), w->n_processes);
    add_us(w, "ts", w->values.ns[w->value] - w->base_ns);
    sm_format_shortest(w->values.values[w->value], false, number);
    sm_str_printf(&w->text, ",\"args\":{\"value\":%s}}", number);
    w->value++;
    w->done.samples++;
}

/* The samples of the next use of the node; each node is a process. */
static bool read_usage(struct sm_trace_writer *w)
{
    static const char system[] = "system";
    const struct sm_metric_store *m = sm_profile_metrics(w->p);
    const char *node = sm_metric_name(m, w->nodes[w->node]);
    w->value = 0;
    sm_usage_clear(&w->values);
    if (++w->usage == SM_USAGES || !sm_profile_window_has(&w->w, node)) {
        w->usage = -1;
        w->node++;
        return true;
    }
    if (w->usage == 0)
        add_process(w, ++w->n_processes, system, sizeof system - 1, node);
    return sm_usage_read(m, w->nodes[w->node], (enum sm_usage)w->usage, w->w.held_ns, w->w.to_ns,
                         &w->values);
}

static bool sample_one(struct sm_trace_writer *w, bool *ok)
{
    if (w->value < w->values.n)
        add_sample(w);
    else if (w->node < w->n_nodes)
        *ok = read_usage(w);
    else
        return false;
    return true;
}

/* ---- parts ---- */

/* Times are relative to the first whole second: viewers keep them in doubles. */
static void begin(struct sm_trace_writer *w)
{
    w->base_ns = w->w.held_ns - w->w.held_ns % 1000000000;
    w->n_nodes = sm_usage_nodes(sm_profile_metrics(w->p), w->nodes, NODES_MOST);
    sm_str_printf(&w->text,
                  "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{"
                  "\"start_time_since_epoch_in_micros\":%" PRId64 "}}",
                  w->base_ns / 1000);
}

/* Does a piece of the stage. False: it is over. */
static bool do_one(struct sm_trace_writer *w, bool *ok)
{
    switch (w->stage) {
    case BEGIN:
        begin(w);
        return false;
    case COLLECT:
        return collect_one(w, ok);
    case EVENTS:
        return write_one(w);
    case COUNTERS:
        return sample_one(w, ok);
    default:
        sm_str_add(&w->text, "\n]\n");
        return false;
    }
}

enum sm_trace_state sm_trace_writer_go(struct sm_trace_writer *w, const struct sm_profile *p,
                                       size_t work, struct sm_err *err)
{
    bool ok = true;
    w->p = p;
    for (; work && ok && !w->failed && w->stage < OVER; work--) {
        w->stage += !do_one(w, &ok);
        flush(w, w->stage == OVER ? 0 : FLUSH_BYTES);
    }
    w->p = NULL;
    if (w->failed) {
        sm_err_errno(err, "the trace");
        return SM_TRACE_FAILED;
    }
    if (!ok || w->text.failed) {
        sm_err_set(err, SM_ERR_MEMORY, "No memory for the trace.");
        return SM_TRACE_FAILED;
    }
    return w->stage == OVER ? SM_TRACE_DONE : SM_TRACE_MORE;
}

struct sm_trace_writer *sm_trace_writer_new(FILE *f, const struct sm_profile_window *w)
{
    struct sm_trace_writer *x = sm_alloc_zero(1, sizeof *x);
    if (!x)
        return NULL;
    x->f = f;
    x->w = *w;
    x->usage = -1;
    x->walk = (struct sm_event_walk){.from_ns = w->from_ns, .to_ns = w->to_ns};
    return x;
}

void sm_trace_writer_free(struct sm_trace_writer *w)
{
    if (!w)
        return;
    sm_map_clear(&w->processes);
    sm_trace_lanes_clear(&w->lanes);
    sm_trace_order_clear(&w->events);
    sm_usage_clear(&w->values);
    sm_str_clear(&w->text);
    sm_free(w);
}

const struct sm_trace_written *sm_trace_writer_done(const struct sm_trace_writer *w)
{
    return &w->done;
}
