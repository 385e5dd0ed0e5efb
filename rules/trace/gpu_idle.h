/* SPDX-License-Identifier: Apache-2.0 */
/* Why the streams of a GPU are idle: the gaps between their kernels, by what ended them. */
#ifndef SM_GPU_IDLE_H
#define SM_GPU_IDLE_H

#include "rules/trace/trace_view.h"

/* A gap is from the end of the kernel that started before to the start of the next; it is negative
 * where they overlap. */
enum sm_idle_cause {
    SM_IDLE_HOST,   /* the next kernel was launched after the one before had ended */
    SM_IDLE_KERNEL, /* it was waiting, and began within the delay */
    SM_IDLE_OTHER,  /* it was waiting, and began later */
    SM_IDLE_CAUSES
};
const char *sm_idle_cause_name(enum sm_idle_cause c); /* "host_wait" */
struct sm_gpu_idle {
    int64_t stream, device; /* device: the number of the process that GPU events are of */
    uint64_t gaps[SM_IDLE_CAUSES];
    int64_t ns[SM_IDLE_CAUSES];
};
/* In the order in which streams begin; the caller frees the array with sm_free. */
size_t sm_gpu_idle_find(const struct sm_trace_view *v, int64_t delay_ns, struct sm_gpu_idle **out);
#define SM_GPU_IDLE_DELAY_NS 30000 /* as HolisticTraceAnalysis has it in effect */

#endif
