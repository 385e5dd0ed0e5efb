#include "reader/format/event_walk.h"

#include "reader/format/wire.h"

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };
enum { SESSION_START = 1 };

/* One field of a message: its number, wire type, and value. */
struct field {
    uint64_t number;
    unsigned wire;
    uint64_t varint;
    struct sm_bytes bytes; /* of BYTES, FIXED64 and FIXED32 */
};

static bool next_field(struct sm_bytes b, size_t *at, struct field *f)
{
    uint64_t key;
    if (!sm_wire_get(b, at, &key))
        return false;
    *f = (struct field){.number = key >> 3, .wire = key & 7};
    if (f->wire == VARINT)
        return sm_wire_get(b, at, &f->varint);
    return sm_wire_skip(b, at, f->wire, &f->bytes);
}

static struct sm_text text_at(struct sm_bytes b)
{
    return (struct sm_text){(const char *)b.p, b.n};
}

/* Whether the field has this number; *bad if it has another wire type than it should. */
static bool is_field(const struct field *f, uint64_t number, unsigned wire, bool *bad)
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
    struct field f;
    for (size_t at = 0; at < log.n && !*bad;) {
        *bad = *bad || !next_field(log, &at, &f);
        if (!*bad && is_field(&f, 1, VARINT, bad))
            starts = (int32_t)f.varint == SESSION_START;
    }
    return starts;
}

static void take_field(struct sm_event_outline *out, const struct field *f, bool *bad)
{
    uint64_t bits;
    if (is_field(f, 1, FIXED64, bad)) {
        bits = sm_get_u64(f->bytes.p);
        memcpy(&out->wall_time, &bits, sizeof bits);
    } else if (is_field(f, 2, VARINT, bad)) {
        out->step = (int64_t)f->varint;
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
    struct field f;
    *out = (struct sm_event_outline){0};
    for (size_t at = 0; at < payload.n && !bad;) {
        bad = !next_field(payload, &at, &f);
        if (!bad)
            take_field(out, &f, &bad);
    }
    return !bad;
}

/* ---- numbers ---- */

/* A shape without dimensions. */
static bool is_scalar_shape(struct sm_bytes shape)
{
    bool bad = false;
    struct field f;
    for (size_t at = 0; at < shape.n && !bad;)
        bad = !next_field(shape, &at, &f) || f.number != 3 || f.wire != VARINT;
    return !bad;
}

/* The typed field of one number, packed or not: float_val, double_val, int_val, int64_val,
 * bool_val. */
static bool take_typed_number(const struct field *f, struct sm_walk_value *v)
{
    static const struct {
        uint64_t number;
        unsigned wire;
        enum sm_dtype dtype;
    } rows[] = {{5, FIXED32, SM_DTYPE_FLOAT32},
                {6, FIXED64, SM_DTYPE_FLOAT64},
                {7, VARINT, SM_DTYPE_INT32},
                {10, VARINT, SM_DTYPE_INT64}};
    size_t size = sm_dtype_info(v->dtype)->size_bytes, at = 0;
    uint64_t bits;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (f->number != rows[i].number || v->dtype != rows[i].dtype)
            continue;
        if (rows[i].wire == VARINT) {
            bits = f->varint;
            if (f->wire != VARINT &&
                (f->wire != BYTES || !sm_wire_get(f->bytes, &at, &bits) || at != f->bytes.n))
                return false;
            sm_put_u64(v->element, size == 4 ? (uint32_t)bits : bits);
            return true;
        }
        if ((f->wire != rows[i].wire && f->wire != BYTES) || f->bytes.n != size)
            return false;
        memcpy(v->element, f->bytes.p, size);
        return true;
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
    struct field f;
    v->dtype = SM_DTYPE_NONE;
    for (size_t at = 0; at < tensor.n;) {
        if (!next_field(tensor, &at, &f))
            return false;
        if (f.number == 1 && f.wire == VARINT && v->dtype == SM_DTYPE_NONE &&
            f.varint <= INT32_MAX) {
            v->dtype = sm_dtype_of_proto((int)f.varint);
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
    return has;
}

/* ---- values ---- */

/* What the metadata say of the plugin. */
static void take_plugin(struct sm_bytes metadata, struct sm_walk_value *v, bool *bad)
{
    struct field f, g;
    for (size_t at = 0; at < metadata.n && !*bad;) {
        *bad = !next_field(metadata, &at, &f);
        if (*bad || !is_field(&f, 1, BYTES, bad))
            continue;
        for (size_t k = 0; k < f.bytes.n && !*bad;) {
            *bad = !next_field(f.bytes, &k, &g);
            if (!*bad && is_field(&g, 1, BYTES, bad))
                v->plugin = text_at(g.bytes);
            else if (!*bad && is_field(&g, 2, BYTES, bad))
                v->plugin_content = g.bytes;
        }
    }
}

static void take_content(const struct field *f, struct sm_walk_value *v, bool *tensor, bool *bad)
{
    if (is_field(f, 1, BYTES, bad)) {
        v->tag = text_at(f->bytes);
    } else if (is_field(f, 2, FIXED32, bad)) {
        if (v->kind == SM_WALK_NONE || (v->kind == SM_WALK_NUMBER && !*tensor)) {
            v->kind = SM_WALK_NUMBER;
            v->dtype = SM_DTYPE_FLOAT32;
            memcpy(v->element, f->bytes.p, 4);
        }
    } else if (is_field(f, 8, BYTES, bad)) {
        memset(v->element, 0, sizeof v->element);
        v->kind = !*tensor && v->kind != SM_WALK_OTHER && take_number(f->bytes, v) ? SM_WALK_NUMBER
                                                                                   : SM_WALK_OTHER;
        *tensor = true;
    } else if (is_field(f, 9, BYTES, bad)) {
        take_plugin(f->bytes, v, bad);
    } else if (f->number >= 3 && f->number <= 6) {
        v->kind = SM_WALK_OTHER;
    }
}

bool sm_event_next_value(struct sm_bytes summary, size_t *at, struct sm_walk_value *out, bool *bad)
{
    struct field f, g;
    *bad = false;
    while (*at < summary.n && !*bad) {
        *bad = !next_field(summary, at, &f);
        if (*bad || !is_field(&f, 1, BYTES, bad))
            continue;
        bool tensor = false;
        *out = (struct sm_walk_value){.dtype = SM_DTYPE_NONE};
        for (size_t k = 0; k < f.bytes.n && !*bad;) {
            *bad = !next_field(f.bytes, &k, &g);
            if (!*bad)
                take_content(&g, out, &tensor, bad);
        }
        return !*bad;
    }
    return false;
}
