/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/event.h"

#include "proto/event.pb-c.h"
#include "reader/format/wire.h"

#include <stdio.h>

/* Contents up to this size are unpacked with the message; larger ones are cut out first and
 * borrowed. */
enum { SMALL_CONTENT = 2048 };
enum { SESSION_START = 1 }; /* SessionLog.START */
/* limit on elements expanded from one repeated value (TensorFlow's shorthand) */
#define ELEMENTS_MAX ((uint64_t)1 << 28)
#define UNPACK_MAX   ((size_t)512 << 20) /* limit on protobuf-c's memory for one event */

struct unpacking {
    struct sm_arena *arena;
    size_t used;
    bool failed;
};

static void *arena_alloc(void *ctx, size_t size)
{
    struct unpacking *u = ctx;
    u->used += size;
    void *p = u->used > UNPACK_MAX ? NULL : sm_arena_alloc(u->arena, size);
    u->failed = u->failed || !p;
    return p;
}

static void arena_free(void *ctx, void *p)
{
    (void)ctx;
    (void)p;
}

static struct sm_text text_of(ProtobufCBinaryData b)
{
    return (struct sm_text){(const char *)b.data, b.len};
}

static bool parse_number(struct sm_text t, int64_t *out)
{
    int64_t v = 0;
    bool negative = t.n && t.p[0] == '-';
    for (size_t i = negative; i < t.n; i++) {
        if (t.p[i] < '0' || t.p[i] > '9' || v > (INT64_MAX - 9) / 10)
            return false;
        v = v * 10 + (t.p[i] - '0');
    }
    *out = negative ? -v : v;
    return t.n > (size_t)negative;
}

static void take_modes(const Smdbg__Metadata *m, struct sm_event_value *v)
{
    int64_t n;
    bool mode = false, mode_step = false;
    for (size_t i = 0; m && i < m->n_plugin_data; i++) {
        const Smdbg__PluginData *p = m->plugin_data[i];
        struct sm_text name = text_of(p->plugin_name);
        if (sm_text_is(name, "mode_step") && parse_number(text_of(p->content), &n)) {
            v->mode_step = n;
            mode_step = true;
        } else if (sm_text_is(name, "mode") && parse_number(text_of(p->content), &n) && n >= 1 &&
                   n <= 4) {
            v->mode = (int)n;
            mode = true;
        } else if (!v->plugin.n && !sm_text_is(name, "mode_step") && !sm_text_is(name, "mode")) {
            v->plugin = name;
        }
    }
    v->has_mode = mode && mode_step;
}

static bool take_shape(const Smdbg__Shape *s, struct sm_event_value *v, struct sm_err *err)
{
    v->n_elements = 1;
    size_t n = s ? s->n_dim : 0;
    if (n > SM_DIMS_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "tensor with %zu dimensions (limit %d)", n,
                          SM_DIMS_MAX);
    for (size_t i = 0; i < n; i++) {
        int64_t d = s->dim[i]->size;
        if (d < 0 || (d && v->n_elements > (uint64_t)INT64_MAX / (uint64_t)d))
            return sm_err_set(err, SM_ERR_DATA, "tensor with the invalid dimension %lld",
                              (long long)d);
        v->dims[i] = (uint64_t)d;
        v->n_elements *= (uint64_t)d;
    }
    v->n_dims = (unsigned)n;
    return true;
}

static bool take_strings(const Smdbg__TensorProto *t, struct sm_arena *arena,
                         struct sm_event_value *v, struct sm_err *err)
{
    if (t->n_string_val != v->n_elements)
        return sm_err_set(err, SM_ERR_DATA, "tensor of %llu strings has %zu",
                          (unsigned long long)v->n_elements, t->n_string_val);
    struct sm_text *strings = sm_arena_alloc(arena, t->n_string_val * sizeof *strings);
    if (!strings)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for %zu strings", t->n_string_val);
    for (size_t i = 0; i < t->n_string_val; i++)
        strings[i] = text_of(t->string_val[i]);
    v->dtype = SM_DTYPE_STRING;
    v->strings = strings;
    return true;
}

/* Stores the values of the typed fields as little-endian elements of `size` bytes at item(i). */
static size_t typed_values(const Smdbg__TensorProto *t, enum sm_dtype d)
{
    switch (d) {
    case SM_DTYPE_FLOAT32:
        return t->n_float_val;
    case SM_DTYPE_FLOAT64:
        return t->n_double_val;
    case SM_DTYPE_INT64:
        return t->n_int64_val;
    case SM_DTYPE_BOOL:
        return t->n_bool_val;
    case SM_DTYPE_FLOAT16:
    case SM_DTYPE_BFLOAT16:
        return t->n_half_val;
    case SM_DTYPE_UINT32:
        return t->n_uint32_val;
    case SM_DTYPE_UINT64:
        return t->n_uint64_val;
    case SM_DTYPE_INT8:
    case SM_DTYPE_INT16:
    case SM_DTYPE_INT32:
    case SM_DTYPE_UINT8:
    case SM_DTYPE_UINT16:
        return t->n_int_val;
    default:
        return 0;
    }
}

static uint64_t typed_bits(const Smdbg__TensorProto *t, enum sm_dtype d, size_t i)
{
    uint64_t bits = 0;
    switch (d) {
    case SM_DTYPE_FLOAT32:
        memcpy(&bits, &t->float_val[i], 4);
        return bits;
    case SM_DTYPE_FLOAT64:
        memcpy(&bits, &t->double_val[i], 8);
        return bits;
    case SM_DTYPE_INT64:
        return (uint64_t)t->int64_val[i];
    case SM_DTYPE_BOOL:
        return t->bool_val[i] != 0;
    case SM_DTYPE_FLOAT16:
    case SM_DTYPE_BFLOAT16:
        return (uint64_t)t->half_val[i];
    case SM_DTYPE_UINT32:
        return t->uint32_val[i];
    case SM_DTYPE_UINT64:
        return t->uint64_val[i];
    default:
        return (uint64_t)t->int_val[i];
    }
}

/* float_val etc.: with fewer values than elements, the last one is repeated. */
static bool take_typed(const Smdbg__TensorProto *t, struct sm_arena *arena,
                       struct sm_event_value *v, struct sm_err *err)
{
    size_t n = typed_values(t, v->dtype), size = sm_dtype_info(v->dtype)->size_bytes;
    if (!n || n > v->n_elements || v->n_elements > ELEMENTS_MAX)
        return sm_err_set(err, SM_ERR_DATA, "tensor of %llu elements has %zu",
                          (unsigned long long)v->n_elements, n);
    uint8_t *bytes = sm_arena_alloc(arena, v->n_elements * size);
    if (!bytes)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for %llu elements",
                          (unsigned long long)v->n_elements);
    for (uint64_t i = 0; i < v->n_elements; i++) {
        uint8_t le[8];
        sm_put_u64(le, typed_bits(t, v->dtype, i < n ? (size_t)i : n - 1));
        memcpy(bytes + i * size, le, size);
    }
    v->content = (struct sm_bytes){bytes, v->n_elements * size};
    return true;
}

static bool take_tensor(const Smdbg__TensorProto *t, struct sm_bytes content,
                        struct sm_arena *arena, struct sm_event_value *v, struct sm_err *err)
{
    if (!t->tensor_shape)
        return sm_err_set(err, SM_ERR_DATA, "a tensor without a shape");
    if (!take_shape(t->tensor_shape, v, err))
        return false;
    v->kind = SM_VALUE_TENSOR;
    v->proto_dtype = t->dtype;
    v->dtype = sm_dtype_of_proto(t->dtype);
    if (!content.p)
        content = (struct sm_bytes){t->tensor_content.data, t->tensor_content.len};
    if ((v->dtype == SM_DTYPE_NONE || v->dtype == SM_DTYPE_STRING) && !content.n)
        return take_strings(t, arena, v, err);
    if (v->dtype == SM_DTYPE_NONE && !t->dtype)
        return sm_err_set(err, SM_ERR_DATA, "a tensor without a type");
    if (v->dtype == SM_DTYPE_NONE)
        v->dtype = SM_DTYPE_UNKNOWN;
    size_t size = sm_dtype_info(v->dtype)->size_bytes;
    v->content = content;
    if (!size)
        return true; /* unknown type: raw bytes only */
    if (content.n / size == v->n_elements && content.n % size == 0)
        return true;
    if (!content.n)
        return take_typed(t, arena, v, err);
    return sm_err_set(err, SM_ERR_DATA, "tensor of %llu %s elements has %zu bytes",
                      (unsigned long long)v->n_elements, sm_dtype_info(v->dtype)->name, content.n);
}

static bool take_histogram(const Smdbg__Histogram *h, struct sm_event_value *v, struct sm_err *err)
{
    v->kind = SM_VALUE_HISTOGRAM;
    if (h->n_bucket != h->n_bucket_limit)
        return sm_err_set(err, SM_ERR_DATA, "histogram of %zu limits and %zu buckets",
                          h->n_bucket_limit, h->n_bucket);
    v->histo.min = h->min;
    v->histo.max = h->max;
    v->histo.num = h->num;
    v->histo.sum = h->sum;
    v->histo.sum_squares = h->sum_squares;
    v->histo.limits = h->bucket_limit;
    v->histo.counts = h->bucket;
    v->histo.n = h->n_bucket;
    return true;
}

static void take_image(const Smdbg__Image *m, struct sm_event_value *v)
{
    v->kind = SM_VALUE_IMAGE;
    v->image.width = m->width;
    v->image.height = m->height;
    v->image.encoded = (struct sm_bytes){m->encoded_image_string.data, m->encoded_image_string.len};
}

static bool take_value(const Smdbg__Value *m, struct sm_bytes content, struct sm_arena *arena,
                       struct sm_event_value *v, struct sm_err *err)
{
    v->tag = text_of(m->tag);
    v->kind = SM_VALUE_OTHER;
    v->mode_step = -1;
    take_modes(m->metadata, v);
    if (m->tensor)
        return take_tensor(m->tensor, content, arena, v, err);
    if (m->histo)
        return take_histogram(m->histo, v, err);
    if (m->image)
        take_image(m->image, v);
    if (m->has_simple_value) {
        v->kind = SM_VALUE_SCALAR;
        v->simple = m->simple_value;
    }
    return true;
}

static const Smdbg__Event *unpack_event(struct sm_bytes payload, struct sm_arena *arena,
                                        struct sm_bytes *content, struct sm_err *err)
{
    static const unsigned path[] = {5, 1, 8, 4, 0};
    struct unpacking u = {.arena = arena};
    ProtobufCAllocator memory = {arena_alloc, arena_free, &u};
    struct sm_str rest = {0};
    const uint8_t *bad = payload.p;
    const Smdbg__Event *e = NULL;
    if (payload.n > SMALL_CONTENT && !sm_wire_cut(payload, path, &rest, content, &bad)) {
        sm_err_set(err, SM_ERR_DATA, "broken event message at byte %td", bad - payload.p);
        goto done;
    }
    if (rest.failed) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory for an event");
        goto done;
    }
    if (content->p)
        e = smdbg__event__unpack(&memory, rest.len, (const uint8_t *)sm_str_text(&rest));
    /* several values: unknown whose content was cut */
    if (!content->p || (e && e->summary->n_value != 1)) {
        *content = (struct sm_bytes){0};
        e = smdbg__event__unpack(&memory, payload.n, payload.p);
    }
    if (!e)
        sm_err_set(err, u.failed ? SM_ERR_MEMORY : SM_ERR_DATA,
                   u.failed ? "no memory for an event"
                            : "not an event message (%zu bytes from byte 0)",
                   payload.n);
done:
    sm_str_clear(&rest);
    return e;
}

bool sm_event_parse(struct sm_bytes payload, struct sm_arena *arena, struct sm_event *out,
                    struct sm_err *err)
{
    struct sm_bytes content = {0};
    *out = (struct sm_event){0};
    const Smdbg__Event *e = unpack_event(payload, arena, &content, err);
    if (!e)
        return false;
    out->wall_time = e->wall_time;
    out->step = e->step;
    out->file_version = text_of(e->file_version);
    out->starts_session = e->session_log && e->session_log->status == SESSION_START;
    size_t n = e->summary ? e->summary->n_value : 0;
    out->values = sm_arena_alloc(arena, n * sizeof *out->values);
    if (!out->values)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for %zu values", n);
    for (size_t i = 0; i < n; i++)
        if (!take_value(e->summary->value[i], content, arena, &out->values[i], err))
            return false;
    out->n_values = n;
    return true;
}

enum sm_value_form sm_value_form_of(const struct sm_event_value *v)
{
    enum sm_dtype_kind kind = sm_dtype_info(v->dtype)->kind;
    bool number = kind != SM_KIND_STRING && kind != SM_KIND_OTHER && kind != SM_KIND_COMPLEX;
    if (v->kind == SM_VALUE_SCALAR)
        return SM_FORM_SCALAR;
    if (v->kind == SM_VALUE_HISTOGRAM)
        return SM_FORM_HISTOGRAM;
    if (v->kind != SM_VALUE_TENSOR || !number)
        return SM_FORM_TENSOR;
    if (sm_text_is(v->plugin, "histograms") && v->n_dims == 2 && v->dims[1] == 3)
        return SM_FORM_HISTOGRAM;
    return v->n_dims == 0 ? SM_FORM_SCALAR : SM_FORM_TENSOR;
}
