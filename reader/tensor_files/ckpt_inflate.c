/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor_files/ckpt_inflate.h"

#include "reader/base/mem.h"

#include <string.h>

enum { PIECE = 64 << 10 };

bool sm_ckpt_inflate_begin(struct sm_ckpt_inflate *x, uint64_t offset, uint64_t n)
{
    *x = (struct sm_ckpt_inflate){.in_at = offset, .in_end = offset + n, .in = sm_alloc(PIECE)};
    if (x->in && inflateInit2(&x->z, -MAX_WBITS) == Z_OK)
        return true;
    sm_free(x->in);
    x->in = NULL;
    return false;
}

void sm_ckpt_inflate_end(struct sm_ckpt_inflate *x)
{
    if (x->in)
        inflateEnd(&x->z);
    sm_free(x->in);
    x->in = NULL;
}

static bool fill(struct sm_ckpt_inflate *x, sm_ckpt_read_packed *read, void *ctx,
                 struct sm_err *err)
{
    uint64_t left = x->in_end - x->in_at;
    size_t n = left < PIECE ? (size_t)left : PIECE;
    if (x->z.avail_in || !n)
        return true;
    if (!read(ctx, x->in_at, x->in, n, err))
        return false;
    x->in_at += n;
    x->z.next_in = x->in;
    x->z.avail_in = (uInt)n;
    return true;
}

/* Exactly n bytes. */
static bool produce(struct sm_ckpt_inflate *x, uint8_t *out, size_t n, sm_ckpt_read_packed *read,
                    void *ctx, struct sm_err *err)
{
    while (n > 0) {
        uInt most = n < PIECE ? (uInt)n : PIECE;
        if (!fill(x, read, ctx, err))
            return false;
        x->z.next_out = out;
        x->z.avail_out = most;
        int code = inflate(&x->z, Z_NO_FLUSH);
        size_t got = most - x->z.avail_out;
        if (code != Z_OK && (code != Z_STREAM_END || got < n))
            return sm_err_set(err, SM_ERR_DATA, "damaged or too few compressed bytes");
        out += got;
        n -= got;
        x->at += got;
    }
    return true;
}

bool sm_ckpt_inflate_read(struct sm_ckpt_inflate *x, uint64_t at, void *buf, size_t n,
                          sm_ckpt_read_packed *read, void *ctx, struct sm_err *err)
{
    uint8_t *dropped = x->at < at ? sm_alloc(PIECE) : NULL;
    bool ok = x->at >= at || dropped || sm_err_set(err, SM_ERR_MEMORY, "no memory");
    while (ok && x->at < at)
        ok = produce(x, dropped, at - x->at < PIECE ? (size_t)(at - x->at) : PIECE, read, ctx, err);
    sm_free(dropped);
    return ok && produce(x, buf, n, read, ctx, err);
}
