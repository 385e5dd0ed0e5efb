/* SPDX-License-Identifier: Apache-2.0 */
/* What a snapshot of CUDA memory says: peaks, who held the memory then and when it ran out, what
 * grew between two times. */
#ifndef SM_MEMORY_USE_H
#define SM_MEMORY_USE_H

#include "reader/trace/memory_snapshot.h"

/* Memory that was allocated at one place. */
struct sm_memory_holder {
    uint32_t stack; /* name in the snapshot; NONE: not known */
    int64_t bytes;
    int64_t blocks;
};
struct sm_memory_use {
    uint64_t events;
    /* active: from alloc to free_completed; allocated: to free_requested; of requested bytes */
    int64_t peak_active, peak_allocated, peak_us;
    int64_t peak_reserved;
    int64_t first_us, last_us;
    size_t oom; /* number of the first event that ran out of memory; n: none did */
    struct sm_memory_holder *at_peak, *at_oom, *grown; /* by bytes, greatest first */
    size_t n_at_peak, n_at_oom, n_grown;
};
/* Of one device. from_us, to_us: growth between these times; equal: none is wanted. Clear it. */
void sm_memory_use_find(const struct sm_memory_snapshot *s, unsigned device, int64_t from_us,
                        int64_t to_us, struct sm_memory_use *out);
/* 0 if it is out of range. */
static inline int64_t sm_memory_time_ns(int64_t us)
{
    int64_t ns;
    return __builtin_mul_overflow(us, 1000, &ns) ? 0 : ns;
}
void sm_memory_use_clear(struct sm_memory_use *u);

#endif
