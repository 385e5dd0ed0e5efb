/* SPDX-License-Identifier: Apache-2.0 */
/* Where the time of a trace's GPUs goes: busy, computing, communicating, and what overlaps. */
#ifndef SM_GPU_TIME_H
#define SM_GPU_TIME_H

#include "rules/trace/trace_view.h"

/* Kinds of work at the same time: bits 1 << enum sm_kernel_type, of the first three. */
enum { SM_GPU_MIXES = 8 };
struct sm_gpu_time {
    int64_t first_ns, last_ns; /* first start, last end */
    int64_t kernel_ns;         /* from one to the other */
    int64_t idle_ns, compute_ns;
    int64_t non_compute_ns;       /* busy, but not computing */
    int64_t comm_ns, overlap_ns;  /* communication, and the part of it with computation */
    int64_t mix_ns[SM_GPU_MIXES]; /* time with exactly these kinds; [0]: none of them */
};
void sm_gpu_time_find(const struct sm_trace_view *v, struct sm_gpu_time *out);
/* "COMPUTATION overlapping COMMUNICATION"; appends. */
void sm_gpu_mix_name(unsigned mix, struct sm_str *out);

#endif
