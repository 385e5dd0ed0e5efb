/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/event_walk.h"

#include "reader/format/wire.h"

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };
enum { SESSION_START = 1 };

static struct sm_text text_at(struct sm_bytes b)
{
    return (struct sm_text){(const char *)b.p, b.n};
}

/* Whether the field has this number; *bad if it has another wire type than it should. */
static bool is_field(const struct sm_wire_field *f, uint64_t number, unsigned wire, bool *bad)
{
    if (f->number != number)
        return false;
    *bad = *bad || f->wire != wire;
    return f->wire == wire;
}

/* ---- the event ---- */

static bool starts_session(struct sm_bytes log, bool *bad)
{
    bool starts = false;
    struct sm_wire_field f;
    while (sm_wire_next(&log, &f))
        if (is_field(&f, 1, VARINT, bad))
            starts = (int32_t)f.value == SESSION_START;
    *bad = *bad || log.n;
    return starts;
}

static void take_field(struct sm_event_outline *out, const struct sm_wire_field *f, bool *bad)
{
    if (is_field(f, 1, FIXED64, bad)) {
        memcpy(&out->wall_time, &f->value, sizeof f->value);
    } else if (is_field(f, 2, VARINT, bad)) {
        out->step = (int64_t)f->value;
    } else if (is_field(f, 3, BYTES, bad)) {
        out->file_version = text_at(f->bytes);
    } else if (is_field(f, 5, BYTES, bad)) {
        *bad = *bad || out->summary.p; /* protobuf would merge them */
        out->summary = f->bytes;
    } else if (is_field(f, 7, BYTES, bad)) {
        *bad = *bad || out->starts_session;
        out->starts_session = starts_session(f->bytes, bad);
    }
    out->has_graph = out->has_graph || f->number == 4 || f->number == 9;
}

bool sm_event_outline(struct sm_bytes payload, struct sm_event_outline *out)
{
    bool bad = false;
    struct sm_wire_field f;
    *out = (struct sm_event_outline){0};
    while (!bad && sm_wire_next(&payload, &f))
        take_field(out, &f, &bad);
    return !bad && !payload.n;
}

/* ---- numbers ---- */

/* A shape without dimensions. */
static bool is_scalar_shape(struct sm_bytes shape)
{
    struct sm_wire_field f;
    while (sm_wire_next(&shape, &f))
        if (f.number != 3 || f.wire != VARINT)
            return false;
    return !shape.n;
}

/* The value of a typed field that has one number, packed or not. */
static bool typed_value(const struct sm_wire_field *f, unsigned wire, uint64_t *out)
{
    size_t at = 0, size = wire == FIXED32 ? 4 : 8;
    *out = f->value;
    if (f->wire != BYTES)
        return f->wire == wire;
    if (wire == VARINT)
        return sm_wire_get(f->bytes, &at, out) && at == f->bytes.n;
    if (f->bytes.n == size)
        *out = size == 4 ? sm_get_u32(f->bytes.p) : sm_get_u64(f->bytes.p);
    return f->bytes.n == size;
}

/* float_val, double_val, int_val, int64_val. */
static bool take_typed_number(const struct sm_wire_field *f, struct sm_walk_value *v)
{
    static const struct {
        uint64_t number;
        unsigned wire;
        enum sm_dtype dtype;
    } rows[] = {{5, FIXED32, SM_DTYPE_FLOAT32},
                {6, FIXED64, SM_DTYPE_FLOAT64},
                {7, VARINT, SM_DTYPE_INT32},
                {10, VARINT, SM_DTYPE_INT64}};
    uint64_t bits;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (f->number != rows[i].number || v->dtype != rows[i].dtype)
            continue;
        bool ok = typed_value(f, rows[i].wire, &bits);
        sm_put_u64(v->element, sm_dtype_info(v->dtype)->size_bytes == 4 ? (uint32_t)bits : bits);
        return ok;
    }
    return false;
}

static bool is_number(enum sm_dtype dtype)
{
    enum sm_dtype_kind kind = sm_dtype_info(dtype)->kind;
    size_t size = sm_dtype_info(dtype)->size_bytes;
    return size && size <= 8 && kind != SM_KIND_STRING && kind != SM_KIND_OTHER &&
           kind != SM_KIND_COMPLEX;
}

/* A tensor of one number without dimensions, in the order in which writers put its fields. */
static bool take_number(struct sm_bytes tensor, struct sm_walk_value *v)
{
    bool has = false, shape = false;
    struct sm_wire_field f;
    v->dtype = SM_DTYPE_NONE;
    while (sm_wire_next(&tensor, &f)) {
        if (f.number == 1 && f.wire == VARINT && v->dtype == SM_DTYPE_NONE &&
            f.value <= INT32_MAX) {
            v->dtype = sm_dtype_of_proto((int)f.value);
        } else if (f.number == 2 && f.wire == BYTES && !shape) {
            shape = true;
            if (!is_scalar_shape(f.bytes))
                return false;
        } else if (f.number == 4 && f.wire == BYTES && !has && is_number(v->dtype) &&
                   f.bytes.n == sm_dtype_info(v->dtype)->size_bytes) {
            memcpy(v->element, f.bytes.p, f.bytes.n);
            has = true;
        } else if (f.number != 3 || f.wire != VARINT) { /* version_number */
            if (has || !take_typed_number(&f, v))
                return false;
            has = true;
        }
    }
    return has && !tensor.n;
}

/* ---- values ---- */

static void take_plugin(struct sm_bytes plugin, struct sm_walk_value *v, bool *bad)
{
    struct sm_wire_field f;
    while (sm_wire_next(&plugin, &f)) {
        if (is_field(&f, 1, BYTES, bad))
            v->plugin = text_at(f.bytes);
        else if (is_field(&f, 2, BYTES, bad))
            v->plugin_content = f.bytes;
    }
    *bad = *bad || plugin.n;
}

static void take_metadata(struct sm_bytes metadata, struct sm_walk_value *v, bool *bad)
{
    struct sm_wire_field f;
    while (sm_wire_next(&metadata, &f))
        if (is_field(&f, 1, BYTES, bad))
            take_plugin(f.bytes, v, bad);
    *bad = *bad || metadata.n;
}

static void take_content(const struct sm_wire_field *f, struct sm_walk_value *v, bool *tensor,
                         bool *bad)
{
    if (is_field(f, 1, BYTES, bad)) {
        v->tag = text_at(f->bytes);
    } else if (is_field(f, 2, FIXED32, bad)) {
        if (v->kind == SM_WALK_NONE || (v->kind == SM_WALK_NUMBER && !*tensor)) {
            v->kind = SM_WALK_NUMBER;
            v->dtype = SM_DTYPE_FLOAT32;
            sm_put_u64(v->element, f->value);
        }
    } else if (is_field(f, 8, BYTES, bad)) {
        memset(v->element, 0, sizeof v->element);
        v->kind = !*tensor && v->kind != SM_WALK_OTHER && take_number(f->bytes, v) ? SM_WALK_NUMBER
                                                                                   : SM_WALK_OTHER;
        *tensor = true;
    } else if (is_field(f, 9, BYTES, bad)) {
        take_metadata(f->bytes, v, bad);
    } else if (f->number >= 3 && f->number <= 6) {
        v->kind = SM_WALK_OTHER;
    }
}

static bool take_value(struct sm_bytes value, struct sm_walk_value *out)
{
    struct sm_wire_field f;
    bool tensor = false, bad = false;
    *out = (struct sm_walk_value){.dtype = SM_DTYPE_NONE};
    while (!bad && sm_wire_next(&value, &f))
        take_content(&f, out, &tensor, &bad);
    return !bad && !value.n;
}

bool sm_event_next_value(struct sm_bytes *rest, struct sm_walk_value *out, bool *bad)
{
    struct sm_wire_field f;
    *bad = false;
    while (!*bad && sm_wire_next(rest, &f))
        if (is_field(&f, 1, BYTES, bad)) {
            *bad = !take_value(f.bytes, out);
            return !*bad;
        }
    *bad = *bad || rest->n;
    return false;
}
