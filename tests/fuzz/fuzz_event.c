/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/mem.h"
#include "reader/format/event_walk.h"
#include "reader/tensor/histogram.h"

#include <stdlib.h>

enum { VALUES = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The parser for large payloads, which reads head and content separately, must find the same value
 * as the full parser. */
static void check_content(struct sm_bytes payload, bool parsed, const struct sm_event *e)
{
    struct sm_event_value v;
    double time = 0;
    uint64_t at;
    if (!sm_event_head(payload, &v, &time) || !sm_event_content(payload, payload.n, &at))
        return;
    size_t end = (size_t)at + v.content.n;
    if (!parsed || !v.content.n ||
        !sm_event_is_valid_tail((struct sm_bytes){payload.p + end, payload.n - end}))
        return;
    const struct sm_event_value *whole = e->values;
    if (e->n_values != 1 || whole->dtype != v.dtype || whole->n_elements != v.n_elements ||
        whole->n_dims != v.n_dims || whole->content.n != v.content.n ||
        memcmp(whole->content.p, payload.p + at, v.content.n) != 0)
        abort();
}

/* Walked in place, an event has the same numbers. */
static void check_walk(struct sm_bytes payload, const struct sm_event *e)
{
    struct sm_event_outline outline;
    struct sm_walk_value v;
    bool bad = false;
    if (!sm_event_outline(payload, &outline))
        return;
    if (outline.step != e->step || outline.starts_session != e->starts_session)
        abort();
    for (size_t i = 0; sm_event_next_value(&outline.summary, &v, &bad); i++) {
        if (i >= e->n_values)
            abort();
        const struct sm_event_value *w = &e->values[i];
        if (v.kind != SM_WALK_NUMBER)
            continue;
        size_t n = sm_dtype_info(v.dtype)->size_bytes;
        const void *p = w->kind == SM_VALUE_SCALAR ? (const void *)&w->simple : w->content.p;
        if (sm_value_form_of(w) != SM_FORM_SCALAR || memcmp(v.element, p, n) != 0)
            abort();
    }
}

/* Takes ownership of the record. */
static void check_tensor(struct sm_str *record, unsigned value)
{
    struct sm_err err;
    struct sm_tensor *t;
    struct sm_stats stats;
    if (!sm_tensor_from_record((uint8_t *)record->data, record->len, true, value, &t, &err))
        return;
    sm_stats_of(t, &stats, &err);
    sm_tensor_unref(t);
}

/* The input is the payload of an event: parses it fully and by its head, then loads its values as
 * tensors and computes statistics. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_arena arena = {0};
    struct sm_event e;
    struct sm_err err;
    bool parsed = sm_event_parse((struct sm_bytes){data, n}, &arena, &e, &err);
    check_content((struct sm_bytes){data, n}, parsed, &e);
    if (parsed)
        check_walk((struct sm_bytes){data, n}, &e);
    for (unsigned value = 0; value <= (parsed ? e.n_values : 0) && value < VALUES; value++) {
        struct sm_str record = {0};
        sm_frame_write(&record, (struct sm_bytes){data, n}, true);
        check_tensor(&record, value);
    }
    sm_arena_clear(&arena);
    return 0;
}
