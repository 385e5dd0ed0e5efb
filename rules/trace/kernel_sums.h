/* SPDX-License-Identifier: Apache-2.0 */
/* The work of a trace's GPUs by name. */
#ifndef SM_KERNEL_SUMS_H
#define SM_KERNEL_SUMS_H

#include "rules/trace/trace_view.h"

struct sm_kernel_sum {
    uint32_t name; /* in the trace */
    uint8_t type;  /* enum sm_kernel_type */
    uint64_t count;
    int64_t sum_ns, min_ns, max_ns;
    double mean_ns, std_ns; /* std divides by count - 1; of one it is 0 */
};
/* By sum, greatest first; the caller frees the array with sm_free. */
size_t sm_kernel_sums_find(const struct sm_trace_view *v, struct sm_kernel_sum **out);

#endif
