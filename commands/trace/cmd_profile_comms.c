/* SPDX-License-Identifier: Apache-2.0 */
/* profile comms: collective operations, their bytes and bandwidth; what overlaps computation. */
#include "commands/trace/trace_ask.h"
#include "commands/trace/trace_commands.h"
#include "commands/trace/trace_tables.h"
#include "rules/trace/trace_comms.h"

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "process_group", .header = "GROUP"},
    {.key = "group_size", .header = "SIZE", .format = SM_COL_NUMBER},
    {.key = "collective", .header = "COLLECTIVE"},
    {.key = "dtype", .header = "DTYPE"},
    {.key = "count", .header = "COUNT", .format = SM_COL_NUMBER},
    {.key = "bytes", .header = "BYTES", .format = SM_COL_BYTES},
    {.key = "sum", .header = "TIME", .format = SM_COL_DURATION},
    {.key = "algbw_GBps", .header = "ALG GB/s", .format = SM_COL_NUMBER},
    {.key = "busbw_GBps", .header = "BUS GB/s", .format = SM_COL_NUMBER},
    {.key = "process_group_ranks", .header = "RANKS", .hidden = true},
};

static void add_sum(struct sm_result *out, struct sm_node *list, const struct sm_traces *t,
                    size_t i, const struct sm_comm_sum *s)
{
    const struct sm_trace_data *trace = t->views[i].trace;
    struct sm_node *row = sm_node_map(out, list, NULL);
    bool known = s->alg_gbps == s->alg_gbps;
    sm_node_int(out, row, "rank", t->items[i]->rank);
    sm_trace_node_name(out, row, "process_group", trace, s->group);
    sm_trace_node_name(out, row, "collective", trace, s->collective);
    sm_trace_node_name(out, row, "dtype", trace, s->dtype);
    sm_node_int_or_null(out, row, "group_size", s->group_size > 0, s->group_size);
    sm_node_uint(out, row, "count", s->count);
    sm_node_int(out, row, "bytes", s->bytes);
    sm_node_int(out, row, "sum", s->sum_ns);
    if (known) {
        sm_node_double(out, row, "algbw_GBps", s->alg_gbps, false);
        sm_node_double(out, row, "busbw_GBps", s->bus_gbps, false);
    } else {
        sm_node_null(out, row, "algbw_GBps");
        sm_node_null(out, row, "busbw_GBps");
    }
    sm_trace_node_name(out, row, "process_group_ranks", trace, s->ranks);
    sm_trace_node_file(out, row, t, i);
}

static bool run_comms(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_traces *t = sm_traces_ask(c, err);
    if (!t)
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    if (sm_call_flag(c, "overlap")) {
        struct sm_trace_columns x = sm_trace_overlap_columns();
        sm_trace_add_overlap(out, list, t);
        sm_result_listing(out, list, x.columns, x.n);
        return true;
    }
    for (size_t i = 0; i < t->n; i++) {
        struct sm_comm_sum *sums;
        size_t n = sm_trace_comms_find(&t->views[i], &sums);
        for (size_t k = 0; k < n; k++)
            add_sum(out, list, t, i, &sums[k]);
        sm_free(sums);
    }
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    if (!list->first)
        sm_result_dim(out, "The traces name no collective operations; \"profile comms -overlap\" "
                           "goes by the names of kernels.");
    sm_trace_remarks(out, t);
    return true;
}

static const struct sm_option options[] = {
    SM_TRACE_OPTIONS,
    {.name = "overlap",
     .kind = SM_ARG_FLAG,
     .help = "how much of the communication overlaps computation"},
    {0},
};
const struct sm_cmd sm_cmd_profile_comms = {
    .parent = "profile",
    .name = "comms",
    .cmd_class = SM_CLASS_DATA,
    .summary = "List collective operations: their bytes and bandwidth",
    .help = "Bytes are of the greater of what an operation takes and gives. The bandwidth is of "
            "the algorithm and of the bus, as\nnccl-tests have them; time in which a rank waits "
            "for others counts (see profile blame). " SM_TRACE_HELP,
    .example = "profile comms",
    .see_also = "profile blame, profile kernels",
    .options = options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{rank:int,process_group:name?,collective:name?,dtype:name?,group_size:int?,count:"
              "int,bytes:int,sum:int,algbw_GBps:num?,busbw_GBps:num?,process_group_ranks:name?,"
              "trace?:name}|" SM_SHAPE_OVERLAP "]",
    .run = run_comms,
};
