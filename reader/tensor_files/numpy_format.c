/* SPDX-License-Identifier: Apache-2.0 */
/* The formats .npy, an array, and .npz, a zip of arrays. */
#include "reader/base/bytes.h"
#include "reader/base/crc32.h"
#include "reader/base/map.h"
#include "reader/pickle/zip_directory.h"
#include "reader/tensor_files/ckpt_format.h"
#include "reader/tensor_files/npy_header.h"

#include <string.h>

enum { TEXTS_MAX = 16 << 20 };

/* An array, as a file or a member of a zip. */
struct array {
    const struct sm_file *file;
    struct sm_ckpt_file *out;
    struct sm_text name;
    uint64_t at, stored_bytes, size_bytes; /* of all of it in the file */
    uint32_t crc32, crc32_before;          /* as in struct sm_ckpt_storage */
    bool deflated;
    struct sm_byte_stream stream; /* of its bytes */
};

/* Exactly n bytes of the array, which follow those read before. */
static bool take_bytes(struct array *a, void *buf, size_t n, struct sm_err *err)
{
    size_t got;
    if (!sm_byte_stream_read(&a->stream, buf, n, &got, err))
        return false;
    return got == n || sm_err_set(err, SM_ERR_DATA, "the array ends inside of its header");
}

/* The bytes of the header; NULL with the reason in err. */
static uint8_t *read_header(struct array *a, size_t *n, struct sm_err *err)
{
    uint8_t prefix[SM_NPY_PREFIX];
    size_t most = a->size_bytes < sizeof prefix ? (size_t)a->size_bytes : sizeof prefix;
    if (!take_bytes(a, prefix, most, err))
        return NULL;
    *n = sm_npy_header_bytes(prefix, most, err);
    if (!*n)
        return NULL;
    if (*n > a->size_bytes) {
        sm_err_set(err, SM_ERR_DATA, "a header of %zu bytes in %llu", *n,
                   (unsigned long long)a->size_bytes);
        return NULL;
    }
    uint8_t *header = sm_alloc(*n);
    if (!header) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory for a header");
        return NULL;
    }
    memcpy(header, prefix, sizeof prefix);
    if (take_bytes(a, header + sizeof prefix, *n - sizeof prefix, err))
        return header;
    sm_free(header);
    return NULL;
}

/* ---- texts ---- */

static uint32_t rune_at(const uint8_t *p, bool big_endian)
{
    if (big_endian)
        return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    return sm_get_u32(p);
}

/* Appends a text of an array, without the zeros that fill it up. */
static void add_text(struct sm_str *out, const struct sm_npy_header *h, const uint8_t *p)
{
    size_t unit = h->unicode ? 4 : 1, n = (size_t)h->text_bytes / unit;
    while (n && (h->unicode ? !rune_at(p + 4 * (n - 1), h->big_endian) : !p[n - 1]))
        n--;
    for (size_t i = 0; i < n; i++) {
        char utf8[4];
        if (h->unicode)
            sm_str_addn(out, utf8, sm_utf8_encode(rune_at(p + 4 * i, h->big_endian), utf8));
        else
            sm_str_addc(out, (char)p[i]);
    }
}

/* Texts are read with the header. */
static bool add_texts(struct array *a, const struct sm_npy_header *h, struct sm_err *err)
{
    uint64_t n = 1;
    for (unsigned i = 0; i < h->n_dims; i++)
        n = h->dims[i] && n > TEXTS_MAX / h->dims[i] ? TEXTS_MAX + 1ull : n * h->dims[i];
    if (n > TEXTS_MAX || (n && h->text_bytes > TEXTS_MAX / n) || h->fortran)
        return sm_err_set(err, SM_ERR_LIMIT, "more texts than are read of an array");
    size_t bytes = (size_t)(n * h->text_bytes);
    uint8_t *raw = sm_alloc(bytes + 1);
    struct sm_text *texts = sm_alloc((size_t)(n + 1) * sizeof *texts);
    struct sm_str all = {0};
    bool ok = raw && texts;
    if (!ok)
        sm_err_set(err, SM_ERR_MEMORY, "no memory for texts");
    ok = ok && take_bytes(a, raw, bytes, err);
    for (uint64_t i = 0; i < n && ok; i++) {
        size_t from = all.len;
        add_text(&all, h, raw + i * h->text_bytes);
        texts[i] = (struct sm_text){(const char *)from, all.len - from};
    }
    for (uint64_t i = 0; i < n && ok; i++)
        texts[i].p = sm_str_text(&all) + (size_t)texts[i].p;
    if (ok && all.failed)
        ok = sm_err_set(err, SM_ERR_MEMORY, "no memory for texts");
    ok = ok && sm_ckpt_add_strings(a->out, a->name, h->n_dims, h->dims, texts, err);
    sm_free(raw);
    sm_free(texts);
    sm_str_clear(&all);
    return ok;
}

/* ---- arrays ---- */

static void fortran_strides(const struct sm_npy_header *h, int64_t *out)
{
    uint64_t stride = 1;
    for (unsigned i = 0; i < h->n_dims; i++) {
        out[i] = (int64_t)stride;
        stride *= h->dims[i] ? h->dims[i] : 1; /* add_tensor refuses what overflows */
    }
}

static bool add_elements(struct array *a, const struct sm_npy_header *h, size_t header,
                         struct sm_err *err)
{
    int64_t strides[SM_CKPT_DIMS_MAX];
    struct sm_ckpt_storage s = {.offset = a->at + (a->deflated ? 0 : header),
                                .stored_bytes = a->stored_bytes - (a->deflated ? 0 : header),
                                .size_bytes = a->size_bytes - header,
                                .crc32 = a->crc32,
                                .crc32_before = a->crc32_before,
                                .skip_bytes = a->deflated ? header : 0,
                                .deflated = a->deflated,
                                .big_endian = h->big_endian};
    struct sm_ckpt_view v = {.name = a->name,
                             .dtype = h->dtype,
                             .n_dims = h->n_dims,
                             .dims = h->dims,
                             .strides = h->fortran ? strides : NULL};
    fortran_strides(h, strides);
    v.storage = sm_ckpt_add_storage(a->out, &s, err);
    return v.storage != SM_NAME_NONE && sm_ckpt_add_tensor(a->out, &v, err);
}

static bool read_array(struct array *a, struct sm_err *err)
{
    struct sm_npy_header h;
    size_t n = 0;
    uint8_t *header = read_header(a, &n, err);
    bool ok = header && sm_npy_header_parse(header, n, &h, err);
    a->crc32_before = a->crc32 && ok ? sm_crc32(header, n) : 0;
    sm_free(header);
    return ok && (h.dtype == SM_DTYPE_STRING ? add_texts(a, &h, err) : add_elements(a, &h, n, err));
}

static bool npy_begins(const uint8_t *head, size_t n)
{
    return n >= 6 && memcmp(head, "\x93NUMPY", 6) == 0;
}

static bool npy_owns(const char *name, const uint8_t *head, size_t n)
{
    (void)head;
    (void)n;
    return sm_ends_with(name, ".npy");
}

static bool npy_read(const struct sm_file *f, struct sm_ckpt_file *out, int64_t *at,
                     struct sm_err *err)
{
    struct sm_file_span span;
    *at = 0;
    if (!sm_span_of_file(&span, f, err))
        return false;
    struct array a = {.file = f,
                      .out = out,
                      .name = SM_TEXT(""),
                      .stored_bytes = out->size_bytes,
                      .size_bytes = out->size_bytes};
    bool ok = sm_byte_stream_open(&a.stream, span, SM_PACKING_NONE, 0, err) && read_array(&a, err);
    sm_byte_stream_close(&a.stream);
    return ok;
}

const struct sm_ckpt_format sm_ckpt_format_npy = {
    .files = SM_FILES_NPY, .begins = npy_begins, .owns = npy_owns, .read = npy_read};

/* ---- zips of arrays ---- */

static bool npz_begins(const uint8_t *head, size_t n)
{
    return sm_zip_first_ends_with(head, n, ".npy");
}

static bool npz_owns(const char *name, const uint8_t *head, size_t n)
{
    (void)head;
    (void)n;
    return sm_ends_with(name, ".npz");
}

static bool read_member(const struct sm_zip *z, const struct sm_zip_member *m,
                        struct sm_ckpt_file *out, struct sm_err *err)
{
    struct sm_file_span span;
    if (!sm_zip_span(z, m, &span, err))
        return false;
    struct array a = {.file = span.file,
                      .out = out,
                      .name = {m->name.p, m->name.n - strlen(".npy")},
                      .at = span.at,
                      .stored_bytes = span.size_bytes,
                      .size_bytes = m->size_bytes,
                      .crc32 = m->crc32,
                      .deflated = m->method == SM_ZIP_DEFLATED};
    bool ok = sm_zip_stream(z, m, &a.stream, err) && read_array(&a, err);
    sm_byte_stream_close(&a.stream);
    return ok;
}

static bool is_array(struct sm_text name)
{
    return name.n > 4 && memcmp(name.p + name.n - 4, ".npy", 4) == 0;
}

/* False: no memory. */
static bool read_members(const struct sm_zip *z, struct sm_ckpt_file *out, struct sm_err *err)
{
    bool ok = true;
    for (size_t i = 0; i < z->n_members - z->last_cut && ok; i++) {
        const struct sm_zip_member *m = &z->members[i];
        struct sm_err why = {0};
        if (!is_array(m->name) || read_member(z, m, out, &why))
            continue;
        ok = why.code != SM_ERR_MEMORY || sm_err_set(err, SM_ERR_MEMORY, "no memory for an array");
        sm_err_prefix(&why, "%.*s", (int)(m->name.n < 80 ? m->name.n : 80), m->name.p);
        sm_ckpt_add_problem(out, (int64_t)m->header_at, &why);
    }
    return ok;
}

static bool npz_read(const struct sm_file *f, struct sm_ckpt_file *out, int64_t *at,
                     struct sm_err *err)
{
    struct sm_file_span span;
    struct sm_zip z = {0};
    struct sm_err why = {0};
    *at = -1;
    bool ok = sm_span_of_file(&span, f, err) && sm_zip_open(&z, span, err);
    if (ok)
        sm_zip_announce(&z);
    if (ok)
        ok = read_members(&z, out, err);
    else if (err->code == SM_ERR_DATA && sm_zip_open_cut(&z, span, NULL, NULL, &why)) {
        *at = (int64_t)span.size_bytes;
        read_members(&z, out, err);
    }
    sm_zip_close(&z);
    return ok;
}

const struct sm_ckpt_format sm_ckpt_format_npz = {
    .files = SM_FILES_NPY, .begins = npz_begins, .owns = npz_owns, .read = npz_read};
