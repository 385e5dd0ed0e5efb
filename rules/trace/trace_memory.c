/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/trace_memory.h"

#include "reader/base/mem.h"

#include <stdlib.h>

struct instant {
    int64_t ns;
    uint32_t event;
};

static int by_time(const void *a, const void *b)
{
    const struct instant *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

static struct sm_device_memory *device_of(struct sm_device_memory *all, size_t *n, size_t most,
                                          const struct sm_trace_memory *m)
{
    for (size_t i = 0; i < *n; i++)
        if (all[i].device_type == m->device_type && all[i].device == m->device)
            return &all[i];
    if (*n == most)
        return NULL;
    all[*n] = (struct sm_device_memory){.device_type = m->device_type, .device = m->device};
    return &all[(*n)++];
}

static void add(struct sm_device_memory *d, const struct sm_trace_memory *m, int64_t ns)
{
    if (!d->count || m->allocated > d->peak_allocated) {
        d->peak_allocated = m->allocated;
        d->peak_ns = ns;
    }
    d->peak_reserved = m->reserved > d->peak_reserved ? m->reserved : d->peak_reserved;
    d->first_allocated = d->count ? d->first_allocated : m->allocated;
    d->last_allocated = m->allocated;
    d->allocations += m->bytes > 0;
    d->frees += m->bytes < 0;
    d->count++;
}

size_t sm_trace_memory_find(const struct sm_trace_view *v, struct sm_device_memory *out,
                            size_t most)
{
    const struct sm_trace_data *t = v->trace;
    struct instant *at = sm_xalloc((t->n_memory + 1) * sizeof *at);
    size_t n = 0, devices = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->events[i].cat == SM_TRACE_MEMORY)
            at[n++] = (struct instant){t->events[i].start_ns, (uint32_t)i};
    if (n)
        qsort(at, n, sizeof *at, by_time);
    for (size_t i = 0; i < n; i++) {
        const struct sm_trace_memory *m = &t->memory[t->events[at[i].event].extra];
        struct sm_device_memory *d = device_of(out, &devices, most, m);
        if (d)
            add(d, m, at[i].ns);
    }
    sm_free(at);
    return devices;
}
