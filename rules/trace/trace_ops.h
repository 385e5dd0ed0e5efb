/* SPDX-License-Identifier: Apache-2.0 */
/* Operators of CPU threads by name: their time, and that without the operators inside of them. */
#ifndef SM_TRACE_OPS_H
#define SM_TRACE_OPS_H

#include "rules/trace/trace_view.h"

struct sm_op_sum {
    uint32_t name; /* in the trace; of steps: that of the first, see `step` */
    bool step;     /* all steps are one, called ProfilerStep* */
    uint64_t count;
    int64_t self_ns, total_ns, max_ns;
};
/* Operators and annotations, nested by time in their thread. By self time, greatest first; the
 * caller frees the array with sm_free. */
size_t sm_op_sums_find(const struct sm_trace_view *v, struct sm_op_sum **out);

#endif
