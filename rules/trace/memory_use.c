/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/memory_use.h"

#include "reader/base/mem.h"

#include <stdlib.h>

/* The allocations that are active, by address: the number of the event of each. */
struct live {
    const struct sm_memory_snapshot *snapshot;
    struct sm_map blocks;
    int64_t active, allocated, reserved;
};

static int64_t at_least_0(int64_t v)
{
    return v > 0 ? v : 0;
}

/* Events may begin when memory is allocated already, so that something is freed which was not
 * seen. */
static void replay(struct live *l, size_t i)
{
    const struct sm_memory_event *e = &l->snapshot->events[i];
    uint64_t at;
    bool known = sm_map_get(&l->blocks, (uint64_t)e->address, &at);
    switch ((enum sm_memory_action)e->action) {
    case SM_MEMORY_ALLOC:
        sm_map_put(&l->blocks, (uint64_t)e->address, i);
        l->active += e->size;
        l->allocated += e->size;
        break;
    case SM_MEMORY_FREE_REQUESTED:
        l->allocated -= known ? e->size : 0;
        break;
    case SM_MEMORY_FREE_COMPLETED:
        l->active -= known ? e->size : 0;
        sm_map_remove(&l->blocks, (uint64_t)e->address);
        break;
    case SM_MEMORY_RESERVED:
        l->reserved += e->size;
        break;
    case SM_MEMORY_RELEASED:
        l->reserved = at_least_0(l->reserved - e->size);
        break;
    case SM_MEMORY_OOM:
    case SM_MEMORY_ACTIONS:
        break;
    }
}

/* ---- holders ---- */

static int by_bytes(const void *a, const void *b)
{
    const struct sm_memory_holder *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->stack > y->stack) - (x->stack < y->stack);
}

/* By id of stack; the last one is of those that are not known. */
static struct sm_memory_holder *sums_new(const struct sm_memory_snapshot *s)
{
    return sm_xalloc_zero((size_t)sm_names_count(s->names) + 1, sizeof(struct sm_memory_holder));
}

static void add_live(const struct live *l, struct sm_memory_holder *sums, int64_t sign)
{
    uint32_t names = sm_names_count(l->snapshot->names);
    for (size_t i = 0; i < l->blocks.capacity; i++) {
        if (!l->blocks.used[i])
            continue;
        const struct sm_memory_event *e = &l->snapshot->events[l->blocks.values[i]];
        struct sm_memory_holder *h = &sums[e->stack == SM_NAME_NONE ? names : e->stack];
        h->bytes += sign * e->size;
        h->blocks += sign;
    }
}

static size_t order(const struct sm_memory_snapshot *s, struct sm_memory_holder *sums)
{
    uint32_t names = sm_names_count(s->names);
    size_t n = 0;
    for (uint32_t i = 0; i <= names; i++)
        if (sums[i].bytes > 0) {
            sums[n] = sums[i];
            sums[n++].stack = i < names ? i : SM_NAME_NONE;
        }
    if (n)
        qsort(sums, n, sizeof *sums, by_bytes);
    return n;
}

/* Replays what is before an event, and that event. */
static void replay_to(struct live *l, unsigned device, size_t end)
{
    for (size_t i = 0; i <= end && i < l->snapshot->n; i++)
        if (l->snapshot->events[i].device == device)
            replay(l, i);
}

static struct sm_memory_holder *holders_at(const struct sm_memory_snapshot *s, unsigned device,
                                           size_t event, size_t *n)
{
    struct live l = {.snapshot = s};
    struct sm_memory_holder *sums = sums_new(s);
    replay_to(&l, device, event);
    add_live(&l, sums, 1);
    *n = order(s, sums);
    sm_map_clear(&l.blocks);
    return sums;
}

static void find_growth(const struct sm_memory_snapshot *s, unsigned device, int64_t from_us,
                        int64_t to_us, struct sm_memory_use *out)
{
    struct live l = {.snapshot = s};
    bool before = false;
    out->grown = sums_new(s);
    for (size_t i = 0; i < s->n; i++) {
        const struct sm_memory_event *e = &s->events[i];
        if (e->device != device || e->time_us > to_us)
            continue;
        if (e->time_us > from_us && !before) {
            add_live(&l, out->grown, -1);
            before = true;
        }
        replay(&l, i);
    }
    if (before)
        add_live(&l, out->grown, 1);
    out->n_grown = order(s, out->grown);
    sm_map_clear(&l.blocks);
}

/* ---- all ---- */

void sm_memory_use_find(const struct sm_memory_snapshot *s, unsigned device, int64_t from_us,
                        int64_t to_us, struct sm_memory_use *out)
{
    struct live l = {.snapshot = s};
    size_t peak = s->n;
    *out = (struct sm_memory_use){.oom = s->n};
    for (size_t i = 0; i < s->n; i++) {
        const struct sm_memory_event *e = &s->events[i];
        if (e->device != device)
            continue;
        replay(&l, i);
        out->first_us = out->events++ ? out->first_us : e->time_us;
        out->last_us = e->time_us;
        if (l.active > out->peak_active) {
            out->peak_active = l.active;
            out->peak_us = e->time_us;
            peak = i;
        }
        out->peak_allocated = l.allocated > out->peak_allocated ? l.allocated : out->peak_allocated;
        out->peak_reserved = l.reserved > out->peak_reserved ? l.reserved : out->peak_reserved;
        if (e->action == SM_MEMORY_OOM && out->oom == s->n)
            out->oom = i;
    }
    sm_map_clear(&l.blocks);
    if (peak < s->n)
        out->at_peak = holders_at(s, device, peak, &out->n_at_peak);
    if (out->oom < s->n)
        out->at_oom = holders_at(s, device, out->oom, &out->n_at_oom);
    if (from_us < to_us)
        find_growth(s, device, from_us, to_us, out);
}

void sm_memory_use_clear(struct sm_memory_use *u)
{
    sm_free(u->at_peak);
    sm_free(u->at_oom);
    sm_free(u->grown);
    *u = (struct sm_memory_use){0};
}
