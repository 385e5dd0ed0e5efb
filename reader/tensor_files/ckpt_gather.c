/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor_files/ckpt_gather.h"

#include <string.h>

enum { WINDOW = 64 << 10, DIRECT = 16 << 10, UNPACKED = 4 << 10 };

/* A piece as rows: elements at equal distances, in the storage and in the tensor. */
struct rows {
    const struct sm_ckpt_piece *piece;
    const struct sm_ckpt_storage *storage;
    enum sm_dtype dtype;
    unsigned n_outer; /* axes that count rows; those after them are in the row */
    int64_t in_storage[SM_CKPT_DIMS_MAX], in_tensor[SM_CKPT_DIMS_MAX];
    uint64_t n_rows, length;           /* rows; elements of a row */
    int64_t storage_step, tensor_step; /* between elements of a row */
    uint64_t storage_first, tensor_first;
};
struct gather {
    struct sm_ckpt_bytes *bytes;
    uint64_t from, n; /* elements of the tensor that are wanted */
    uint8_t *out;
    size_t size;         /* of an element in memory */
    const uint8_t *held; /* the whole storage, or NULL */
    uint64_t window_at;  /* byte of the storage */
    size_t window_n;
    uint8_t window[WINDOW];
    struct sm_err *err;
};

/* ---- rows of a piece ---- */

static void make_rows(const struct sm_ckpt_tensor *t, const struct sm_ckpt_piece *p, struct rows *r)
{
    int64_t own[SM_CKPT_DIMS_MAX];
    sm_ckpt_c_strides(t->dims, t->n_dims, r->in_tensor);
    sm_ckpt_c_strides(p->dims, t->n_dims, own);
    memcpy(r->in_storage, p->strides ? p->strides : own, t->n_dims * sizeof *own);
    r->piece = p;
    r->dtype = (enum sm_dtype)t->dtype;
    r->storage_first = p->first;
    r->tensor_first = 0;
    for (unsigned i = 0; i < t->n_dims && p->origin; i++)
        r->tensor_first += p->origin[i] * (uint64_t)r->in_tensor[i];
    r->length = 1;
    r->storage_step = r->tensor_step = 1;
    unsigned k = t->n_dims;
    for (; k > 0; k--) {
        uint64_t size = p->dims[k - 1];
        if (size == 1)
            continue;
        if (r->length == 1) {
            r->storage_step = r->in_storage[k - 1];
            r->tensor_step = r->in_tensor[k - 1];
        } else if (r->in_storage[k - 1] != r->storage_step * (int64_t)r->length ||
                   r->in_tensor[k - 1] != r->tensor_step * (int64_t)r->length) {
            break;
        }
        r->length *= size;
    }
    r->n_outer = k;
    r->n_rows = 1;
    for (unsigned i = 0; i < k; i++)
        r->n_rows *= p->dims[i];
}

/* Where row `i` begins. */
static void row_start(const struct rows *r, uint64_t i, uint64_t *in_storage, uint64_t *in_tensor)
{
    *in_storage = r->storage_first;
    *in_tensor = r->tensor_first;
    for (unsigned k = r->n_outer; k-- > 0; i /= r->piece->dims[k]) {
        uint64_t at = i % r->piece->dims[k];
        *in_storage += at * (uint64_t)r->in_storage[k];
        *in_tensor += at * (uint64_t)r->in_tensor[k];
    }
}

/* The first row that ends behind an element of the tensor. */
static uint64_t first_row(const struct rows *r, uint64_t element)
{
    uint64_t lo = 0, hi = r->n_rows, in_storage, in_tensor;
    uint64_t span = (r->length - 1) * (uint64_t)r->tensor_step;
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        row_start(r, mid, &in_storage, &in_tensor);
        if (in_tensor + span < element)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* ---- bytes of a storage ---- */

static bool read_bytes(struct gather *g, const struct rows *r, uint64_t at, uint8_t *to, size_t n)
{
    if (g->held) {
        memcpy(to, g->held + at, n);
        return true;
    }
    if (n >= DIRECT)
        return g->bytes->read(g->bytes, r->storage, at, to, n, g->err);
    if (at < g->window_at || at + n > g->window_at + g->window_n) {
        uint64_t left = r->storage->size_bytes - at;
        g->window_at = at;
        g->window_n = left < WINDOW ? (size_t)left : WINDOW;
        if (!g->bytes->read(g->bytes, r->storage, at, g->window, g->window_n, g->err)) {
            g->window_n = 0;
            return false;
        }
    }
    memcpy(to, g->window + (at - g->window_at), n);
    return true;
}

/* Elements of 4 or 6 bits, the lowest bits of a byte first. */
static bool read_packed(struct gather *g, const struct rows *r, unsigned bits, uint64_t at,
                        uint8_t *to, uint64_t n)
{
    uint8_t packed[UNPACKED];
    uint64_t most = sizeof packed * 8 / bits - 8;
    for (uint64_t done = 0, part; done < n; done += part) {
        part = n - done < most ? n - done : most;
        uint64_t first_bit = (at + done) % 8 * bits, byte = (at + done) / 8 * bits + first_bit / 8;
        unsigned shift = first_bit % 8;
        size_t bytes = (size_t)((shift + part * bits + 7) / 8);
        if (!read_bytes(g, r, byte, packed, bytes))
            return false;
        for (uint64_t i = 0; i < part; i++) {
            size_t bit = shift + (size_t)i * bits;
            unsigned two = packed[bit / 8] | (bit / 8 + 1 < bytes ? packed[bit / 8 + 1] << 8 : 0);
            to[done + i] = (uint8_t)(two >> bit % 8 & ((1u << bits) - 1));
        }
    }
    return true;
}

/* n elements that follow one another in the storage. */
static bool read_elements(struct gather *g, const struct rows *r, uint64_t at, uint8_t *to,
                          uint64_t n)
{
    unsigned bits = sm_dtype_stored_bits(r->dtype);
    return bits % 8 ? read_packed(g, r, bits, at, to, n)
                    : read_bytes(g, r, at * g->size, to, (size_t)n * g->size);
}

/* ---- rows that are wanted ---- */

/* Elements [i, i + n) of a row that begins there. */
static bool copy_row(struct gather *g, const struct rows *r, uint64_t in_storage,
                     uint64_t in_tensor, uint64_t i, uint64_t n)
{
    in_storage += i * (uint64_t)r->storage_step;
    in_tensor += i * (uint64_t)r->tensor_step;
    uint8_t *to = g->out + (in_tensor - g->from) * g->size;
    if (r->storage_step == 1 && r->tensor_step == 1)
        return read_elements(g, r, in_storage, to, n);
    for (; n > 0; n--) {
        if (!read_elements(g, r, in_storage, to, 1))
            return false;
        in_storage += (uint64_t)r->storage_step;
        to += r->tensor_step * (int64_t)g->size;
    }
    return true;
}

/* Whether elements lie so far apart that a window has few of them. */
static bool is_scattered(const struct rows *r)
{
    int64_t step = r->storage_step < 0 ? -r->storage_step : r->storage_step;
    return r->length > 1 && (step > 1 || r->storage_step < 0);
}

static bool copy_rows(struct gather *g, const struct rows *r)
{
    uint64_t end = g->from + g->n, in_storage, in_tensor;
    for (uint64_t row = first_row(r, g->from); row < r->n_rows; row++) {
        row_start(r, row, &in_storage, &in_tensor);
        if (in_tensor >= end)
            break;
        uint64_t step = (uint64_t)r->tensor_step, i = 0, n = r->length;
        if (in_tensor < g->from)
            i = (g->from - in_tensor + step - 1) / step;
        if (in_tensor + (n - 1) * step >= end)
            n = (end - in_tensor + step - 1) / step;
        if (i < n && !copy_row(g, r, in_storage, in_tensor, i, n - i))
            return false;
    }
    return true;
}

/* ---- changes ---- */

static void reverse_bytes(uint8_t *p, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++, p += size)
        for (size_t k = 0; k < size / 2; k++) {
            uint8_t byte = p[k];
            p[k] = p[size - 1 - k];
            p[size - 1 - k] = byte;
        }
}

/* Changes the sign of every `each`-th number, from `first` on. */
static void negate(enum sm_dtype d, uint8_t *p, uint64_t n, size_t first, size_t each)
{
    const struct sm_dtype_info *info = sm_dtype_info(d);
    bool complex = info->kind == SM_KIND_COMPLEX, real = info->kind == SM_KIND_FLOAT || complex;
    size_t size = info->size_bytes / (complex ? 2u : 1u);
    for (uint64_t i = first; i < n * (complex ? 2 : 1); i += each) {
        uint8_t *x = p + i * size;
        unsigned carry = 1;
        if (real) {
            x[size - 1] ^= 0x80;
            continue;
        }
        for (size_t k = 0; k < size; k++) {
            carry += (uint8_t)~x[k];
            x[k] = (uint8_t)carry;
            carry >>= 8;
        }
    }
}

static void change_elements(const struct sm_ckpt_tensor *t, uint8_t *out, uint64_t n)
{
    enum sm_dtype d = (enum sm_dtype)t->dtype;
    if (t->change & SM_CKPT_NEGATED)
        negate(d, out, n, 0, 1);
    if (t->change & SM_CKPT_CONJUGATED && sm_dtype_info(d)->kind == SM_KIND_COMPLEX)
        negate(d, out, n, 1, 2);
}

/* ---- all ---- */

static bool gather_piece(struct gather *g, const struct sm_ckpt_storage *storages,
                         const struct sm_ckpt_tensor *t, const struct sm_ckpt_piece *p)
{
    struct rows r;
    for (unsigned i = 0; i < t->n_dims; i++)
        if (!p->dims[i])
            return true;
    make_rows(t, p, &r);
    r.storage = &storages[p->storage];
    g->window_at = g->window_n = 0;
    g->held = r.storage->bytes;
    if (!g->held && is_scattered(&r) && r.storage->size_bytes < SM_CKPT_HELD_MAX)
        g->held = g->bytes->hold(g->bytes, r.storage);
    return copy_rows(g, &r);
}

bool sm_ckpt_gather(struct sm_ckpt_bytes *b, const struct sm_ckpt_storage *storages,
                    const struct sm_ckpt_tensor *t, uint64_t from, uint64_t n, uint8_t *out,
                    struct sm_err *err)
{
    struct gather g;
    g.bytes = b;
    g.from = from;
    g.n = n;
    g.out = out;
    g.size = sm_dtype_info((enum sm_dtype)t->dtype)->size_bytes;
    g.err = err;
    bool ok = true, reversed = false;
    if (t->n_pieces != 1 || t->pieces->origin ||
        memcmp(t->pieces->dims, t->dims, t->n_dims * sizeof *t->dims) != 0)
        memset(out, 0, (size_t)n * g.size);
    for (uint32_t i = 0; i < t->n_pieces && ok && n; i++) {
        ok = gather_piece(&g, storages, t, &t->pieces[i]);
        reversed = reversed || storages[t->pieces[i].storage].big_endian;
    }
    if (reversed) {
        bool complex = sm_dtype_info((enum sm_dtype)t->dtype)->kind == SM_KIND_COMPLEX;
        reverse_bytes(out, (size_t)n * (complex ? 2 : 1), g.size / (complex ? 2u : 1u));
    }
    if (ok && t->change)
        change_elements(t, out, n);
    return ok;
}
