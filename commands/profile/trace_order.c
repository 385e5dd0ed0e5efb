/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/trace_order.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

void sm_trace_order_clear(struct sm_trace_order *o)
{
    sm_free(o->items);
    *o = (struct sm_trace_order){0};
}

static bool goes_before(const struct sm_event_store *x, uint32_t a, uint32_t b)
{
    const struct sm_profile_event *p = sm_event_numbered(x, a), *q = sm_event_numbered(x, b);
    if (p->start_ns != q->start_ns)
        return p->start_ns < q->start_ns;
    if (p->duration_ns != q->duration_ns)
        return p->duration_ns > q->duration_ns;
    return p->name != q->name ? p->name < q->name : a < b;
}

bool sm_trace_order_add(struct sm_trace_order *o, const struct sm_event_store *x, uint32_t number)
{
    if (!SM_VEC_ROOM(o->items, o->n, o->cap))
        return false;
    size_t at = o->n++;
    for (; at && goes_before(x, number, o->items[(at - 1) / 2]); at = (at - 1) / 2)
        o->items[at] = o->items[(at - 1) / 2];
    o->items[at] = number;
    return true;
}

const struct sm_profile_event *sm_trace_order_take(struct sm_trace_order *o,
                                                   const struct sm_event_store *x)
{
    if (!o->n)
        return NULL;
    uint32_t first = o->items[0], last = o->items[--o->n];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < o->n) {
        child += child + 1 < o->n && goes_before(x, o->items[child + 1], o->items[child]);
        if (!goes_before(x, o->items[child], last))
            break;
        o->items[at] = o->items[child];
        at = child;
    }
    o->items[at] = last;
    return sm_event_numbered(x, first);
}
