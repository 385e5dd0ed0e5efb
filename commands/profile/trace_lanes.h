/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes of a trace: viewers show the events of a thread as a stack, so that two of them must not
 * overlap unless one is inside of the other. Events of a thread that do get more lanes. */
#ifndef SM_TRACE_LANES_H
#define SM_TRACE_LANES_H

#include "reader/base/map.h"

#include <stddef.h>

enum { SM_TRACE_LANES_MOST = 256 }; /* of a thread; the last one takes what is left */
struct sm_trace_lane {
    int64_t *ends; /* of the events that are not over, the innermost last */
    size_t n, cap;
    uint32_t next; /* of the same thread; NONE: the last one */
};
/* Zero-initialised it is empty. */
struct sm_trace_lanes {
    struct sm_map threads; /* first lane of each */
    struct sm_trace_lane *items;
    size_t n, cap;
};
void sm_trace_lanes_clear(struct sm_trace_lanes *x);
/* Puts an event into a lane of its thread: *nth from 0, and its number among all lanes. Events of a
 * thread come in order of their starts, the longer first. *is_new: the lane had none. False: no
 * memory. */
bool sm_trace_lane_of(struct sm_trace_lanes *x, uint64_t thread, int64_t start_ns, int64_t end_ns,
                      size_t *nth, uint32_t *lane, bool *is_new);

#endif
