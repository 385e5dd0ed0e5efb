/* SPDX-License-Identifier: Apache-2.0 */
/* A snapshot of CUDA memory (torch.cuda.memory._dump_snapshot): what the allocator did, as events,
 * and what it held in the end, as sums. The pickle is read as a tree of values; nothing of it is
 * executed. */
#ifndef SM_MEMORY_SNAPSHOT_H
#define SM_MEMORY_SNAPSHOT_H

#include "reader/base/map.h"
#include "reader/source/source.h"

enum sm_memory_action {
    SM_MEMORY_ALLOC,
    SM_MEMORY_FREE_REQUESTED,
    SM_MEMORY_FREE_COMPLETED,
    SM_MEMORY_RESERVED, /* segment_alloc, segment_map */
    SM_MEMORY_RELEASED, /* segment_free, segment_unmap */
    SM_MEMORY_OOM,
    SM_MEMORY_ACTIONS
};
/* Sizes are bytes as requested. */
struct sm_memory_event {
    int64_t time_us, address, size;
    int64_t device_free; /* of OOM; else 0 */
    uint32_t stack;      /* name of the first frame that is neither C++ nor of a package; NONE */
    uint8_t action, device;
};
/* Of the segments of a device; sizes are rounded as the allocator does. */
struct sm_memory_end {
    int64_t reserved, allocated, active, requested;
    int64_t largest_free; /* bytes of the largest block that is free */
    uint64_t segments, blocks;
};
enum { SM_MEMORY_DEVICES = 64 };
struct sm_memory_snapshot {
    struct sm_names *names;
    struct sm_memory_event *events; /* by device, then in the order of the file */
    size_t n, cap;
    struct sm_memory_end ends[SM_MEMORY_DEVICES];
    uint64_t others[SM_MEMORY_DEVICES]; /* events of other actions */
};
enum { SM_SNAPSHOT_TREE_MAX = 0x40000000 }; /* bytes of the pickle's tree in memory */
/* Of a file that ends too early, what comes before. False: err says why; what was read stays. */
bool sm_memory_snapshot_read(struct sm_source *source, const char *path,
                             struct sm_memory_snapshot *out, struct sm_err *err);
void sm_memory_snapshot_clear(struct sm_memory_snapshot *s);
/* Whether the first bytes of a file look like those of a snapshot. */
bool sm_memory_snapshot_looks_like(const char *p, size_t n);

#endif
