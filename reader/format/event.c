#include "reader/format/event.h"

#include "proto/event.pb-c.h"

#include <stdio.h>

/* Contents up to this size are simply unpacked; larger ones are cut out before and borrowed. */
enum { SMALL_CONTENT = 2048 };
#define ELEMENTS_MAX ((uint64_t)1 << 28) /* made from a repeated value (TensorFlow's shorthand) */
#define UNPACK_MAX ((size_t)512 << 20)   /* bytes protobuf-c may use for one event */

/* ---- locating tensor_content on the wire ---- */

static bool get_varint(struct sm_bytes b, size_t *at, uint64_t *out)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 70 && *at < b.n; shift += 7) {
        uint8_t c = b.p[(*at)++];
        if (shift < 64)
            v |= (uint64_t)(c & 127) << shift;
        if (!(c & 128)) {
            *out = v;
            return true;
        }
    }
    return false;
}

static void put_varint(struct sm_str *out, uint64_t v)
{
    while (v >= 128) {
        sm_str_addc(out, (char)(v | 128));
        v >>= 7;
    }
    sm_str_addc(out, (char)v);
}

/* Moves past a field's value; for length-delimited ones *inside gets it. */
static bool skip_value(struct sm_bytes b, size_t *at, unsigned wire, struct sm_bytes *inside)
{
    uint64_t n = 0;
    if (wire == 0)
        return get_varint(b, at, &n);
    if (wire == 2 && !get_varint(b, at, &n))
        return false;
    n = wire == 1 ? 8 : wire == 5 ? 4 : n;
    if (wire == 3 || wire == 4 || wire > 5 || n > b.n - *at)
        return false;
    *inside = (struct sm_bytes){b.p + *at, (size_t)n};
    *at += (size_t)n;
    return true;
}

/* Copies message b to out without the tensor_content at the end of the path; false: broken wire format at *bad. */
static bool cut_content(struct sm_bytes b, const unsigned *path, struct sm_str *out, struct sm_bytes *content, const uint8_t **bad)
{
    for (size_t at = 0; at < b.n;) {
        size_t start = at;
        uint64_t key;
        struct sm_bytes inside = {0};
        *bad = b.p + start;
        if (!get_varint(b, &at, &key) || !skip_value(b, &at, key & 7, &inside))
            return false;
        bool ours = key == ((uint64_t)path[0] << 3 | 2);
        if (!ours) {
            sm_str_addn(out, b.p + start, at - start);
        } else if (!path[1]) {
            *content = inside;
        } else {
            struct sm_str part = {0};
            bool ok = cut_content(inside, path + 1, &part, content, bad);
            put_varint(out, key);
            put_varint(out, part.len);
            sm_str_addn(out, sm_str_text(&part), part.len);
            out->failed = out->failed || part.failed;
            sm_str_clear(&part);
            if (!ok)
                return false;
        }
    }
    return true;
}

/* ---- the head alone ---- */

static bool head_of_dim(struct sm_bytes b, uint64_t *size)
{
    *size = 0;
    for (size_t at = 0; at < b.n;) {
        uint64_t key;
        struct sm_bytes inside;
        if (!get_varint(b, &at, &key) || !(key == (1 << 3) ? get_varint(b, &at, size) : skip_value(b, &at, key & 7, &inside)))
            return false;
    }
    return true;
}

static bool head_of_shape(struct sm_bytes b, struct sm_event_value *v)
{
    v->n_dims = 0;
    v->n_elements = 1;
    for (size_t at = 0; at < b.n;) {
        uint64_t key, size;
        struct sm_bytes dim = {0};
        if (!get_varint(b, &at, &key) || !skip_value(b, &at, key & 7, &dim))
            return false;
        if (key != (2 << 3 | 2))
            continue;
        if (!head_of_dim(dim, &size) || v->n_dims == SM_DIMS_MAX || (size && v->n_elements > (uint64_t)INT64_MAX / size))
            return false;
        v->dims[v->n_dims++] = size;
        v->n_elements *= size;
    }
    return true;
}

static bool head_of_tensor(struct sm_bytes b, struct sm_event_value *v)
{
    bool shape = false;
    for (size_t at = 0; at < b.n;) {
        uint64_t key, n;
        struct sm_bytes inside = {0};
        if (!get_varint(b, &at, &key))
            return false;
        if (key == (4 << 3 | 2)) {                         /* the content itself need not be in the prefix */
            size_t size = sm_dtype_info(v->dtype)->size_bytes;
            v->kind = SM_VALUE_TENSOR;
            v->content.n = get_varint(b, &at, &n) ? (size_t)n : 0;
            return shape && size && v->content.n / size == v->n_elements && v->content.n % size == 0;
        }
        if (key == (1 << 3)) {
            if (!get_varint(b, &at, &n))
                return false;
            v->proto_dtype = (int)n;
            v->dtype = sm_dtype_of_proto(v->proto_dtype);
        } else if (!skip_value(b, &at, key & 7, &inside)) {
            return false;
        } else if (key == (2 << 3 | 2)) {
            if (shape || !head_of_shape(inside, v))        /* several would be joined */
                return false;
            shape = true;
        }
    }
    return false;
}

/* Goes into the message at the end of the path, however much of it is there. */
static bool descend(struct sm_bytes *b, unsigned field, struct sm_event_value *v, double *wall_time)
{
    for (size_t at = 0; at < b->n;) {
        uint64_t key, n;
        struct sm_bytes inside = {0};
        if (!get_varint(*b, &at, &key))
            return false;
        if (key == ((uint64_t)field << 3 | 2)) {
            if (!get_varint(*b, &at, &n))
                return false;
            *b = (struct sm_bytes){b->p + at, n < b->n - at ? (size_t)n : b->n - at};
            return true;
        }
        if (!skip_value(*b, &at, key & 7, &inside))
            return false;
        if (field == 5 && key == (1 << 3 | 1)) {
            uint64_t bits = sm_get_u64(inside.p);
            memcpy(wall_time, &bits, 8);
        } else if (field == 8 && key == (1 << 3 | 2)) {
            v->tag = (struct sm_text){(const char *)inside.p, inside.n};
        }
    }
    return false;
}

bool sm_event_head(struct sm_bytes prefix, struct sm_event_value *out, double *wall_time)
{
    *out = (struct sm_event_value){.kind = SM_VALUE_OTHER};
    return descend(&prefix, 5, out, wall_time) && descend(&prefix, 1, out, wall_time) && descend(&prefix, 8, out, wall_time) &&
           head_of_tensor(prefix, out);
}

/* Moves behind the key and the length of the next such field. */
static bool enter(struct sm_bytes b, size_t *at, unsigned field, uint64_t *length)
{
    struct sm_bytes inside;
    uint64_t key;
    while (*at < b.n && get_varint(b, at, &key)) {
        if (key == ((uint64_t)field << 3 | 2))
            return get_varint(b, at, length);
        if (!skip_value(b, at, key & 7, &inside))
            return false;
    }
    return false;
}

bool sm_event_content(struct sm_bytes prefix, uint64_t payload_bytes, uint64_t *out)
{
    enum { SUMMARY, VALUE, TENSOR, CONTENT, LEVELS };
    static const unsigned path[LEVELS] = {5, 1, 8, 4};
    uint64_t end = payload_bytes, length;
    size_t at = 0;
    for (int level = SUMMARY; level < LEVELS; level++) {
        if (!enter(prefix, &at, path[level], &length) || at > end || length > end - at)
            return false;
        if (level != TENSOR && length != end - at)         /* something follows */
            return false;
        end = at + length;
    }
    *out = at;
    return true;
}

bool sm_event_is_rest(struct sm_bytes rest)
{
    struct sm_bytes inside;
    uint64_t key;
    for (size_t at = 0; at < rest.n;)
        if (!get_varint(rest, &at, &key) || key != (9 << 3 | 2) || !skip_value(rest, &at, 2, &inside))
            return false;
    return true;
}

/* ---- unpacking into the arena ---- */

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
        } else if (sm_text_is(name, "mode") && parse_number(text_of(p->content), &n) && n >= 1 && n <= 4) {
            v->mode = (int)n;
            mode = true;
        }
    }
    v->has_mode = mode && mode_step;
}

static bool take_shape(const Smdbg__Shape *s, struct sm_event_value *v, struct sm_err *err)
{
    v->n_elements = 1;
    size_t n = s ? s->n_dim : 0;
    if (n > SM_DIMS_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "tensor with %zu dimensions, at most %d", n, SM_DIMS_MAX);
    for (size_t i = 0; i < n; i++) {
        int64_t d = s->dim[i]->size;
        if (d < 0 || (d && v->n_elements > (uint64_t)INT64_MAX / (uint64_t)d))
            return sm_err_set(err, SM_ERR_DATA, "tensor with an impossible dimension %lld", (long long)d);
        v->dims[i] = (uint64_t)d;
        v->n_elements *= (uint64_t)d;
    }
    v->n_dims = (unsigned)n;
    return true;
}

static bool take_strings(const Smdbg__TensorProto *t, struct sm_arena *arena, struct sm_event_value *v, struct sm_err *err)
{
    if (t->n_string_val != v->n_elements)
        return sm_err_set(err, SM_ERR_DATA, "tensor of %llu strings holds %zu", (unsigned long long)v->n_elements, t->n_string_val);
    struct sm_text *strings = sm_arena_alloc(arena, t->n_string_val * sizeof *strings);
    if (!strings)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for %zu strings", t->n_string_val);
    for (size_t i = 0; i < t->n_string_val; i++)
        strings[i] = text_of(t->string_val[i]);
    v->dtype = SM_DTYPE_STRING;
    v->strings = strings;
    return true;
}

/* The values of the typed fields, as little-endian elements of `size` bytes at item(i). */
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

/* float_val and the like: fewer values than elements means that the last one is repeated. */
static bool take_typed(const Smdbg__TensorProto *t, struct sm_arena *arena, struct sm_event_value *v, struct sm_err *err)
{
    size_t n = typed_values(t, v->dtype), size = sm_dtype_info(v->dtype)->size_bytes;
    if (!n || n > v->n_elements || v->n_elements > ELEMENTS_MAX)
        return sm_err_set(err, SM_ERR_DATA, "tensor of %llu elements holds %zu", (unsigned long long)v->n_elements, n);
    uint8_t *bytes = sm_arena_alloc(arena, v->n_elements * size);
    if (!bytes)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for %llu elements", (unsigned long long)v->n_elements);
    for (uint64_t i = 0; i < v->n_elements; i++) {
        uint8_t le[8];
        sm_put_u64(le, typed_bits(t, v->dtype, i < n ? (size_t)i : n - 1));
        memcpy(bytes + i * size, le, size);
    }
    v->content = (struct sm_bytes){bytes, v->n_elements * size};
    return true;
}

static bool take_tensor(const Smdbg__TensorProto *t, struct sm_bytes content, struct sm_arena *arena,
                        struct sm_event_value *v, struct sm_err *err)
{
    if (!take_shape(t->tensor_shape, v, err))
        return false;
    v->kind = SM_VALUE_TENSOR;
    v->proto_dtype = t->dtype;
    v->dtype = sm_dtype_of_proto(t->dtype);
    if (!content.p)
        content = (struct sm_bytes){t->tensor_content.data, t->tensor_content.len};
    if ((v->dtype == SM_DTYPE_NONE || v->dtype == SM_DTYPE_STRING) && !content.n)
        return take_strings(t, arena, v, err);
    if (v->dtype == SM_DTYPE_NONE)
        v->dtype = SM_DTYPE_UNKNOWN;
    size_t size = sm_dtype_info(v->dtype)->size_bytes;
    v->content = content;
    if (!size)
        return true;                     /* an unknown type: its raw bytes */
    if (content.n / size == v->n_elements && content.n % size == 0)
        return true;
    if (!content.n)
        return take_typed(t, arena, v, err);
    return sm_err_set(err, SM_ERR_DATA, "tensor of %llu %s elements holds %zu bytes", (unsigned long long)v->n_elements,
                      sm_dtype_info(v->dtype)->name, content.n);
}

static bool take_histogram(const Smdbg__Histogram *h, struct sm_event_value *v, struct sm_err *err)
{
    v->kind = SM_VALUE_HISTOGRAM;
    if (h->n_bucket != h->n_bucket_limit)
        return sm_err_set(err, SM_ERR_DATA, "histogram of %zu limits and %zu buckets", h->n_bucket_limit, h->n_bucket);
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

static bool take_value(const Smdbg__Value *m, struct sm_bytes content, struct sm_arena *arena, struct sm_event_value *v,
                       struct sm_err *err)
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

static const Smdbg__Event *unpack(struct sm_bytes payload, struct sm_arena *arena, struct sm_bytes *content, struct sm_err *err)
{
    static const unsigned path[] = {5, 1, 8, 4, 0};
    struct unpacking u = {.arena = arena};
    ProtobufCAllocator memory = {arena_alloc, arena_free, &u};
    struct sm_str rest = {0};
    const uint8_t *bad = payload.p;
    const Smdbg__Event *e = NULL;
    if (payload.n > SMALL_CONTENT && !cut_content(payload, path, &rest, content, &bad)) {
        sm_err_set(err, SM_ERR_DATA, "broken event message at byte %td", bad - payload.p);
        goto done;
    }
    if (rest.failed) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory for an event");
        goto done;
    }
    if (content->p)
        e = smdbg__event__unpack(&memory, rest.len, (const uint8_t *)sm_str_text(&rest));
    if (!content->p || (e && e->summary->n_value != 1)) {   /* several values: which content was cut is not known */
        *content = (struct sm_bytes){0};
        e = smdbg__event__unpack(&memory, payload.n, payload.p);
    }
    if (!e)
        sm_err_set(err, u.failed ? SM_ERR_MEMORY : SM_ERR_DATA, u.failed ? "no memory for an event" : "not an event message (%zu bytes from byte 0)",
                   payload.n);
done:
    sm_str_clear(&rest);
    return e;
}

bool sm_event_parse(struct sm_bytes payload, struct sm_arena *arena, struct sm_event *out, struct sm_err *err)
{
    struct sm_bytes content = {0};
    *out = (struct sm_event){0};
    const Smdbg__Event *e = unpack(payload, arena, &content, err);
    if (!e)
        return false;
    out->wall_time = e->wall_time;
    out->step = e->step;
    out->file_version = text_of(e->file_version);
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

/* ---- writing ---- */

static void put_key(struct sm_str *out, unsigned field, unsigned wire)
{
    put_varint(out, field << 3 | wire);
}

static void put_bytes(struct sm_str *out, unsigned field, const void *p, size_t n)
{
    put_key(out, field, 2);
    put_varint(out, n);
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
            put_varint(&dim, v->dims[i]);
        }
        put_str(&dim, 2, &name);
        put_str(&shape, 2, &dim);
    }
    put_str(out, 2, &shape);
}

/* Elements that are bytes as they lie in memory; strings are fields each. */
static size_t content_bytes(const struct sm_event_value *v)
{
    return v->kind != SM_VALUE_TENSOR || v->dtype == SM_DTYPE_STRING ? 0 : v->content.n;
}

/* TensorProto up to its content. */
static void put_tensor(struct sm_str *out, const struct sm_event_value *v)
{
    if (v->dtype != SM_DTYPE_STRING) {
        put_key(out, 1, 0);
        put_varint(out, (uint64_t)v->proto_dtype);
    }
    put_shape(out, v);
    if (v->dtype == SM_DTYPE_STRING) {
        for (uint64_t i = 0; i < v->n_elements; i++)
            put_bytes(out, 8, v->strings[i].p, v->strings[i].n);
        return;
    }
    put_key(out, 4, 2);
    put_varint(out, v->content.n);
}

static void put_plugin(struct sm_str *out, const char *name, int64_t content)
{
    struct sm_str plugin = {0}, text = {0};
    sm_str_printf(&text, "%lld", (long long)content);
    put_bytes(&plugin, 1, name, strlen(name));
    put_str(&plugin, 2, &text);
    put_str(out, 1, &plugin);
}

/* The key and length of a message whose last part, `behind` bytes, comes later; its beginning is taken over. */
static void put_open(struct sm_str *out, unsigned field, struct sm_str *begin, size_t behind)
{
    put_key(out, field, 2);
    put_varint(out, begin->len + behind);
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

/* As protobuf has it, a field that is 0 is left out. */
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
    put_varint(out, 8 * n);
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

/* Summary.Value up to the content; what follows it goes into tail. */
static void put_value(struct sm_str *out, struct sm_str *tail, const struct sm_event_value *v)
{
    struct sm_str value = {0}, tensor = {0}, metadata = {0};
    size_t content = content_bytes(v);
    if (v->has_mode) {
        put_plugin(&metadata, "mode_step", v->mode_step);
        put_plugin(&metadata, "mode", v->mode);
        put_str(tail, 9, &metadata);
    }
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
        put_varint(out, (uint64_t)e->step);
    }
}

bool sm_event_write_around(struct sm_str *head, struct sm_str *tail, const struct sm_event *e, struct sm_err *err)
{
    struct sm_str summary = {0};
    put_time_and_step(head, e);
    put_value(&summary, tail, &e->values[0]);
    put_open(head, 5, &summary, content_bytes(&e->values[0]) + tail->len);
    return (!head->failed && !tail->failed) || sm_err_set(err, SM_ERR_MEMORY, "no memory for an event");
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
