/* SPDX-License-Identifier: Apache-2.0 */
/* The format safetensors: 8 bytes with the length of a header, the header, the elements.
 *
 *   0        8                8 + length
 *   | length | {"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...} | ... |
 *
 * Offsets count from the end of the header; the elements are in C order, little endian, without
 * holes. "__metadata__" is an object of texts. */
#include "reader/base/bytes.h"
#include "reader/base/json.h"
#include "reader/base/map.h"
#include "reader/base/vec.h"
#include "reader/tensor_files/ckpt_format.h"
#include "reader/tensor_files/safetensors_shards.h"

#include <stdlib.h>
#include <string.h>

enum { PREFIX = 8, HEADER_MAX = 100000000 };

enum field { NO_FIELD, DTYPE, SHAPE, OFFSETS };
enum { TOP = 1, TENSOR, LIST }; /* nesting */

struct st_tensor {
    struct sm_text name; /* an offset in `names` until the end */
    enum sm_dtype dtype;
    size_t first_dim;
    unsigned n_dims, n_offsets;
    uint64_t offsets[2];
    bool has_dtype, has_shape, bad;
    bool unknown; /* the type of its elements: its shape is listed */
};
struct st_parser {
    struct sm_ckpt_file *out;
    struct sm_err *err;
    struct sm_names *seen;
    struct st_tensor *tensors;
    uint64_t *dims;
    size_t n, cap, n_dims, cap_dims;
    unsigned depth;
    enum field field;
    struct sm_str key;    /* of the metadata */
    struct sm_str shards; /* where the tensors lie in larger ones; empty: they are whole */
    bool metadata, no_memory, parsed; /* all of the header */
};

/* A length that a header may have, and the beginning of an object. */
static bool st_begins(const uint8_t *head, size_t n)
{
    if (n <= PREFIX + 1 || sm_get_u64(head) < 2 || sm_get_u64(head) > HEADER_MAX)
        return false;
    return head[PREFIX] == '{' && strchr("\"} ", head[PREFIX + 1]) && head[PREFIX + 1];
}

static bool st_owns(const char *name, const uint8_t *head, size_t n)
{
    (void)head;
    (void)n;
    return sm_ends_with(name, ".safetensors");
}

/* ---- types ---- */

static enum sm_dtype type_of(const char *p, size_t n)
{
    static const struct {
        const char *name;
        enum sm_dtype dtype;
    } rows[] = {
        {"F32", SM_DTYPE_FLOAT32},
        {"BF16", SM_DTYPE_BFLOAT16},
        {"F16", SM_DTYPE_FLOAT16},
        {"F64", SM_DTYPE_FLOAT64},
        {"BOOL", SM_DTYPE_BOOL},
        {"U8", SM_DTYPE_UINT8},
        {"I8", SM_DTYPE_INT8},
        {"U16", SM_DTYPE_UINT16},
        {"I16", SM_DTYPE_INT16},
        {"U32", SM_DTYPE_UINT32},
        {"I32", SM_DTYPE_INT32},
        {"U64", SM_DTYPE_UINT64},
        {"I64", SM_DTYPE_INT64},
        {"C64", SM_DTYPE_COMPLEX64},
        {"C128", SM_DTYPE_COMPLEX128},
        {"F8_E4M3", SM_DTYPE_FLOAT8_E4M3FN},
        {"F8_E5M2", SM_DTYPE_FLOAT8_E5M2},
        {"F8_E4M3FNUZ", SM_DTYPE_FLOAT8_E4M3FNUZ},
        {"F8_E5M2FNUZ", SM_DTYPE_FLOAT8_E5M2FNUZ},
        {"F8_E8M0", SM_DTYPE_FLOAT8_E8M0FNU},
        {"F6_E2M3", SM_DTYPE_FLOAT6_E2M3FN},
        {"F6_E3M2", SM_DTYPE_FLOAT6_E3M2FN},
        {"F4", SM_DTYPE_FLOAT4_E2M1FN},
    };
    struct sm_text text = {p, n};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sm_text_is(text, rows[i].name))
            return rows[i].dtype;
    return SM_DTYPE_NONE;
}

/* ---- the header ---- */

static struct st_tensor *last_tensor(struct st_parser *p)
{
    return &p->tensors[p->n - 1];
}

/* What is wrong with one tensor; it is left out. */
static bool note_bad(struct st_parser *p, const char *what)
{
    struct st_tensor *t = last_tensor(p);
    struct sm_err err;
    if (!t->bad) {
        struct sm_str name = {0};
        sm_str_addn(&name, t->name.p, t->name.n < 100 ? t->name.n : 100);
        sm_err_set(&err, SM_ERR_DATA, "tensor %s: %s", sm_str_text(&name), what);
        sm_ckpt_add_problem(p->out, PREFIX, &err);
        sm_str_clear(&name);
    }
    t->bad = true;
    return true;
}

static bool lack_memory(struct st_parser *p)
{
    p->no_memory = true;
    return sm_err_set(p->err, SM_ERR_MEMORY, "no memory for a header");
}

static bool begin_tensor(struct st_parser *p, const char *name, size_t n)
{
    uint32_t before = sm_names_count(p->seen), id = sm_names_add(p->seen, name, n);
    if (id == SM_NAME_NONE || !SM_VEC_ROOM(p->tensors, p->n, p->cap))
        return lack_memory(p);
    p->tensors[p->n++] =
        (struct st_tensor){.name = {sm_names_text(p->seen, id), n}, .first_dim = p->n_dims};
    return id == before || note_bad(p, "the name is there twice");
}

static bool st_key(void *ctx, const char *key, size_t n)
{
    struct st_parser *p = ctx;
    struct sm_text text = {key, n};
    p->field = NO_FIELD;
    if (p->depth == TOP) {
        p->metadata = sm_text_is(text, "__metadata__");
        return p->metadata || begin_tensor(p, key, n);
    }
    if (p->metadata) {
        sm_str_truncate(&p->key, 0);
        sm_str_addn(&p->key, key, n);
    } else if (p->depth == TENSOR) {
        p->field = sm_text_is(text, "dtype")          ? DTYPE
                   : sm_text_is(text, "shape")        ? SHAPE
                   : sm_text_is(text, "data_offsets") ? OFFSETS
                                                      : NO_FIELD;
    }
    return true;
}

static bool add_metadata(struct st_parser *p, const char *text, size_t n)
{
    struct sm_str json = {0};
    if (strcmp(sm_str_text(&p->key), SM_SAFETENSORS_SHARDS) == 0) {
        sm_str_addn(&p->shards, text, n);
        return !p->shards.failed || lack_memory(p);
    }
    struct sm_json_writer *w = sm_json_writer_new(&json);
    sm_json_text(w, text, n);
    sm_json_writer_free(w);
    bool ok = !json.failed && !p->key.failed &&
              sm_ckpt_add_leaf(p->out, (struct sm_text){sm_str_text(&p->key), p->key.len},
                               (struct sm_text){sm_str_text(&json), json.len});
    sm_str_clear(&json);
    return ok || lack_memory(p);
}

/* Elements of a type that is not known: nothing is wrong with the file. */
static bool note_unknown(struct st_parser *p, const char *type, size_t n)
{
    struct sm_err err;
    last_tensor(p)->unknown = true;
    sm_err_set(&err, SM_ERR_LIMIT, "tensor %.100s: elements of type %.*s are not read",
               last_tensor(p)->name.p, (int)(n < 40 ? n : 40), type);
    sm_ckpt_add_problem(p->out, PREFIX, &err);
    return true;
}

static bool st_string(void *ctx, const char *text, size_t n)
{
    struct st_parser *p = ctx;
    if (p->metadata)
        return p->depth != TENSOR || add_metadata(p, text, n);
    if (p->depth != TENSOR || p->field != DTYPE)
        return p->depth < TENSOR ? sm_err_set(p->err, SM_ERR_DATA, "a tensor is no object")
                                 : note_bad(p, "a text where a number belongs");
    last_tensor(p)->dtype = type_of(text, n);
    last_tensor(p)->has_dtype = true;
    return last_tensor(p)->dtype || note_unknown(p, text, n);
}

static bool st_number(void *ctx, const char *digits, size_t n)
{
    struct st_parser *p = ctx;
    int64_t v;
    if (p->metadata)
        return true;
    if (p->depth < TENSOR)
        return sm_err_set(p->err, SM_ERR_DATA, "a tensor is no object");
    struct st_tensor *t = last_tensor(p);
    if (p->depth != LIST || p->field < SHAPE)
        return note_bad(p, "a number where none belongs");
    if (!sm_json_int(digits, n, &v) || v < 0)
        return note_bad(p, "a size or offset that is negative, fractional or too large");
    if (p->field == OFFSETS) {
        if (t->n_offsets == 2)
            return note_bad(p, "more than two offsets");
        t->offsets[t->n_offsets++] = (uint64_t)v;
        return true;
    }
    if (t->n_dims == SM_CKPT_DIMS_MAX)
        return note_bad(p, "a shape of more than 32 dimensions");
    if (!SM_VEC_ROOM(p->dims, p->n_dims, p->cap_dims))
        return lack_memory(p);
    p->dims[p->n_dims++] = (uint64_t)v;
    t->n_dims++;
    return true;
}

static bool st_boolean(void *ctx, bool v)
{
    struct st_parser *p = ctx;
    (void)v;
    if (p->metadata)
        return true;
    return p->depth < TENSOR ? sm_err_set(p->err, SM_ERR_DATA, "a tensor is no object")
                             : note_bad(p, "a value of another type than expected");
}

static bool st_null(void *ctx)
{
    return st_boolean(ctx, false);
}

static bool st_start_map(void *ctx)
{
    struct st_parser *p = ctx;
    p->depth++;
    return p->depth <= TENSOR || p->metadata || note_bad(p, "an object where none belongs");
}

static bool st_start_array(void *ctx)
{
    struct st_parser *p = ctx;
    p->depth++;
    if (p->metadata)
        return true;
    if (p->depth < LIST)
        return sm_err_set(p->err, SM_ERR_DATA, "the header is a list, or a tensor is one");
    if (p->depth > LIST || p->field < SHAPE)
        return note_bad(p, "a list where none belongs");
    last_tensor(p)->has_shape = last_tensor(p)->has_shape || p->field == SHAPE;
    return true;
}

static bool st_end(void *ctx)
{
    struct st_parser *p = ctx;
    p->depth--;
    p->metadata = p->metadata && p->depth > TOP;
    return true;
}

static bool parse_header(struct st_parser *p, const char *text, size_t n)
{
    static const struct sm_json_ops ops = {.null = st_null,
                                           .boolean = st_boolean,
                                           .number = st_number,
                                           .string = st_string,
                                           .key = st_key,
                                           .start_map = st_start_map,
                                           .end_map = st_end,
                                           .start_array = st_start_array,
                                           .end_array = st_end};
    return sm_json_parse(text, n, &ops, p, p->err);
}

/* ---- tensors ---- */

static int by_offset(const void *a, const void *b)
{
    const struct st_tensor *x = a, *y = b;
    int order = (x->offsets[0] > y->offsets[0]) - (x->offsets[0] < y->offsets[0]);
    if (!order)
        order = (x->offsets[1] > y->offsets[1]) - (x->offsets[1] < y->offsets[1]);
    return order ? order : (x->name.p > y->name.p) - (x->name.p < y->name.p);
}

/* The elements must follow one another; *end is where the last of them ended. */
static void check_place(struct st_parser *p, const struct st_tensor *t, uint64_t data,
                        uint64_t *end)
{
    struct sm_err err;
    if (t->offsets[0] != *end) {
        sm_err_set(&err, SM_ERR_DATA, "tensor %s %s", t->name.p,
                   t->offsets[0] < *end ? "overlaps with the one before"
                                        : "begins after bytes that belong to none");
        sm_ckpt_add_problem(p->out, (int64_t)(data + t->offsets[0]), &err);
    }
    *end = t->offsets[1] > *end ? t->offsets[1] : *end;
}

/* The last tensor ends where the file does. What belongs to a bad one is not known. */
static void check_end(struct st_parser *p, uint64_t end)
{
    struct sm_err err;
    for (size_t i = 0; i < p->n; i++)
        if (p->tensors[i].bad)
            return;
    if (!p->parsed || end >= p->out->size_bytes)
        return;
    sm_err_set(&err, SM_ERR_DATA, "%llu bytes at the end belong to no tensor",
               (unsigned long long)(p->out->size_bytes - end));
    sm_ckpt_add_problem(p->out, (int64_t)end, &err);
}

/* False: no memory. */
static bool take_shape(struct st_parser *p, const struct st_tensor *t)
{
    struct sm_err err = {0};
    if (sm_ckpt_add_shape(p->out, t->name, t->n_dims, p->dims ? p->dims + t->first_dim : NULL,
                          &err) ||
        err.code == SM_ERR_MEMORY)
        return err.code != SM_ERR_MEMORY;
    sm_err_prefix(&err, "tensor %.100s", t->name.p);
    sm_ckpt_add_problem(p->out, -1, &err);
    return true;
}

static bool take_tensor(struct st_parser *p, const struct st_tensor *t, uint64_t data)
{
    struct sm_ckpt_file *out = p->out;
    struct sm_err err = {0};
    struct sm_ckpt_view v = {.name = t->name,
                             .dtype = t->dtype,
                             .n_dims = t->n_dims,
                             .dims = p->dims ? p->dims + t->first_dim : NULL,
                             .storage = (uint32_t)out->n_storages};
    uint64_t bytes = t->offsets[1] - t->offsets[0];
    bool fits =
        t->offsets[0] <= out->size_bytes - data && bytes <= out->size_bytes - data - t->offsets[0];
    if (!fits)
        sm_err_set(&err, SM_ERR_DATA, "ends at %llu, but the file has %llu bytes",
                   (unsigned long long)t->offsets[1] + data, (unsigned long long)out->size_bytes);
    struct sm_ckpt_storage s = {
        .offset = data + t->offsets[0], .stored_bytes = bytes, .size_bytes = bytes};
    struct sm_ckpt_tensor *x = fits && sm_ckpt_add_storage(out, &s, &err) != SM_NAME_NONE
                                   ? sm_ckpt_add_tensor(out, &v, &err)
                                   : NULL;
    if (x && sm_ckpt_stored_bytes(t->dtype, x->n) != bytes) {
        out->n--;
        x = NULL;
        sm_err_set(&err, SM_ERR_DATA, "its shape and type do not need %llu bytes",
                   (unsigned long long)bytes);
    }
    if (x || err.code == SM_ERR_MEMORY)
        return x;
    sm_err_prefix(&err, "tensor %.100s", t->name.p);
    sm_ckpt_add_problem(out, (int64_t)(data + t->offsets[0]), &err);
    return true;
}

static bool take_tensors(struct st_parser *p, uint64_t data)
{
    uint64_t end = 0;
    size_t n = p->n;
    for (p->n = 1; p->n <= n; p->n++) {
        struct st_tensor *t = last_tensor(p);
        if (!t->bad && (!t->has_dtype || !t->has_shape || t->n_offsets < 2))
            note_bad(p, "dtype, shape or data_offsets are missing");
        if (!t->bad && t->offsets[1] < t->offsets[0])
            note_bad(p, "its offsets go backward");
    }
    p->n = n;
    if (n)
        qsort(p->tensors, n, sizeof *p->tensors, by_offset);
    for (size_t i = 0; i < n; i++) {
        if (p->tensors[i].bad)
            continue;
        check_place(p, &p->tensors[i], data, &end);
        if (!(p->tensors[i].unknown ? take_shape(p, &p->tensors[i])
                                    : take_tensor(p, &p->tensors[i], data)))
            return lack_memory(p);
    }
    check_end(p, data + end);
    return true;
}

/* ---- the file ---- */

/* The header's text; NULL, with the reason in err. */
static char *read_header(const struct sm_file *f, const struct sm_ckpt_file *out, size_t *n,
                         struct sm_err *err)
{
    uint8_t prefix[PREFIX];
    size_t got;
    if (!sm_file_read(f, 0, prefix, sizeof prefix, &got, err))
        return NULL;
    uint64_t length = got == sizeof prefix ? sm_get_u64(prefix) : 0;
    if (got < sizeof prefix || length > HEADER_MAX || length > out->size_bytes - PREFIX) {
        sm_err_set(err, SM_ERR_DATA,
                   got < sizeof prefix ? "the file is too short for safetensors"
                                       : "a header of %llu bytes in a file of %llu bytes",
                   (unsigned long long)length, (unsigned long long)out->size_bytes);
        return NULL;
    }
    char *text = sm_alloc((size_t)length + 1);
    bool ok = text && sm_file_read(f, PREFIX, text, (size_t)length, &got, err);
    if (!text)
        sm_err_set(err, SM_ERR_MEMORY, "no memory for a header");
    else if (ok && got < length)
        ok = sm_err_set(err, SM_ERR_DATA, "the file ends inside of its header");
    if (!ok)
        sm_free(text);
    *n = (size_t)length;
    return ok ? text : NULL;
}

static bool st_read(const struct sm_file *f, struct sm_ckpt_file *out, int64_t *at,
                    struct sm_err *err)
{
    size_t n;
    *at = 0;
    char *text = read_header(f, out, &n, err);
    if (!text)
        return false;
    *at = PREFIX;
    struct st_parser p = {.out = out, .err = err, .seen = sm_names_new()};
    p.parsed = p.seen ? parse_header(&p, text, n) : lack_memory(&p);
    struct sm_err why = p.parsed || p.no_memory ? (struct sm_err){0} : *err;
    bool ok = !p.no_memory && take_tensors(&p, PREFIX + n);
    if (ok && p.shards.len)
        ok = sm_safetensors_take_offsets(out, (struct sm_text){p.shards.data, p.shards.len}) ||
             lack_memory(&p);
    if (ok && !p.parsed)
        *err = why;
    sm_names_free(p.seen);
    sm_free(p.tensors);
    sm_free(p.dims);
    sm_str_clear(&p.key);
    sm_str_clear(&p.shards);
    sm_free(text);
    return ok && p.parsed;
}

const struct sm_ckpt_format sm_ckpt_format_safetensors = {
    .files = SM_FILES_SAFETENSORS, .begins = st_begins, .owns = st_owns, .read = st_read};
