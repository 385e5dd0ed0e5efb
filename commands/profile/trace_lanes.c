/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/trace_lanes.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#define NONE UINT32_MAX

void sm_trace_lanes_clear(struct sm_trace_lanes *x)
{
    for (size_t i = 0; i < x->n; i++)
        sm_free(x->items[i].ends);
    sm_free(x->items);
    sm_map_clear(&x->threads);
    *x = (struct sm_trace_lanes){0};
}

static uint32_t add_lane(struct sm_trace_lanes *x)
{
    if (!SM_VEC_ROOM(x->items, x->n, x->cap))
        return NONE;
    x->items[x->n] = (struct sm_trace_lane){.next = NONE};
    return (uint32_t)x->n++;
}

static uint32_t first_lane(struct sm_trace_lanes *x, uint64_t thread, bool *is_new)
{
    uint64_t at;
    if (sm_map_get(&x->threads, thread, &at))
        return (uint32_t)at;
    uint32_t lane = add_lane(x);
    *is_new = true;
    return lane != NONE && sm_map_put(&x->threads, thread, lane) ? lane : NONE;
}

/* Whether the event is inside of what is not over at its start, or after all. */
static bool fits(struct sm_trace_lane *l, int64_t start_ns, int64_t end_ns)
{
    while (l->n && l->ends[l->n - 1] <= start_ns)
        l->n--;
    return !l->n || end_ns <= l->ends[l->n - 1];
}

bool sm_trace_lane_of(struct sm_trace_lanes *x, uint64_t thread, int64_t start_ns, int64_t end_ns,
                      size_t *nth, uint32_t *lane, bool *is_new)
{
    *nth = 0;
    *is_new = false;
    uint32_t at = first_lane(x, thread, is_new);
    while (at != NONE && !fits(&x->items[at], start_ns, end_ns) && *nth + 1 < SM_TRACE_LANES_MOST) {
        uint32_t next = x->items[at].next;
        if (next == NONE) {
            next = add_lane(x);
            x->items[at].next = next;
            *is_new = true;
        }
        at = next;
        ++*nth;
    }
    *lane = at;
    if (at == NONE || !SM_VEC_ROOM(x->items[at].ends, x->items[at].n, x->items[at].cap))
        return false;
    x->items[at].ends[x->items[at].n++] = end_ns;
    return true;
}
