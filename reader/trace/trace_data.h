/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of torch.profiler (Kineto): what one process of a job did on its CPU threads and on its
 * GPU, in a few steps.
 *
 * The room reader/trace reads such files: JSON text becomes columns in one pass without a tree
 * (trace_read.h), a file is read and decompressed in pieces (trace_file.h); snapshots of CUDA
 * memory (memory_snapshot.h) and dumps of the flight recorder (flight.h); the files of one folder
 * are the ranks of one job (trace_set.h), names of files say more (trace_name.h), and kinds of
 * trial open them (trace_kind.c). Formats and limits: doc/formats.md.
 *
 * Times are integer nanoseconds as the file has them: since base_ns, which is 0 if the file does
 * not give one. They never go through floating point. */
#ifndef SM_TRACE_DATA_H
#define SM_TRACE_DATA_H

#include "reader/base/map.h"

enum sm_trace_cat {
    SM_TRACE_OTHER,
    SM_TRACE_CPU_OP,
    SM_TRACE_ANNOTATION,     /* of the user, on a CPU thread: ProfilerStep#3 */
    SM_TRACE_GPU_ANNOTATION, /* the same on a GPU */
    SM_TRACE_KERNEL,
    SM_TRACE_MEMCPY,
    SM_TRACE_MEMSET,
    SM_TRACE_RUNTIME, /* calls of CUDA's or HIP's runtime */
    SM_TRACE_DRIVER,
    SM_TRACE_SYNC, /* waits, as rows of the GPU */
    SM_TRACE_PYTHON,
    SM_TRACE_MEMORY, /* an instant: `extra` is in memory */
    SM_TRACE_SPAN    /* of the profiler itself */
};
/* A complete event or an instant of memory: 40 bytes. */
struct sm_trace_event {
    int64_t start_ns, duration_ns;
    uint32_t name;
    uint32_t lane;        /* number in lanes */
    uint32_t correlation; /* joins a launch and what ran on the GPU; NONE: not given */
    uint32_t external;    /* External id; NONE: not given */
    uint32_t extra;       /* number in comms, or in memory; NONE: nothing */
    uint8_t cat;          /* enum sm_trace_cat */
};
/* A thread, or a stream of a GPU. */
struct sm_trace_track {
    int64_t pid, tid; /* those that are text: INT64_MIN + their name's id */
    int64_t stream;   /* of a GPU's events; else -1 */
    bool gpu;
};
/* Arguments of a collective operation; text that is not given is NONE. */
struct sm_trace_comm {
    uint32_t collective, dtype, group, description, ranks;
    int32_t group_size;          /* 0: not given */
    int64_t in_elems, out_elems; /* -1: not given */
    int64_t seq;                 /* -1: not given */
};
struct sm_trace_memory {
    int64_t bytes; /* freed: negative */
    int64_t allocated, reserved;
    int32_t device_type, device; /* type: 0 CPU, 1 CUDA; device -1: of a CPU */
};
struct sm_trace_data {
    struct sm_names *names;
    struct sm_trace_event *events; /* in the order of the file */
    size_t n, cap;
    struct sm_trace_track *lanes;
    size_t n_lanes, cap_lanes;
    struct sm_trace_comm *comms;
    size_t n_comms, cap_comms;
    struct sm_trace_memory *memory;
    size_t n_memory, cap_memory;
    int64_t base_ns;
    int64_t rank, world_size; /* of distributedInfo; -1: not given */
    char *device;             /* name of the first GPU; NULL: not given */
    uint64_t objects;         /* of the list of events, of all kinds */
    uint64_t bad, bad_at;     /* that are no events; offset of the first */
    uint64_t overlong;        /* left out: their duration is an overflow of the profiler's */
    uint64_t size_bytes;      /* of the text that was read */
    bool cut;                 /* the text ends inside of the list */
    bool no_memory;
};
void sm_trace_data_clear(struct sm_trace_data *t);
size_t sm_trace_data_bytes(const struct sm_trace_data *t); /* memory held */

static inline const char *sm_trace_name(const struct sm_trace_data *t, uint32_t id)
{
    return id == SM_NAME_NONE ? "" : sm_names_text(t->names, id);
}
static inline int64_t sm_trace_end(const struct sm_trace_event *e)
{
    return e->start_ns + e->duration_ns;
}
/* Whether it is work of a GPU: a kernel, a copy or a fill. */
static inline bool sm_trace_on_gpu(const struct sm_trace_event *e)
{
    return e->cat == SM_TRACE_KERNEL || e->cat == SM_TRACE_MEMCPY || e->cat == SM_TRACE_MEMSET;
}
/* Whether it is a call of the runtime or the driver. */
static inline bool sm_trace_is_call(const struct sm_trace_event *e)
{
    return e->cat == SM_TRACE_RUNTIME || e->cat == SM_TRACE_DRIVER;
}

#endif
