/* SPDX-License-Identifier: Apache-2.0 */
/* One trace as its analyses see it: the work of its GPUs in order of time, the calls that launched
 * it, and the steps.
 *
 * The room rules/trace says what traces mean: this header, times of GPUs (gpu_time.h), gaps
 * (gpu_idle.h, gap_causes.h), sums of kernels (kernel_sums.h), launches and queues (launches.h),
 * collective operations (trace_comms.h), waits of ranks for each other (blame.h), operators
 * (trace_ops.h), memory (trace_memory.h), waits for data (trace_loader.h); snapshots of memory
 * (memory_use.h), dumps of the flight recorder (hang.h); and the verdict of each (trace_speed.h).
 * Definitions: doc/profiler.md. Functions that allocate stop the program without memory. */
#ifndef SM_TRACE_VIEW_H
#define SM_TRACE_VIEW_H

#include "reader/trace/trace_set.h"
#include "rules/trace/kernel_type.h"

struct sm_gpu_work {
    int64_t start_ns, end_ns;
    uint32_t event;
    uint32_t call; /* the event that launched it, by its correlation; NONE: it is not in the trace
                    */
    uint8_t type;  /* enum sm_kernel_type */
};
struct sm_trace_step {
    int64_t number, start_ns, end_ns;
};
struct sm_trace_view {
    const struct sm_trace_data *trace;
    const char *path;
    int64_t rank;
    /* CPU events from here on do not count, nor what they launched; INT64_MAX: all count */
    int64_t cut_ns;
    bool as_hta;
    struct sm_gpu_work *gpu; /* by start, then as in the file */
    size_t n_gpu;
    struct sm_trace_step *steps; /* by start */
    size_t n_steps;
};
/* Of a trace with two steps or more, work counts only if its launch is in the trace. as_hta: counts
 * as HolisticTraceAnalysis does: then the last of these steps, and what it launched, is left out.
 */
void sm_trace_view_make(const struct sm_trace_item *item, bool as_hta, struct sm_trace_view *out);
void sm_trace_view_clear(struct sm_trace_view *v);
static inline int64_t sm_gpu_stream(const struct sm_trace_view *v, const struct sm_gpu_work *w)
{
    return v->trace->lanes[v->trace->events[w->event].lane].stream;
}
static inline const char *sm_gpu_name(const struct sm_trace_view *v, const struct sm_gpu_work *w)
{
    return sm_trace_name(v->trace, v->trace->events[w->event].name);
}
/* The step in which something happens; NULL: in none. */
const struct sm_trace_step *sm_trace_step_at(const struct sm_trace_view *v, int64_t ns);

#endif
