/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations of a trace: their bytes and bandwidth, by process group. */
#ifndef SM_TRACE_COMMS_H
#define SM_TRACE_COMMS_H

#include "rules/trace/trace_view.h"

struct sm_comm_sum {
    uint32_t group, ranks, collective, dtype; /* names in the trace; NONE: not given */
    int32_t group_size;
    uint64_t count;
    int64_t bytes; /* of the greater of what goes in and what comes out */
    int64_t sum_ns;
    double alg_gbps, bus_gbps; /* of all together, as nccl-tests define them; NaN: not known */
};
/* In the order in which they appear; the caller frees the array with sm_free. */
size_t sm_trace_comms_find(const struct sm_trace_view *v, struct sm_comm_sum **out);
/* The arguments of a work's operation: its own, or those of the operator that launched it (by
 * External id, see sm_comm_args). NULL: not given. */
const struct sm_trace_comm *sm_comm_of(const struct sm_trace_view *v, const struct sm_gpu_work *w,
                                       const struct sm_map *args);
/* By External id: the number of the arguments of record_param_comms. Clear the map. */
void sm_comm_args(const struct sm_trace_data *t, struct sm_map *out);

#endif
