/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor_files/npy_header.h"

#include "reader/base/bytes.h"

#include <string.h>

static const uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
enum { MAGIC = sizeof magic };

size_t sm_npy_header_bytes(const uint8_t *p, size_t n, struct sm_err *err)
{
    if (n < MAGIC || memcmp(p, magic, MAGIC) != 0) {
        sm_err_set(err, SM_ERR_DATA, n ? "no array of numpy" : "the array is empty");
        return 0;
    }
    if (n < SM_NPY_PREFIX) {
        sm_err_set(err, SM_ERR_DATA, "the array ends inside of its header");
        return 0;
    }
    if (p[6] < 1 || p[6] > 3) {
        sm_err_set(err, SM_ERR_DATA, "version %d.%d of numpy's format is not known", p[6], p[7]);
        return 0;
    }
    size_t length = p[6] == 1 ? 10 + (size_t)(p[8] | p[9] << 8) : 12 + (size_t)sm_get_u32(p + 8);
    if (length <= SM_NPY_HEADER_MAX && length >= SM_NPY_PREFIX)
        return length;
    sm_err_set(err, SM_ERR_DATA, "a header of %zu bytes", length);
    return 0;
}

/* ---- the dictionary ---- */

struct literal {
    const char *p, *end;
};

static void skip_blanks(struct literal *l)
{
    while (l->p < l->end && strchr(" \t\r\n", *l->p))
        l->p++;
}

static bool take_char(struct literal *l, char c)
{
    skip_blanks(l);
    if (l->p == l->end || *l->p != c)
        return false;
    l->p++;
    return true;
}

static bool take_word(struct literal *l, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(l);
    if ((size_t)(l->end - l->p) < n || memcmp(l->p, word, n) != 0)
        return false;
    l->p += n;
    return true;
}

/* A text without escapes. */
static bool take_text(struct literal *l, struct sm_text *out)
{
    skip_blanks(l);
    if (l->p == l->end || !strchr("'\"", *l->p))
        return false;
    char quote = *l->p++;
    const char *from = l->p;
    while (l->p < l->end && *l->p != quote && *l->p != '\\')
        l->p++;
    *out = (struct sm_text){from, (size_t)(l->p - from)};
    return l->p < l->end && *l->p++ == quote;
}

static bool take_number(struct literal *l, uint64_t *out)
{
    enum { DIGITS_MAX = 18 };
    skip_blanks(l);
    const char *from = l->p;
    *out = 0;
    for (; l->p < l->end && *l->p >= '0' && *l->p <= '9' && l->p - from <= DIGITS_MAX; l->p++)
        *out = *out * 10 + (uint64_t)(*l->p - '0');
    bool any = l->p > from && l->p - from <= DIGITS_MAX;
    take_char(l, 'L'); /* of Python 2 */
    return any;
}

static bool take_shape(struct literal *l, struct sm_npy_header *out)
{
    if (!take_char(l, '('))
        return false;
    for (out->n_dims = 0; !take_char(l, ')');) {
        if (out->n_dims == SM_CKPT_DIMS_MAX || !take_number(l, &out->dims[out->n_dims++]))
            return false;
        if (!take_char(l, ','))
            return take_char(l, ')');
    }
    return true;
}

/* ---- types ---- */

static enum sm_dtype type_of(struct sm_text t)
{
    static const struct {
        const char *name;
        enum sm_dtype dtype;
    } rows[] = {{"f4", SM_DTYPE_FLOAT32},   {"f8", SM_DTYPE_FLOAT64},    {"f2", SM_DTYPE_FLOAT16},
                {"i8", SM_DTYPE_INT64},     {"i4", SM_DTYPE_INT32},      {"i2", SM_DTYPE_INT16},
                {"i1", SM_DTYPE_INT8},      {"u8", SM_DTYPE_UINT64},     {"u4", SM_DTYPE_UINT32},
                {"u2", SM_DTYPE_UINT16},    {"u1", SM_DTYPE_UINT8},      {"b1", SM_DTYPE_BOOL},
                {"c8", SM_DTYPE_COMPLEX64}, {"c16", SM_DTYPE_COMPLEX128}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sm_text_is(t, rows[i].name))
            return rows[i].dtype;
    return SM_DTYPE_NONE;
}

/* "<f4", "|b1", "<U9", "|S3" */
static bool take_type(struct sm_text t, struct sm_npy_header *out, struct sm_err *err)
{
    struct sm_text name = t;
    if (t.n && strchr("<>|=", *t.p)) {
        out->big_endian = *t.p == '>';
        name = (struct sm_text){t.p + 1, t.n - 1};
    }
    struct literal digits = {name.p + (name.n > 0), name.p + name.n};
    uint64_t size;
    out->dtype = type_of(name);
    if (name.n > 1 && strchr("US", *name.p) && take_number(&digits, &size) &&
        digits.p == digits.end) {
        out->dtype = SM_DTYPE_STRING;
        out->unicode = *name.p == 'U';
        out->text_bytes = size * (out->unicode ? 4 : 1);
        return true;
    }
    if (name.n && *name.p == 'O')
        return sm_err_set(err, SM_ERR_DATA, "an array of objects of Python: nothing of it is read");
    return out->dtype || sm_err_set(err, SM_ERR_DATA, "elements of type %.*s are not known",
                                    (int)(t.n < 20 ? t.n : 20), t.p);
}

static bool take_member(struct literal *l, struct sm_text key, unsigned *seen,
                        struct sm_npy_header *out, struct sm_err *err)
{
    struct sm_text type;
    if (sm_text_is(key, "descr")) {
        *seen |= 1;
        return take_text(l, &type)
                   ? take_type(type, out, err)
                   : sm_err_set(err, SM_ERR_DATA, "a record of several fields, or no element type");
    }
    if (sm_text_is(key, "fortran_order")) {
        *seen |= 2;
        out->fortran = take_word(l, "True");
        return out->fortran || take_word(l, "False") ||
               sm_err_set(err, SM_ERR_DATA, "fortran_order is neither True nor False");
    }
    if (!sm_text_is(key, "shape"))
        return sm_err_set(err, SM_ERR_DATA, "a header with an unknown key");
    *seen |= 4;
    return take_shape(l, out) || sm_err_set(err, SM_ERR_DATA, "a shape of no sizes");
}

bool sm_npy_header_parse(const uint8_t *p, size_t n, struct sm_npy_header *out, struct sm_err *err)
{
    size_t prefix = p[6] == 1 ? 10 : 12;
    struct literal l = {(const char *)p + prefix, (const char *)p + n};
    struct sm_text key;
    unsigned seen = 0;
    *out = (struct sm_npy_header){0};
    if (!take_char(&l, '{'))
        return sm_err_set(err, SM_ERR_DATA, "the header is no dictionary");
    while (!take_char(&l, '}')) {
        if (!take_text(&l, &key) || !take_char(&l, ':'))
            return sm_err_set(err, SM_ERR_DATA, "the header is no dictionary of texts");
        if (!take_member(&l, key, &seen, out, err))
            return false;
        if (!take_char(&l, ',') && (take_char(&l, '}') || true))
            break;
    }
    return seen == 7 || sm_err_set(err, SM_ERR_DATA, "descr, fortran_order or shape are missing");
}
