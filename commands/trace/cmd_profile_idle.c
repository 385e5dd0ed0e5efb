/* SPDX-License-Identifier: Apache-2.0 */
/* profile idle: why the streams of GPUs are idle. */
#include "commands/trace/trace_ask.h"
#include "commands/trace/trace_commands.h"
#include "rules/trace/gpu_idle.h"

#include <math.h>

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "stream", .header = "STREAM", .format = SM_COL_NUMBER},
    {.key = "idle_category", .header = "IDLE BECAUSE OF"},
    {.key = "idle_time", .header = "TIME", .format = SM_COL_DURATION},
    {.key = "idle_time_ratio", .header = "SHARE", .format = SM_COL_NUMBER},
    {.key = "gaps", .header = "GAPS", .format = SM_COL_NUMBER},
};

static void add_stream(struct sm_result *out, struct sm_node *list, const struct sm_traces *t,
                       size_t i, const struct sm_gpu_idle *x)
{
    int64_t all = 0;
    for (int k = 0; k < SM_IDLE_CAUSES; k++)
        all += x->ns[k];
    for (int k = 0; k < SM_IDLE_CAUSES; k++) {
        if (!x->gaps[k] && k != SM_IDLE_OTHER)
            continue;
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_int(out, row, "rank", t->items[i]->rank);
        sm_node_int(out, row, "stream", x->stream);
        sm_node_text(out, row, "idle_category", sm_idle_cause_name((enum sm_idle_cause)k));
        sm_node_int(out, row, "idle_time", x->ns[k]);
        sm_trace_node_rounded(out, row, "idle_time_ratio",
                              all ? (double)x->ns[k] / (double)all : NAN, 2);
        sm_node_uint(out, row, "gaps", x->gaps[k]);
        sm_trace_node_file(out, row, t, i);
    }
}

static bool run_idle(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_traces *t = sm_traces_ask(c, err);
    const struct sm_word *word = sm_call_option(c, "delay");
    int64_t delay = SM_GPU_IDLE_DELAY_NS;
    if (!t || (word && !sm_call_int(word, 0, INT64_MAX, &delay, err)))
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < t->n; i++) {
        struct sm_gpu_idle *streams;
        size_t n = sm_gpu_idle_find(&t->views[i], delay, &streams);
        for (size_t k = 0; k < n; k++)
            add_stream(out, list, t, i, &streams[k]);
        sm_free(streams);
    }
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    if (!list->first)
        sm_result_dim(out, "The traces have no work of GPUs.");
    return true;
}

static const struct sm_option options[] = {
    SM_TRACE_OPTIONS,
    {.name = "delay",
     .kind = SM_ARG_NUMBER,
     .value = "NS",
     .help = "gaps below this are kernel_wait (30000)",
     .initial = "30000",
     .unit = "nanoseconds"},
    {0},
};
const struct sm_cmd sm_cmd_profile_idle = {
    .parent = "profile",
    .name = "idle",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show why the streams of GPUs are idle",
    .help = "The gaps between the kernels of a stream: host_wait, the next kernel was launched "
            "after the one before had ended, so\nthe CPU came too late; kernel_wait, it was "
            "waiting already and began within the delay; other, it began later, as\nafter an "
            "event of another stream. Gaps are negative where kernels of a stream overlap. "
            "" SM_TRACE_HELP,
    .example = "profile idle",
    .see_also = "profile launches, profile queue, profile kernels",
    .options = options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{rank:int,stream:int,idle_category:'host_wait'|'kernel_wait'|'other',idle_time:int,"
              "idle_time_ratio:num?,gaps:int,trace?:name}]",
    .run = run_idle,
};
