/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of work on GPUs: the call of the CPU and the work, joined by their correlation. */
#ifndef SM_LAUNCHES_H
#define SM_LAUNCHES_H

#include "rules/trace/spread.h"
#include "rules/trace/trace_view.h"

enum { SM_LAUNCH_CALL_LONG_NS = 50000, SM_LAUNCH_DELAY_LONG_NS = 100000, SM_QUEUE_FULL = 1024 };
struct sm_launches {
    struct sm_spread call, work, delay; /* delay: from the call's end to the work's begin, or 0 */
    uint64_t shorter_than_call;         /* works */
    uint64_t long_calls, long_delays;
};
/* Calls that launch: names with LaunchKernel, MemcpyAsync, MemsetAsync of CUDA and HIP. */
bool sm_is_launch(const char *name);
/* A view that counts as HolisticTraceAnalysis has four names of CUDA's runtime only. */
void sm_launches_find(const struct sm_trace_view *v, struct sm_launches *out);

/* How much work is launched and has not begun, in a stream: counted at each begin of a call and of
 * a work; at the same time calls come first. */
struct sm_queue {
    int64_t stream;
    struct sm_spread length;
    int64_t full_ns; /* at SM_QUEUE_FULL or more */
};
/* By number of stream; the caller frees the array with sm_free. */
size_t sm_queues_find(const struct sm_trace_view *v, struct sm_queue **out);

#endif
