/* SPDX-License-Identifier: Apache-2.0 */
/* What the host did while none of a trace's streams had work. */
#ifndef SM_GAP_CAUSES_H
#define SM_GAP_CAUSES_H

#include "rules/trace/trace_view.h"

/* A gap is a time between the first and the last work in which no stream works. */
struct sm_gap_causes {
    int64_t all_ns;
    int64_t loader_ns; /* the host waited for the data loader */
    /* Of the rest of gaps after which the next work was launched too late: those that began while
     * the host waited for the GPU, and the others. */
    int64_t sync_ns, launch_ns;
    uint64_t syncs;       /* gaps of sync_ns */
    int64_t idle_sync_ns; /* parts of gaps in which the host waited for the GPU */
    int64_t late_ns;      /* gaps after which the next work was launched too late */
};
void sm_gap_causes_find(const struct sm_trace_view *v, struct sm_gap_causes *out);

/* What a rank did in all, ns: to compare ranks. */
enum sm_rank_work {
    SM_RANK_LOADER,  /* waits for the data loader */
    SM_RANK_H2D,     /* copies to the GPU */
    SM_RANK_COMPUTE, /* computation on GPUs, of all streams together */
    SM_RANK_SYNC,    /* calls that wait for the GPU, while that is idle */
    SM_RANK_HOST,    /* the rest of the time in which the GPU waits for a launch */
    SM_RANK_GC,      /* Python's garbage collection */
    SM_RANK_WORKS
};
const char *sm_rank_work_name(enum sm_rank_work w); /* "waits for the data loader" */
void sm_rank_work_find(const struct sm_trace_view *v, int64_t out[SM_RANK_WORKS]);

#endif
