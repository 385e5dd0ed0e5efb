/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/tensor.h"

#include "reader/base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static struct sm_tensor *new_tensor(void)
{
    struct sm_tensor *t = sm_alloc_zero(1, sizeof *t);
    if (t)
        atomic_init(&t->refs, 1);
    return t;
}

static void set_type(struct sm_tensor *t, enum sm_dtype dtype, uint64_t n)
{
    t->dtype = dtype;
    t->proto_dtype = sm_dtype_info(dtype)->proto_code;
    t->n = n;
}

static bool take_scalar(struct sm_tensor *t, const struct sm_event_value *v)
{
    uint32_t bits;
    uint8_t *bytes = sm_arena_alloc(&t->arena, sizeof bits);
    if (!bytes)
        return false;
    memcpy(&bits, &v->simple, sizeof bits);
    sm_put_u32(bytes, bits);
    set_type(t, SM_DTYPE_FLOAT32, 1);
    t->data = bytes;
    t->size_bytes = sizeof bits;
    return true;
}

/* ---- images ---- */

static sm_image_decoder *decode_image;

void sm_tensor_decode_images(sm_image_decoder *decoder)
{
    decode_image = decoder;
}

/* strings: width, height, and files of images of one size. */
enum { IMAGE_SIZES = 2 };
#define IMAGES_BYTES_MAX ((size_t)1 << 27)

/* Joins the images behind each other. False: one cannot be decoded, or differs. */
static bool decode_images(struct sm_tensor *t, const struct sm_text *files, size_t n)
{
    struct sm_pixels first = {0}, x;
    uint8_t *all = NULL;
    size_t size = 0;
    for (size_t i = 0; i < n; i++) {
        struct sm_bytes file = {(const uint8_t *)files[i].p, files[i].n};
        if (!decode_image(file, &t->arena, &x))
            return false;
        if (!i) {
            first = x;
            size = (size_t)(x.rows * x.cols * x.planes);
            all = n == 1                        ? x.bytes
                  : n > IMAGES_BYTES_MAX / size ? NULL
                                                : sm_arena_alloc(&t->arena, n * size);
        }
        if (!all || x.rows != first.rows || x.cols != first.cols || x.planes != first.planes)
            return false;
        if (n > 1)
            memcpy(all + i * size, x.bytes, size);
    }
    set_type(t, SM_DTYPE_UINT8, n * size);
    t->n_dims = 0;
    if (n > 1)
        t->dims[t->n_dims++] = n;
    t->dims[t->n_dims++] = first.rows;
    t->dims[t->n_dims++] = first.cols;
    if (first.planes > 1)
        t->dims[t->n_dims++] = first.planes;
    t->data = all;
    t->size_bytes = n * size;
    t->strings = NULL;
    return true;
}

static bool take_tensor(struct sm_tensor *t, const struct sm_event_value *v)
{
    if (decode_image && sm_text_is(v->plugin, "images") && v->strings && v->n_dims == 1 &&
        v->n_elements > IMAGE_SIZES &&
        decode_images(t, v->strings + IMAGE_SIZES, (size_t)v->n_elements - IMAGE_SIZES))
        return true;
    t->dtype = v->dtype;
    t->proto_dtype = v->proto_dtype;
    t->n_dims = v->n_dims;
    memcpy(t->dims, v->dims, sizeof t->dims);
    t->n = v->n_elements;
    t->data = v->content.p;
    t->size_bytes = v->content.n;
    t->strings = v->strings;
    t->histogram = sm_value_form_of(v) == SM_FORM_HISTOGRAM;
    t->table = sm_text_is(v->plugin, SM_PLUGIN_TABLE) && v->strings && v->n_elements == 2;
    t->pr_curve = sm_text_is(v->plugin, "pr_curves") && v->n_dims == 2 && v->dims[0] == 6 &&
                  v->dims[1] && v->content.p && sm_dtype_info(v->dtype)->size_bytes;
    return true;
}

static void put_f64(uint8_t *at, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    sm_put_u64(at, bits);
}

/* The limits are right edges; the outermost edges are the minimum and the maximum. */
static bool take_histogram(struct sm_tensor *t, const struct sm_event_value *v)
{
    size_t n = v->histo.n, last = n - 1;
    uint8_t *at = sm_arena_alloc(&t->arena, n * 3 * sizeof(double) + 1);
    if (!at)
        return false;
    t->data = at;
    for (size_t i = 0; i < n; i++, at += 3 * sizeof(double)) {
        put_f64(at, i ? v->histo.limits[i - 1] : v->histo.min);
        put_f64(at + 8, i == last ? v->histo.max : v->histo.limits[i]);
        put_f64(at + 16, v->histo.counts[i]);
    }
    set_type(t, SM_DTYPE_FLOAT64, n * 3);
    t->histogram = true;
    t->n_dims = 2;
    t->dims[0] = n;
    t->dims[1] = 3;
    t->size_bytes = n * 3 * sizeof(double);
    return true;
}

static bool take_image(struct sm_tensor *t, const struct sm_event_value *v)
{
    const struct sm_text file = {(const char *)v->image.encoded.p, v->image.encoded.n};
    if (decode_image && decode_images(t, &file, 1))
        return true;
    const int32_t sizes[2] = {v->image.width, v->image.height};
    struct sm_text *strings = sm_arena_alloc(&t->arena, 3 * sizeof *strings);
    for (int i = 0; strings && i < 2; i++) {
        char digits[16];
        int n = snprintf(digits, sizeof digits, "%d", (int)sizes[i]);
        strings[i] = (struct sm_text){sm_arena_strndup(&t->arena, digits, (size_t)n), (size_t)n};
        if (!strings[i].p)
            return false;
    }
    if (!strings)
        return false;
    strings[2] = (struct sm_text){(const char *)v->image.encoded.p, v->image.encoded.n};
    set_type(t, SM_DTYPE_STRING, 3);
    t->n_dims = 1;
    t->dims[0] = 3;
    t->strings = strings;
    return true;
}

static bool (*const takers[])(struct sm_tensor *, const struct sm_event_value *) = {
    [SM_VALUE_TENSOR] = take_tensor,
    [SM_VALUE_SCALAR] = take_scalar,
    [SM_VALUE_HISTOGRAM] = take_histogram,
    [SM_VALUE_IMAGE] = take_image,
    [SM_VALUE_OTHER] = NULL,
};

bool sm_tensor_can_be(enum sm_value_kind kind)
{
    return takers[kind] != NULL;
}

static bool take_value(struct sm_tensor *t, const struct sm_event *e, unsigned value,
                       struct sm_err *err)
{
    t->wall_time = e->wall_time;
    if (value >= e->n_values || !sm_tensor_can_be(e->values[value].kind))
        return sm_err_set(err, SM_ERR_DATA, "the record holds no tensor");
    return takers[e->values[value].kind](t, &e->values[value]) ||
           sm_err_set(err, SM_ERR_MEMORY, "no memory for a value");
}

static bool take_event(struct sm_tensor *t, struct sm_bytes payload, unsigned value,
                       struct sm_err *err)
{
    struct sm_event e;
    if (!sm_event_parse(payload, &t->arena, &e, err))
        return sm_err_prefix(err, "record");
    return take_value(t, &e, value, err);
}

bool sm_tensor_of_event(const struct sm_event *e, unsigned value, struct sm_tensor **out,
                        struct sm_err *err)
{
    *out = new_tensor();
    if (!*out)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a tensor");
    if (take_value(*out, e, value, err))
        return true;
    sm_tensor_unref(*out);
    *out = NULL;
    return false;
}

/* Whether the elements are bytes of the record itself, so that the memory of parsing can be
 * freed. */
static bool is_of_buffer(const struct sm_tensor *t)
{
    uintptr_t at = (uintptr_t)t->data, from = (uintptr_t)t->buffer;
    return t->data && !t->strings && at >= from && at - from < t->buffer_bytes;
}

bool sm_tensor_from_record(uint8_t *own_buffer, size_t n, bool check_crc, unsigned value,
                           struct sm_tensor **out, struct sm_err *err)
{
    struct sm_tensor *t = new_tensor();
    struct sm_bytes payload;
    if (!t) {
        sm_free(own_buffer);
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a tensor");
    }
    t->buffer = own_buffer;
    t->buffer_bytes = n;
    struct sm_bytes record = {own_buffer, n};
    if (!sm_frame_parse(record, check_crc, &payload, &t->crc, err) ||
        !take_event(t, payload, value, err)) {
        sm_tensor_unref(t);
        return false;
    }
    if (is_of_buffer(t))
        sm_arena_clear(&t->arena);
    *out = t;
    return true;
}

/* The number of elements of that many bytes (at least 1 is assumed), or SIZE_MAX if they cannot fit
 * in memory. */
static size_t count_elements(unsigned n_dims, const uint64_t *dims, size_t size)
{
    size_t n = 1, most = SIZE_MAX / (size ? size : 1);
    for (unsigned i = 0; i < n_dims; i++)
        if (!dims[i])
            return 0;
    for (unsigned i = 0; i < n_dims; i++) {
        if (dims[i] > most / n)
            return SIZE_MAX;
        n *= (size_t)dims[i];
    }
    return n;
}

bool sm_tensor_new(enum sm_dtype dtype, unsigned n_dims, const uint64_t *dims, const void *data,
                   struct sm_tensor **out, struct sm_err *err)
{
    const struct sm_dtype_info *info = sm_dtype_info(dtype);
    size_t n = count_elements(n_dims, dims, info->size_bytes);
    struct sm_tensor *t = new_tensor();
    void *buffer = n == SIZE_MAX ? NULL : sm_alloc_zero(n, info->size_bytes);
    assert(n_dims <= SM_DIMS_MAX);
    if (!t || !buffer) {
        sm_free(buffer);
        sm_free(t);
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a tensor");
    }
    t->dtype = dtype;
    t->proto_dtype = info->proto_code;
    t->n_dims = n_dims;
    if (n_dims)
        memcpy(t->dims, dims, n_dims * sizeof *dims);
    t->n = n;
    t->size_bytes = t->buffer_bytes = n * info->size_bytes;
    if (data && t->size_bytes)
        memcpy(buffer, data, t->size_bytes);
    t->data = t->buffer = buffer;
    *out = t;
    return true;
}

static bool is_count(struct sm_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (t.p[i] < '0' || t.p[i] > '9')
            return false;
    return t.n > 0 && t.n < 11;
}

const char *sm_tensor_image_format(const struct sm_tensor *t)
{
    static const struct {
        const char *begin;
        const char *name;
    } rows[] = {{"\xff\xd8\xff", "JPEG"}, {"GIF8", "GIF"}, {"RIFF", "WebP"}, {"\x89PNG", "PNG"}};
    if (!t->strings || t->n_dims != 1 || t->n <= IMAGE_SIZES || !is_count(t->strings[0]) ||
        !is_count(t->strings[1]))
        return NULL;
    struct sm_text file = t->strings[IMAGE_SIZES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (file.n >= strlen(rows[i].begin) &&
            memcmp(file.p, rows[i].begin, strlen(rows[i].begin)) == 0)
            return rows[i].name;
    return "unknown";
}

struct sm_tensor *sm_tensor_ref(struct sm_tensor *t)
{
    atomic_fetch_add(&t->refs, 1);
    return t;
}

void sm_tensor_unref(struct sm_tensor *t)
{
    if (!t || atomic_fetch_sub(&t->refs, 1) != 1)
        return;
    sm_tensor_unref(t->parent);
    sm_arena_clear(&t->arena);
    sm_free(t->buffer);
    sm_free(t);
}

size_t sm_tensor_bytes(const struct sm_tensor *t)
{
    return sizeof *t + t->arena.total_bytes + t->buffer_bytes;
}

void sm_shape_text(struct sm_str *out, const uint64_t *dims, unsigned n_dims)
{
    sm_str_addc(out, '(');
    for (unsigned i = 0; i < n_dims; i++)
        sm_str_printf(out, "%s%llu", i ? ", " : "", (unsigned long long)dims[i]);
    sm_str_add(out, n_dims == 1 ? ",)" : ")");
}

struct sm_tensor *sm_tensor_transpose(const struct sm_tensor *t)
{
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    struct sm_tensor *out = NULL;
    struct sm_err err;
    if (t->n_dims != 2 || t->strings || !size ||
        !sm_tensor_new(t->dtype, 2, (const uint64_t[]){t->dims[1], t->dims[0]}, NULL, &out, &err))
        return NULL;
    uint8_t *to = out->buffer;
    for (uint64_t r = 0; r < t->dims[0]; r++)
        for (uint64_t c = 0; c < t->dims[1]; c++)
            memcpy(to + (c * t->dims[0] + r) * size, t->data + (r * t->dims[1] + c) * size, size);
    return out;
}
