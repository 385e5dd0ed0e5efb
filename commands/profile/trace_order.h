/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a profile in the order of their starts, of equal ones the longer first: a heap, so that
 * none of its steps takes long. */
#ifndef SM_TRACE_ORDER_H
#define SM_TRACE_ORDER_H

#include "reader/profile/event_store.h"

/* Zero-initialised it is empty. The store may grow meanwhile. */
struct sm_trace_order {
    uint32_t *items; /* numbers of events */
    size_t n, cap;
};
void sm_trace_order_clear(struct sm_trace_order *o);
/* False: no memory. */
bool sm_trace_order_add(struct sm_trace_order *o, const struct sm_event_store *x, uint32_t number);
/* Takes the first one; NULL: there are no more. */
const struct sm_profile_event *sm_trace_order_take(struct sm_trace_order *o,
                                                   const struct sm_event_store *x);

#endif
