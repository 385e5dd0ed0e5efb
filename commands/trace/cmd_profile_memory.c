/* SPDX-License-Identifier: Apache-2.0 */
/* profile memory: what allocators gave out during a trace. */
#include "commands/trace/trace_ask.h"
#include "commands/trace/trace_commands.h"
#include "commands/trace/trace_tables.h"
#include "rules/trace/trace_memory.h"

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "device", .header = "DEVICE"},
    {.key = "peak_allocated", .header = "PEAK", .format = SM_COL_BYTES},
    {.key = "peak_reserved", .header = "RESERVED", .format = SM_COL_BYTES},
    {.key = "last_allocated", .header = "AT THE END", .format = SM_COL_BYTES},
    {.key = "growth", .header = "GROWTH", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "allocations", .header = "ALLOCATIONS", .format = SM_COL_NUMBER},
    {.key = "frees", .header = "FREES", .format = SM_COL_NUMBER},
    {.key = "trace", .header = "TRACE"},
};

static void add_device(struct sm_result *out, struct sm_node *list, const struct sm_traces *t,
                       size_t i, const struct sm_device_memory *d)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    struct sm_str name = {0};
    if (d->device_type == 0)
        sm_str_add(&name, "cpu");
    else
        sm_str_printf(&name, "%s%d", d->device_type == 1 ? "gpu" : "device", d->device);
    sm_node_int(out, row, "rank", t->items[i]->rank);
    sm_node_int(out, row, "device_type", d->device_type);
    sm_node_int(out, row, "device_id", d->device);
    sm_node_uint(out, row, "count", d->count);
    sm_node_int(out, row, "peak_allocated", d->peak_allocated);
    sm_node_int(out, row, "peak_reserved", d->peak_reserved);
    sm_node_uint(out, row, "allocations", d->allocations);
    sm_node_uint(out, row, "frees", d->frees);
    sm_node_int(out, row, "peak_ts", d->peak_ns);
    sm_node_text(out, row, "device", sm_str_text(&name));
    sm_node_int(out, row, "last_allocated", d->last_allocated);
    sm_node_int(out, row, "growth", d->last_allocated - d->first_allocated);
    sm_trace_node_file(out, row, t, i);
    sm_str_clear(&name);
}

static bool run_memory(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    if (sm_trace_has_format(c, SM_TRACE_SNAPSHOT))
        return sm_trace_run_snapshots(c, out, err);
    const struct sm_traces *t = sm_traces_ask(c, err);
    if (!t)
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    struct sm_device_memory *devices =
        sm_arena_xalloc(&c->arena, SM_TRACE_DEVICES_MAX * sizeof *devices);
    for (size_t i = 0; i < t->n; i++) {
        size_t n = sm_trace_memory_find(&t->views[i], devices, SM_TRACE_DEVICES_MAX);
        for (size_t k = 0; k < n; k++)
            add_device(out, list, t, i, &devices[k]);
    }
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns - !t->many);
    if (!list->first)
        sm_result_dim(out, "The traces have no memory: torch.profiler records it with "
                           "profile_memory=True.");
    return true;
}

static const struct sm_option options[] = {
    SM_TRACE_OPTIONS,
    {.name = "from",
     .kind = SM_ARG_NUMBER,
     .value = "US",
     .help = "of snapshots: growth from this time on, as peak_time_us has it"},
    {.name = "to", .kind = SM_ARG_NUMBER, .value = "US", .help = "growth up to this time"},
    {0},
};
const struct sm_cmd sm_cmd_profile_memory = {
    .parent = "profile",
    .name = "memory",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show what the allocators of a trace gave out",
    .help = "Of traces: the peaks of what was allocated, and of what the allocator had reserved, "
            "of each device; peak_ts is in\nnanoseconds, as the file has its times. Of snapshots "
            "(torch.cuda.memory._dump_snapshot): who held the memory at its\npeak and when it ran "
            "out, by the first line of the program's own code; what was left in the end; with "
            "-from, what\ngrew since then. " SM_TRACE_HELP,
    .example = "profile memory",
    .see_also = "profile summary",
    .options = options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[" SM_SHAPE_SNAPSHOT
              "|{rank:int,device_type:int,device_id:int,count:int,peak_allocated:int,peak_reserved:"
              "int,allocations:int,frees:int,peak_ts:int,device:text,last_allocated:int,growth:int,"
              "trace?:name}]",
    .run = run_memory,
};
