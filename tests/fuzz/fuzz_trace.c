/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of torch.profiler: the text in pieces, and whole, give the same events. Snapshots of
 * memory, and dumps of the flight recorder. */
#include "reader/trace/flight.h"
#include "reader/trace/memory_snapshot.h"
#include "reader/trace/trace_name.h"
#include "reader/trace/trace_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void read_text(const char *p, size_t n, size_t piece, struct sm_trace_data *t)
{
    struct sm_trace_reader *r = sm_trace_reader_new(t);
    size_t from = 0, to = 0;
    while (r && to < n) {
        to = n - to > piece ? to + piece : n;
        size_t used = sm_trace_feed(r, p + from, to - from);
        if (used > to - from)
            abort();
        from += used;
    }
    if (r)
        sm_trace_finish(r);
    sm_trace_reader_free(r);
}

/* Every number in an event is one of the trace. */
static void check(const struct sm_trace_data *t)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct sm_trace_event *e = &t->events[i];
        int64_t end;
        if (e->duration_ns < 0 || __builtin_add_overflow(e->start_ns, e->duration_ns, &end) ||
            e->lane >= t->n_lanes || e->name >= sm_names_count(t->names))
            abort();
        if (e->extra != SM_NAME_NONE &&
            e->extra >= (e->cat == SM_TRACE_MEMORY ? t->n_memory : t->n_comms))
            abort();
        sm_trace_step_number(sm_trace_name(t, e->name));
    }
}

static void read_pickles(const uint8_t *data, size_t n)
{
    struct sm_err err;
    struct sm_source *s = sm_source_mem_new(&err);
    struct sm_memory_snapshot x = {0};
    if (s && sm_source_mem_put(s, "x.pickle", data, n))
        sm_memory_snapshot_read(s, "x.pickle", &x, &err);
    for (size_t i = 0; i < x.n; i++)
        if (x.events[i].size < 0 || x.events[i].device >= SM_MEMORY_DEVICES ||
            (x.events[i].stack != SM_NAME_NONE && x.events[i].stack >= sm_names_count(x.names)))
            abort();
    struct sm_flight flight = {0};
    if (s)
        sm_flight_read(s, "x.pickle", &flight, &err);
    sm_flight_clear(&flight);
    sm_memory_snapshot_clear(&x);
    sm_source_unref(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const char *p = (const char *)data;
    struct sm_trace_data whole = {0}, pieces = {0};
    read_pickles(data, n);
    if (n && *data == 0x80)
        return 0;
    read_text(p, n, n + 1, &whole);
    read_text(p, n, 1 + (n ? data[0] % 61 : 0), &pieces);
    check(&whole);
    check(&pieces);
    if (whole.n != pieces.n || whole.bad != pieces.bad || whole.cut != pieces.cut)
        abort();
    sm_trace_data_clear(&whole);
    sm_trace_data_clear(&pieces);
    sm_trace_looks_like(p, n);
    return 0;
}
