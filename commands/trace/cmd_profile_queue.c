/* SPDX-License-Identifier: Apache-2.0 */
/* profile queue: how much launched work waits for its stream. */
#include "commands/trace/trace_ask.h"
#include "commands/trace/trace_commands.h"
#include "rules/trace/launches.h"

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "stream", .header = "STREAM", .format = SM_COL_NUMBER},
    {.key = "count", .header = "CHANGES", .format = SM_COL_NUMBER},
    {.key = "mean", .header = "MEAN", .format = SM_COL_NUMBER},
    {.key = "std", .header = "STD", .format = SM_COL_NUMBER},
    {.key = "min", .header = "MIN", .format = SM_COL_NUMBER},
    {.key = "25%", .header = "25%", .format = SM_COL_NUMBER},
    {.key = "50%", .header = "50%", .format = SM_COL_NUMBER},
    {.key = "75%", .header = "75%", .format = SM_COL_NUMBER},
    {.key = "max", .header = "MAX", .format = SM_COL_NUMBER},
    {.key = "duration_at_max_queue_length", .header = "FULL", .format = SM_COL_DURATION},
};

static void add_queue(struct sm_result *out, struct sm_node *list, const struct sm_traces *t,
                      size_t i, const struct sm_queue *q)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_int(out, row, "rank", t->items[i]->rank);
    sm_node_int(out, row, "stream", q->stream);
    sm_node_uint(out, row, "count", q->length.n);
    sm_node_double(out, row, "mean", q->length.mean, false);
    sm_node_double(out, row, "std", q->length.std, false);
    sm_node_int(out, row, "min", q->length.min);
    sm_node_double(out, row, "25%", q->length.q25, false);
    sm_node_double(out, row, "50%", q->length.q50, false);
    sm_node_double(out, row, "75%", q->length.q75, false);
    sm_node_int(out, row, "max", q->length.max);
    sm_node_int(out, row, "duration_at_max_queue_length", q->full_ns);
    sm_trace_node_file(out, row, t, i);
}

static bool run_queue(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_traces *t = sm_traces_ask(c, err);
    if (!t)
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < t->n; i++) {
        struct sm_queue *queues;
        size_t n = sm_queues_find(&t->views[i], &queues);
        for (size_t k = 0; k < n; k++)
            add_queue(out, list, t, i, &queues[k]);
        sm_free(queues);
    }
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    if (!list->first)
        sm_result_dim(out, "The traces have no launches of work of GPUs.");
    return true;
}

static const struct sm_option options[] = {SM_TRACE_OPTIONS, {0}};
const struct sm_cmd sm_cmd_profile_queue = {
    .parent = "profile",
    .name = "queue",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show how much launched work waits for each stream",
    .help = "The length of the queue is counted after each launch and each begin of work; a "
            "stream that has nothing waiting most\nof the time waits for the CPU. A queue is full "
            "at 1024. " SM_TRACE_HELP,
    .example = "profile queue",
    .see_also = "profile launches, profile idle",
    .options = options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{*:num|name}]",
    .run = run_queue,
};
