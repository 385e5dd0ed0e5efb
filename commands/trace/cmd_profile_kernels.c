/* SPDX-License-Identifier: Apache-2.0 */
/* profile kernels: the work of GPUs by name, or by type. */
#include "commands/trace/trace_ask.h"
#include "commands/trace/trace_commands.h"
#include "commands/trace/trace_tables.h"
#include "rules/trace/kernel_sums.h"

enum { SHOWN = 20 };

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "sum", .header = "TOTAL", .format = SM_COL_DURATION},
    {.key = "share", .header = "SHARE %", .format = SM_COL_NUMBER},
    {.key = "count", .header = "COUNT", .format = SM_COL_NUMBER},
    {.key = "mean", .header = "MEAN", .format = SM_COL_DURATION},
    {.key = "max", .header = "MAX", .format = SM_COL_DURATION},
    {.key = "kernel_type", .header = "TYPE"},
    {.key = "name", .header = "KERNEL"},
};

static void add_kernel(struct sm_result *out, struct sm_node *list, const struct sm_traces *t,
                       size_t i, const struct sm_kernel_sum *k, int64_t total_ns)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_trace_node_name(out, row, "name", t->views[i].trace, k->name);
    sm_node_int(out, row, "sum", k->sum_ns);
    sm_node_int(out, row, "max", k->max_ns);
    sm_node_int(out, row, "min", k->min_ns);
    sm_node_double(out, row, "mean", k->mean_ns, false);
    sm_node_double(out, row, "stddev", k->std_ns, false);
    sm_node_uint(out, row, "count", k->count);
    sm_node_text(out, row, "kernel_type", sm_kernel_type_name((enum sm_kernel_type)k->type));
    sm_node_int(out, row, "rank", t->items[i]->rank);
    sm_trace_node_rounded(out, row, "share",
                          total_ns > 0 ? 100 * (double)k->sum_ns / (double)total_ns : 0, 2);
    sm_trace_node_file(out, row, t, i);
}

/* Returns how many are wanted; at most `most` of each trace are added. */
static size_t add_kernels(struct sm_result *out, struct sm_node *list, const struct sm_traces *t,
                          size_t i, const char *pattern, size_t most)
{
    struct sm_kernel_sum *sums;
    size_t n = sm_kernel_sums_find(&t->views[i], &sums), wanted = 0;
    int64_t total = 0;
    for (size_t k = 0; k < n; k++)
        total += sums[k].sum_ns;
    for (size_t k = 0; k < n; k++) {
        const char *name = sm_trace_name(t->views[i].trace, sums[k].name);
        if (pattern && !sm_glob_match(pattern, name))
            continue;
        if (wanted++ < most)
            add_kernel(out, list, t, i, &sums[k], total);
    }
    sm_free(sums);
    return wanted > most ? wanted - most : 0;
}

static bool run_kernels(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_traces *t = sm_traces_ask(c, err);
    const struct sm_word *n = sm_call_option(c, "n");
    int64_t most = c->output == SM_OUTPUT_TEXT ? SHOWN : INT64_MAX;
    size_t more = 0;
    if (!t || (n && !sm_call_int(n, 1, INT64_MAX, &most, err)))
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    if (sm_call_flag(c, "types")) {
        sm_trace_add_kernel_types(out, list, t);
        struct sm_trace_columns types = sm_trace_kernel_type_columns();
        sm_result_listing(out, list, types.columns, types.n);
        return true;
    }
    for (size_t i = 0; i < t->n; i++)
        more += add_kernels(out, list, t, i, c->n_words ? c->words[0].text.p : NULL, (size_t)most);
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    if (more)
        sm_result_dim(out, "%zu more kernels; use -n.", more);
    if (!list->first)
        sm_result_dim(out, c->n_words ? "No kernel matches." : "The traces have no work of GPUs.");
    return true;
}

static const struct sm_arg args[] = {
    {.name = "PATTERN", .kind = SM_ARG_TEXT, .help = "only kernels with such names, as *gemm*"},
    {0},
};
static const struct sm_option options[] = {
    SM_TRACE_OPTIONS,
    {.name = "n",
     .kind = SM_ARG_NUMBER,
     .value = "N",
     .help = "at most N kernels of each trace (20 in text)"},
    {.name = "types",
     .kind = SM_ARG_FLAG,
     .help = "times of computation, communication, memory and of what overlaps"},
    {0},
};
const struct sm_cmd sm_cmd_profile_kernels = {
    .parent = "profile",
    .name = "kernels",
    .cmd_class = SM_CLASS_DATA,
    .summary = "List the kernels of a trace's GPUs by their time",
    .help = "Copies and fills are listed, too. A share is of all work of the trace. " SM_TRACE_HELP,
    .example = "profile kernels *gemm*",
    .see_also = "profile idle, profile comms, profile launches",
    .args = args,
    .options = options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{name:name,sum:int,max:int,min:int,mean:num,stddev:num,count:int,kernel_type:text,"
              "rank:int,share:num,trace?:name}|" SM_SHAPE_KERNEL_TYPE "]",
    .run = run_kernels,
};
