/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by tests of TensorBoard directories: records, runs, and values read back. */
#ifndef SM_TEST_BOARD_H
#define SM_TEST_BOARD_H

#include "reader/format/event.h"
#include "reader/format/tfrecord.h"
#include "tests/reader/live.h"

/* A record with one float32 scalar tensor, framed as TensorBoard's writers do. */
static inline void add_record(struct sm_str *out, const char *tag, int64_t step, float value)
{
    struct sm_err err;
    struct sm_str payload = {0};
    struct sm_event_value v = {.tag = sm_text(tag),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT32,
                               .proto_dtype = 1,
                               .n_elements = 1,
                               .content = {(const uint8_t *)&value, sizeof value}};
    struct sm_event e = {
        .wall_time = 1e9 + (double)step, .step = step, .values = &v, .n_values = 1};
    assert_true(sm_event_write(&payload, &e, &err));
    sm_frame_write(out, (struct sm_bytes){(const uint8_t *)payload.data, payload.len}, true);
    sm_str_clear(&payload);
}

static inline void write_run(struct live *l, const char *run, const struct sm_str *bytes, size_t n)
{
    mkdir(l->path, 0777);
    mkdir(in(l, "%s", run), 0777);
    put_file(in(l, "%s/events.out.tfevents.1.host", run), bytes->data, n);
}

static inline double scalar_value(struct live *l, const char *name, int64_t step)
{
    struct sm_err err;
    const struct sm_facts *f;
    struct sm_entry e = value_at(l, name, step);
    while (!sm_fetch_stats(l->fetch, l->trial, &e, &f, &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
    }
    return sm_dtype_load(f->dtype, f->first);
}

#endif
