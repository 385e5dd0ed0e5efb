/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes events. */
#include "reader/format/event.h"
#include "reader/format/tfrecord.h"
#include "reader/format/wire.h"

#include <string.h>

static void put_key(struct sm_str *out, unsigned field, unsigned wire)
{
    sm_wire_put(out, field << 3 | wire);
}

static void put_bytes(struct sm_str *out, unsigned field, const void *p, size_t n)
{
    put_key(out, field, 2);
    sm_wire_put(out, n);
    sm_str_addn(out, p, n);
}

static void put_str(struct sm_str *out, unsigned field, struct sm_str *part)
{
    put_bytes(out, field, sm_str_text(part), part->len);
    out->failed = out->failed || part->failed;
    sm_str_clear(part);
}

static void put_shape(struct sm_str *out, const struct sm_event_value *v)
{
    struct sm_str shape = {0};
    for (unsigned i = 0; i < v->n_dims; i++) {
        struct sm_str dim = {0}, name = {0};
        sm_str_addn(&name, v->tag.p, v->tag.n);
        sm_str_printf(&name, "_%llu", (unsigned long long)v->dims[i]);
        if (v->dims[i]) {
            put_key(&dim, 1, 0);
            sm_wire_put(&dim, v->dims[i]);
        }
        put_str(&dim, 2, &name);
        put_str(&shape, 2, &dim);
    }
    put_str(out, 2, &shape);
}

/* Bytes of the content as they are in memory; strings are separate fields. */
static size_t content_bytes(const struct sm_event_value *v)
{
    return v->kind != SM_VALUE_TENSOR || v->dtype == SM_DTYPE_STRING ? 0 : v->content.n;
}

/* TensorProto up to its content. */
static void put_tensor(struct sm_str *out, const struct sm_event_value *v)
{
    if (v->dtype != SM_DTYPE_STRING) {
        put_key(out, 1, 0);
        sm_wire_put(out, (uint64_t)v->proto_dtype);
    }
    put_shape(out, v);
    if (v->dtype == SM_DTYPE_STRING) {
        for (uint64_t i = 0; i < v->n_elements; i++)
            put_bytes(out, 8, v->strings[i].p, v->strings[i].n);
        return;
    }
    put_key(out, 4, 2);
    sm_wire_put(out, v->content.n);
}

static void put_plugin(struct sm_str *out, const char *name, int64_t content)
{
    struct sm_str plugin = {0}, text = {0};
    sm_str_printf(&text, "%lld", (long long)content);
    put_bytes(&plugin, 1, name, strlen(name));
    put_str(&plugin, 2, &text);
    put_str(out, 1, &plugin);
}

/* Key and length of a message whose last `after` bytes follow later; takes the bytes of its
 * start. */
static void put_open(struct sm_str *out, unsigned field, struct sm_str *begin, size_t after)
{
    put_key(out, field, 2);
    sm_wire_put(out, begin->len + after);
    sm_str_addn(out, sm_str_text(begin), begin->len);
    out->failed = out->failed || begin->failed;
    sm_str_clear(begin);
}

static void put_double(struct sm_str *out, double v)
{
    uint8_t bytes[8];
    uint64_t bits;
    memcpy(&bits, &v, 8);
    sm_put_u64(bytes, bits);
    sm_str_addn(out, bytes, 8);
}

/* As in protobuf, 0 is omitted. */
static void put_double_field(struct sm_str *out, unsigned field, double v)
{
    if (v == 0)
        return;
    put_key(out, field, 1);
    put_double(out, v);
}

static void put_doubles(struct sm_str *out, unsigned field, const double *v, size_t n)
{
    put_key(out, field, 2);
    sm_wire_put(out, 8 * n);
    for (size_t i = 0; i < n; i++)
        put_double(out, v[i]);
}

static void put_histogram(struct sm_str *out, const struct sm_event_value *v)
{
    struct sm_str histo = {0};
    put_double_field(&histo, 1, v->histo.min);
    put_double_field(&histo, 2, v->histo.max);
    put_double_field(&histo, 3, v->histo.num);
    put_double_field(&histo, 4, v->histo.sum);
    put_double_field(&histo, 5, v->histo.sum_squares);
    put_doubles(&histo, 6, v->histo.limits, v->histo.n);
    put_doubles(&histo, 7, v->histo.counts, v->histo.n);
    put_str(out, 5, &histo);
}

static void put_scalar(struct sm_str *out, float v)
{
    uint8_t bytes[4];
    uint32_t bits;
    memcpy(&bits, &v, 4);
    sm_put_u32(bytes, bits);
    put_key(out, 2, 5);
    sm_str_addn(out, bytes, 4);
}

/* Summary.Value up to the content; `tail` gets what follows it. */
static void put_value(struct sm_str *out, struct sm_str *tail, const struct sm_event_value *v)
{
    struct sm_str value = {0}, tensor = {0}, metadata = {0}, plugin = {0};
    size_t content = content_bytes(v);
    if (v->has_mode) {
        put_plugin(&metadata, "mode_step", v->mode_step);
        put_plugin(&metadata, "mode", v->mode);
    }
    if (v->plugin.n) {
        put_bytes(&plugin, 1, v->plugin.p, v->plugin.n);
        put_str(&metadata, 1, &plugin);
    }
    if (metadata.len)
        put_str(tail, 9, &metadata);
    put_bytes(&value, 1, v->tag.p, v->tag.n);
    if (v->kind == SM_VALUE_SCALAR)
        put_scalar(&value, v->simple);
    else if (v->kind == SM_VALUE_HISTOGRAM)
        put_histogram(&value, v);
    else {
        put_tensor(&tensor, v);
        put_open(&value, 8, &tensor, content);
    }
    put_open(out, 1, &value, content + tail->len);
}

static void put_time_and_step(struct sm_str *out, const struct sm_event *e)
{
    put_key(out, 1, 1);
    put_double(out, e->wall_time);
    if (e->step) {
        put_key(out, 2, 0);
        sm_wire_put(out, (uint64_t)e->step);
    }
}

bool sm_event_write_around(struct sm_str *head, struct sm_str *tail, const struct sm_event *e,
                           struct sm_err *err)
{
    struct sm_str summary = {0};
    put_time_and_step(head, e);
    put_value(&summary, tail, &e->values[0]);
    put_open(head, 5, &summary, content_bytes(&e->values[0]) + tail->len);
    return (!head->failed && !tail->failed) ||
           sm_err_set(err, SM_ERR_MEMORY, "no memory for an event");
}

bool sm_event_write(struct sm_str *out, const struct sm_event *e, struct sm_err *err)
{
    struct sm_str summary = {0};
    put_time_and_step(out, e);
    for (size_t i = 0; i < e->n_values; i++) {
        const struct sm_event_value *v = &e->values[i];
        struct sm_str tail = {0};
        put_value(&summary, &tail, v);
        sm_str_addn(&summary, (const char *)v->content.p, content_bytes(v));
        sm_str_addn(&summary, sm_str_text(&tail), tail.len);
        summary.failed = summary.failed || tail.failed;
        sm_str_clear(&tail);
    }
    put_str(out, 5, &summary);
    return !out->failed || sm_err_set(err, SM_ERR_MEMORY, "no memory for an event");
}

bool sm_event_write_number(struct sm_str *out, struct sm_text tag, int64_t step, double wall_time,
                           enum sm_dtype dtype, const uint8_t element[8])
{
    struct sm_str payload = {0};
    struct sm_err err;
    const struct sm_dtype_info *type = sm_dtype_info(dtype);
    struct sm_event_value v = {.tag = tag,
                               .kind = SM_VALUE_TENSOR,
                               .dtype = dtype,
                               .proto_dtype = type->proto_code,
                               .n_elements = 1,
                               .content = {element, type->size_bytes}};
    struct sm_event e = {.wall_time = wall_time, .step = step, .values = &v, .n_values = 1};
    bool ok = sm_event_write(&payload, &e, &err);
    if (ok)
        sm_frame_write(out, (struct sm_bytes){(const uint8_t *)payload.data, payload.len}, true);
    sm_str_clear(&payload);
    return ok && !out->failed;
}
