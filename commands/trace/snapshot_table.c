/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of CUDA memory: who held it at its peak, and when it ran out. */
#include "commands/trace/trace_tables.h"
#include "rules/trace/memory_use.h"

#include <string.h>

enum { SHOWN = 8 };

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "device_id", .header = "GPU", .format = SM_COL_NUMBER},
    {.key = "peak_active", .header = "PEAK", .format = SM_COL_BYTES},
    {.key = "peak_reserved", .header = "RESERVED", .format = SM_COL_BYTES},
    {.key = "end_active", .header = "AT THE END", .format = SM_COL_BYTES},
    {.key = "end_fragmentation", .header = "FREE IN SEGMENTS", .format = SM_COL_BYTES},
    {.key = "events", .header = "EVENTS", .format = SM_COL_NUMBER},
};
static const struct sm_column holder_columns[] = {
    {.key = "bytes", .header = "BYTES", .format = SM_COL_BYTES},
    {.key = "blocks", .header = "BLOCKS", .format = SM_COL_NUMBER},
    {.key = "stack", .header = "ALLOCATED AT"},
};

static void add_stack(struct sm_result *out, struct sm_node *row, const struct sm_names *names,
                      uint32_t stack)
{
    if (stack == SM_NAME_NONE)
        sm_node_null(out, row, "stack");
    else
        sm_node_textn(out, row, "stack", sm_names_text(names, stack),
                      sm_names_length(names, stack));
}

static struct sm_node *add_holders(struct sm_result *out, struct sm_node *map, const char *key,
                                   const struct sm_names *names, const struct sm_memory_holder *h,
                                   size_t n)
{
    struct sm_node *list = sm_node_list(out, map, key);
    for (size_t i = 0; i < n; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        add_stack(out, row, names, h[i].stack);
        sm_node_int(out, row, "bytes", h[i].bytes);
        sm_node_int(out, row, "blocks", h[i].blocks);
    }
    return list;
}

static void add_end(struct sm_result *out, struct sm_node *row, const struct sm_memory_end *e)
{
    struct sm_node *end = sm_node_map(out, row, "end");
    sm_node_int(out, end, "allocated", e->allocated);
    sm_node_int(out, end, "active", e->active);
    sm_node_int(out, end, "requested", e->requested);
    sm_node_int(out, end, "reserved", e->reserved);
    sm_node_uint(out, end, "segments", e->segments);
    sm_node_uint(out, end, "blocks", e->blocks);
    sm_node_int(out, end, "largest_free_block", e->largest_free);
    sm_node_int(out, end, "fragmentation", e->reserved - e->active);
}

static void add_oom(struct sm_result *out, struct sm_node *row, const struct sm_memory_snapshot *s,
                    unsigned device)
{
    struct sm_node *list = sm_node_list(out, row, "oom");
    for (size_t i = 0; i < s->n; i++) {
        const struct sm_memory_event *e = &s->events[i];
        if (e->action != SM_MEMORY_OOM || e->device != device)
            continue;
        struct sm_node *at = sm_node_map(out, list, NULL);
        sm_node_int(out, at, "time_us", e->time_us);
        sm_node_int(out, at, "size", e->size);
        sm_node_int(out, at, "device_free", e->device_free);
        add_stack(out, at, s->names, e->stack);
    }
}

/* Tables of the first holders, for people. */
static void print_holders(struct sm_result *out, const char *title, const struct sm_names *names,
                          const struct sm_memory_holder *h, size_t n)
{
    if (!n)
        return;
    struct sm_node *list =
        add_holders(out, sm_node_map(out, NULL, NULL), "rows", names, h, n < SHOWN ? n : SHOWN);
    sm_result_text(out, "%s", title);
    sm_result_table(out, list, holder_columns, sizeof holder_columns / sizeof *holder_columns);
    if (n > SHOWN)
        sm_result_dim(out, "%zu more places; use -json.", n - SHOWN);
}

static void print_oom(struct sm_result *out, const struct sm_memory_snapshot *s,
                      const struct sm_memory_use *u)
{
    const struct sm_memory_event *e = &s->events[u->oom];
    char asked[16], free_bytes[16];
    const char *stack = e->stack == SM_NAME_NONE ? "?" : sm_names_text(s->names, e->stack);
    sm_format_bytes((uint64_t)e->size, asked);
    sm_format_bytes((uint64_t)(e->device_free > 0 ? e->device_free : 0), free_bytes);
    struct sm_str title = {0};
    sm_str_printf(&title, "Out of memory: %s asked for %s, %s were free. Held then:",
                  sm_result_escape(out, stack, strlen(stack)), asked, free_bytes);
    print_holders(out, sm_str_text(&title), s->names, u->at_oom, u->n_at_oom);
    sm_str_clear(&title);
}

/* The times between which growth is wanted; equal: none is. */
struct between {
    int64_t from_us, to_us;
};

static void add_device(struct sm_result *out, struct sm_node *list, const struct sm_trace_item *x,
                       unsigned device, const struct between *w)
{
    const struct sm_memory_snapshot *s = &x->snapshot;
    const struct sm_memory_end *end = &s->ends[device];
    struct sm_memory_use u;
    sm_memory_use_find(s, device, w->from_us, w->to_us, &u);
    if (u.events || end->segments) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_int(out, row, "rank", x->rank);
        sm_node_int_or_null(out, row, "step", x->step >= 0, x->step);
        sm_node_uint(out, row, "device_id", device);
        sm_node_uint(out, row, "events", u.events + s->others[device]);
        sm_node_int(out, row, "peak_active", u.peak_active);
        sm_node_int_or_null(out, row, "peak_time_us", u.n_at_peak, u.peak_us);
        sm_node_int(out, row, "peak_allocated", u.peak_allocated);
        sm_node_int(out, row, "peak_reserved", u.peak_reserved);
        add_holders(out, row, "top_at_peak", s->names, u.at_peak, u.n_at_peak);
        add_end(out, row, end);
        add_oom(out, row, s, device);
        add_holders(out, row, "top_at_oom", s->names, u.at_oom, u.n_at_oom);
        if (w->from_us < w->to_us)
            add_holders(out, row, "growth", s->names, u.grown, u.n_grown);
        sm_node_text(out, row, "trace", x->path);
        sm_node_int(out, row, "end_active", end->active);
        sm_node_int(out, row, "end_fragmentation", end->reserved - end->active);
    }
    sm_memory_use_clear(&u);
}

static void print_device(struct sm_result *out, const struct sm_trace_item *x, unsigned device,
                         const struct between *w)
{
    const struct sm_memory_snapshot *s = &x->snapshot;
    struct sm_memory_use u;
    sm_memory_use_find(s, device, w->from_us, w->to_us, &u);
    if (u.oom < s->n)
        print_oom(out, s, &u);
    else
        print_holders(out, "Held at the peak:", s->names, u.at_peak, u.n_at_peak);
    print_holders(out, "Grown:", s->names, u.grown, u.n_grown);
    sm_memory_use_clear(&u);
}

/* People see who held the memory in the last snapshot of each rank. */
static void print_last(struct sm_result *out, const struct sm_trace_set *set, int64_t rank,
                       const struct between *w)
{
    size_t n = sm_trace_set_count(set);
    for (size_t i = 0; i < n; i++) {
        const struct sm_trace_item *x = sm_trace_set_item(set, i);
        bool last = i + 1 == n || sm_trace_set_item(set, i + 1)->rank != x->rank;
        for (unsigned d = 0; last && (rank < 0 || x->rank == rank) && d < SM_MEMORY_DEVICES; d++)
            print_device(out, x, d, w);
    }
}

bool sm_trace_run_snapshots(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_word *from = sm_call_option(c, "from"), *to = sm_call_option(c, "to");
    struct between w = {.to_us = from ? INT64_MAX : 0};
    int64_t rank;
    const struct sm_trace_set *set = sm_trace_set_ask(c, SM_TRACE_SNAPSHOT, &rank, err);
    if (!set || (from && !sm_call_int(from, 0, INT64_MAX, &w.from_us, err)) ||
        (to && !sm_call_int(to, 0, INT64_MAX, &w.to_us, err)))
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < sm_trace_set_count(set); i++) {
        const struct sm_trace_item *x = sm_trace_set_item(set, i);
        for (unsigned d = 0; (rank < 0 || x->rank == rank) && d < SM_MEMORY_DEVICES; d++)
            add_device(out, list, x, d, &w);
    }
    if (!list->first)
        return sm_trace_none(set, rank, err);
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    if (c->output == SM_OUTPUT_TEXT && !c->fields)
        print_last(out, set, rank, &w);
    return true;
}
