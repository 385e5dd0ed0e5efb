/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the allocators of a trace gave out, by device. */
#ifndef SM_TRACE_MEMORY_H
#define SM_TRACE_MEMORY_H

#include "rules/trace/trace_view.h"

struct sm_device_memory {
    int32_t device_type, device; /* as sm_trace_memory */
    uint64_t count, allocations, frees;
    int64_t peak_allocated, peak_reserved;
    int64_t peak_ns;                         /* the first time of peak_allocated */
    int64_t first_allocated, last_allocated; /* in order of time */
};
enum { SM_TRACE_DEVICES_MAX = 256 };
/* Returns how many, at most `most`, in the order in which they appear. */
size_t sm_trace_memory_find(const struct sm_trace_view *v, struct sm_device_memory *out,
                            size_t most);

#endif
