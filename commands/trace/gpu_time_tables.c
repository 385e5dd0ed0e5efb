/* SPDX-License-Identifier: Apache-2.0 */
/* Times of GPUs and types of kernels, as rows. */
#include "commands/trace/trace_tables.h"
#include "rules/trace/gpu_time.h"

#include <math.h>
#include <stdlib.h>

static double share(int64_t part, int64_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : NAN;
}

/* ---- types ---- */

static const struct sm_column type_columns[] = {
    {.key = "kernel_type", .header = "TYPE"},
    {.key = "sum", .header = "TIME", .format = SM_COL_DURATION},
    {.key = "percentage", .header = "PERCENT", .format = SM_COL_NUMBER},
};

struct sm_trace_columns sm_trace_kernel_type_columns(void)
{
    return (struct sm_trace_columns){type_columns, sizeof type_columns / sizeof *type_columns};
}

struct mix {
    unsigned kinds;
    int64_t ns;
};

static int by_time(const void *a, const void *b)
{
    const struct mix *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    return (x->kinds > y->kinds) - (x->kinds < y->kinds);
}

void sm_trace_add_kernel_types(struct sm_result *out, struct sm_node *list,
                               const struct sm_traces *t)
{
    struct mix mixes[SM_GPU_MIXES] = {{0}};
    int64_t all = 0;
    for (size_t i = 0; i < t->n; i++) {
        struct sm_gpu_time g;
        sm_gpu_time_find(&t->views[i], &g);
        for (unsigned k = 1; k < SM_GPU_MIXES; k++) {
            mixes[k].kinds = k;
            mixes[k].ns += g.mix_ns[k];
            all += g.mix_ns[k];
        }
    }
    qsort(mixes, SM_GPU_MIXES, sizeof *mixes, by_time);
    for (unsigned i = 0; i < SM_GPU_MIXES && mixes[i].ns; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        struct sm_str name = {0};
        sm_gpu_mix_name(mixes[i].kinds, &name);
        sm_node_text(out, row, "kernel_type", sm_str_text(&name));
        sm_node_int(out, row, "sum", mixes[i].ns);
        sm_trace_node_rounded(out, row, "percentage", share(mixes[i].ns, all), 1);
        sm_str_clear(&name);
    }
}

/* ---- times ---- */

static const struct sm_column temporal_columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "kernel_time", .header = "GPU TIME", .format = SM_COL_DURATION},
    {.key = "compute_time", .header = "COMPUTE", .format = SM_COL_DURATION},
    {.key = "compute_time_pctg", .header = "%", .format = SM_COL_NUMBER},
    {.key = "non_compute_time", .header = "OTHER", .format = SM_COL_DURATION},
    {.key = "non_compute_time_pctg", .header = "%", .format = SM_COL_NUMBER},
    {.key = "idle_time", .header = "IDLE", .format = SM_COL_DURATION},
    {.key = "idle_time_pctg", .header = "%", .format = SM_COL_NUMBER},
};
static const struct sm_column overlap_columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "comm_time", .header = "COMMUNICATION", .format = SM_COL_DURATION},
    {.key = "overlap_time", .header = "WITH COMPUTATION", .format = SM_COL_DURATION},
    {.key = "comp_comm_overlap_pctg", .header = "%", .format = SM_COL_NUMBER},
};

struct sm_trace_columns sm_trace_temporal_columns(void)
{
    return (struct sm_trace_columns){temporal_columns,
                                     sizeof temporal_columns / sizeof *temporal_columns};
}

struct sm_trace_columns sm_trace_overlap_columns(void)
{
    return (struct sm_trace_columns){overlap_columns,
                                     sizeof overlap_columns / sizeof *overlap_columns};
}

void sm_trace_add_temporal(struct sm_result *out, struct sm_node *list, const struct sm_traces *t)
{
    for (size_t i = 0; i < t->n; i++) {
        struct sm_gpu_time g;
        if (!t->views[i].n_gpu)
            continue;
        sm_gpu_time_find(&t->views[i], &g);
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_int(out, row, "rank", t->items[i]->rank);
        sm_node_int(out, row, "idle_time", g.idle_ns);
        sm_node_int(out, row, "compute_time", g.compute_ns);
        sm_node_int(out, row, "non_compute_time", g.non_compute_ns);
        sm_node_int(out, row, "kernel_time", g.kernel_ns);
        sm_trace_node_rounded(out, row, "idle_time_pctg", share(g.idle_ns, g.kernel_ns), 2);
        sm_trace_node_rounded(out, row, "compute_time_pctg", share(g.compute_ns, g.kernel_ns), 2);
        sm_trace_node_rounded(out, row, "non_compute_time_pctg",
                              share(g.non_compute_ns, g.kernel_ns), 2);
        sm_trace_node_file(out, row, t, i);
    }
}

void sm_trace_add_overlap(struct sm_result *out, struct sm_node *list, const struct sm_traces *t)
{
    for (size_t i = 0; i < t->n; i++) {
        struct sm_gpu_time g;
        sm_gpu_time_find(&t->views[i], &g);
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_int(out, row, "rank", t->items[i]->rank);
        sm_node_int(out, row, "comm_time", g.comm_ns);
        sm_node_int(out, row, "overlap_time", g.overlap_ns);
        sm_trace_node_rounded(out, row, "comp_comm_overlap_pctg", share(g.overlap_ns, g.comm_ns),
                              2);
        sm_trace_node_file(out, row, t, i);
    }
}
