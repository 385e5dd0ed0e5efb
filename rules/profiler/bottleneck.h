/* SPDX-License-Identifier: Apache-2.0 */
/* CPUBottleneck and IOBottleneck: GPUs are idle while cores are busy, or wait for I/O. */
#ifndef SM_BOTTLENECK_H
#define SM_BOTTLENECK_H

#include "rules/profiler/profiler_data.h"

struct sm_bottleneck_found {
    int64_t ns;
    uint32_t gpus, cores; /* low GPUs, busy cores */
};
/* A snapshot is what was sampled within SM_BOTTLENECK_NS; that of the last window may go on. */
enum { SM_BOTTLENECK_NS = 20000000 };
struct sm_bottleneck {
    bool begun, found;
    int64_t begin_ns;
    uint32_t gpus, cores;
    uint64_t snapshots, low; /* of all, and with a low GPU */
    struct sm_bottleneck_found *items;
    size_t n, cap;
    bool fired;
    struct sm_names *nodes; /* with busy cores, of bottlenecks */
};
/* Which parameters are these. */
struct sm_bottleneck_how {
    const char *dimension; /* of cores */
    const char *what;      /* "CPU" */
    int threshold, gpu, cores, patience;
};
void sm_bottleneck_judge(struct sm_rule_at *x, const struct sm_bottleneck_how *how);
void sm_bottleneck_details(const struct sm_rule_instance *i, const struct sm_profile *p,
                           struct sm_json_writer *w);
void sm_bottleneck_clear(void *state);

#endif
