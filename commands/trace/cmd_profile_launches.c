/* SPDX-License-Identifier: Apache-2.0 */
/* profile launches: how long it takes to launch the work of GPUs. */
#include "commands/trace/trace_ask.h"
#include "commands/trace/trace_commands.h"
#include "rules/trace/launches.h"

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "count", .header = "LAUNCHES", .format = SM_COL_NUMBER},
    {.key = "cpu_duration_sum", .header = "CPU", .format = SM_COL_DURATION},
    {.key = "gpu_duration_sum", .header = "GPU", .format = SM_COL_DURATION},
    {.key = "launch_delay_median", .header = "MEDIAN DELAY", .format = SM_COL_DURATION},
    {.key = "launch_delay_sum", .header = "DELAYS", .format = SM_COL_DURATION, .hidden = true},
    {.key = "short_gpu_kernels", .header = "SHORT KERNELS", .format = SM_COL_NUMBER},
    {.key = "runtime_outliers", .header = "LONG CALLS", .format = SM_COL_NUMBER},
    {.key = "launch_delay_outliers", .header = "LONG DELAYS", .format = SM_COL_NUMBER},
};

static void add_launches(struct sm_result *out, struct sm_node *list, const struct sm_traces *t,
                         size_t i)
{
    struct sm_launches x;
    sm_launches_find(&t->views[i], &x);
    if (!x.call.n)
        return;
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_int(out, row, "rank", t->items[i]->rank);
    sm_node_uint(out, row, "count", x.call.n);
    sm_trace_node_spread(out, row, "cpu_duration", &x.call);
    sm_trace_node_spread(out, row, "gpu_duration", &x.work);
    sm_trace_node_spread(out, row, "launch_delay", &x.delay);
    sm_node_int(out, row, "cpu_duration_sum", x.call.sum);
    sm_node_int(out, row, "gpu_duration_sum", x.work.sum);
    sm_node_int(out, row, "launch_delay_sum", x.delay.sum);
    sm_node_uint(out, row, "short_gpu_kernels", x.shorter_than_call);
    sm_node_uint(out, row, "runtime_outliers", x.long_calls);
    sm_node_uint(out, row, "launch_delay_outliers", x.long_delays);
    sm_node_double(out, row, "launch_delay_median", x.delay.q50, false);
    sm_trace_node_file(out, row, t, i);
}

static bool run_launches(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_traces *t = sm_traces_ask(c, err);
    if (!t)
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < t->n; i++)
        add_launches(out, list, t, i);
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    if (!list->first)
        sm_result_dim(out, "The traces have no launches of work of GPUs.");
    return true;
}

static const struct sm_option options[] = {SM_TRACE_OPTIONS, {0}};
const struct sm_cmd sm_cmd_profile_launches = {
    .parent = "profile",
    .name = "launches",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show how long launches of a GPU's work take",
    .help = "A launch is a call of the CPU and the work with the same correlation. The delay is "
            "from the end of the call to the\nbegin of the work; it is long where work waits in a "
            "queue, which is good. Short kernels take less time than their\ncall: many of them "
            "keep a GPU waiting for the CPU. Long calls take more than 50 us, long delays more "
            "than 100 us.\n" SM_TRACE_HELP,
    .example = "profile launches",
    .see_also = "profile queue, profile idle",
    .options = options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer =
        "[{rank:int,count:int,cpu_duration:{*:num},gpu_duration:{*:num},launch_delay:{*:num},"
        "cpu_duration_sum:int,gpu_duration_sum:int,launch_delay_sum:int,short_gpu_kernels:int,"
        "runtime_outliers:int,launch_delay_outliers:int,launch_delay_median:num,trace?:name}]",
    .run = run_launches,
};
