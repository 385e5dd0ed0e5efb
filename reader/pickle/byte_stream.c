/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/pickle/byte_stream.h"
#include "reader/base/mem.h"

#include <inttypes.h>
#define ZLIB_CONST
#include <zlib.h>

enum { PACKED_PIECE = 64 * 1024, SKIP_PIECE = 16 * 1024, PIECE_MAX = 1 << 30 };

struct sm_inflating {
    z_stream z;
    uint64_t taken; /* bytes of the range that were read */
    bool ended;
    uint8_t packed[PACKED_PIECE];
};

bool sm_span_read(const struct sm_file_span *s, uint64_t offset, void *buf, size_t n,
                  struct sm_err *err)
{
    size_t got = 0;
    if (offset > s->size_bytes || n > s->size_bytes - offset)
        return sm_err_set(err, SM_ERR_DATA, "%zu bytes at byte %" PRIu64 " are beyond the end", n,
                          s->at + offset);
    if (!sm_file_read(s->file, s->at + offset, buf, n, &got, err))
        return false;
    return got == n ||
           sm_err_set(err, SM_ERR_DATA, "the file ends at byte %" PRIu64, s->at + offset + got);
}

bool sm_span_of_file(struct sm_file_span *s, const struct sm_file *file, struct sm_err *err)
{
    struct sm_stat st;
    if (!sm_source_stat(file->source, file->path, &st, err))
        return false;
    *s = (struct sm_file_span){file, 0, st.size_bytes};
    return true;
}

bool sm_byte_stream_open(struct sm_byte_stream *s, struct sm_file_span span,
                         enum sm_packing packing, uint64_t size_bytes, struct sm_err *err)
{
    *s = (struct sm_byte_stream){.span = span, .packing = packing, .size_bytes = size_bytes};
    if (packing == SM_PACKING_NONE) {
        s->size_bytes = span.size_bytes;
        return true;
    }
    s->inflating = sm_alloc_zero(1, sizeof *s->inflating);
    if (s->inflating && inflateInit2(&s->inflating->z, -MAX_WBITS) == Z_OK)
        return true;
    sm_free(s->inflating);
    s->inflating = NULL;
    return sm_err_set(err, SM_ERR_MEMORY, "no memory to inflate");
}

static bool take_packed(struct sm_byte_stream *s, struct sm_err *err)
{
    struct sm_inflating *f = s->inflating;
    uint64_t left = s->span.size_bytes - f->taken;
    size_t n = left < sizeof f->packed ? (size_t)left : sizeof f->packed;
    if (f->z.avail_in)
        return true;
    if (!n)
        return sm_err_set(err, SM_ERR_DATA, "deflated bytes end too early, at byte %" PRIu64,
                          s->span.at + f->taken);
    if (!sm_span_read(&s->span, f->taken, f->packed, n, err))
        return false;
    f->taken += n;
    f->z.next_in = f->packed;
    f->z.avail_in = (uInt)n;
    return true;
}

static bool inflate_more(struct sm_byte_stream *s, uint8_t *buf, size_t n, size_t *got,
                         struct sm_err *err)
{
    struct sm_inflating *f = s->inflating;
    for (*got = 0; *got < n && !f->ended;) {
        if (!take_packed(s, err))
            return false;
        uInt room = (uInt)(n - *got < PIECE_MAX ? n - *got : PIECE_MAX);
        f->z.next_out = buf + *got;
        f->z.avail_out = room;
        int result = inflate(&f->z, Z_NO_FLUSH);
        *got += room - f->z.avail_out;
        f->ended = result == Z_STREAM_END;
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            return sm_err_set(err, SM_ERR_DATA, "deflated bytes are damaged before byte %" PRIu64,
                              s->span.at + f->taken - f->z.avail_in);
    }
    return true;
}

bool sm_byte_stream_read(struct sm_byte_stream *s, void *buf, size_t n, size_t *got,
                         struct sm_err *err)
{
    uint64_t left = s->size_bytes - s->position;
    bool ok = true;
    if (n > left)
        n = (size_t)left;
    *got = 0;
    if (!n)
        return true;
    if (s->packing == SM_PACKING_DEFLATE)
        ok = inflate_more(s, buf, n, got, err);
    else if ((ok = sm_span_read(&s->span, s->position, buf, n, err)))
        *got = n;
    s->position += *got;
    return ok;
}

bool sm_byte_stream_skip(struct sm_byte_stream *s, uint64_t n, struct sm_err *err)
{
    uint8_t piece[SKIP_PIECE];
    size_t got = 0;
    if (n > s->size_bytes - s->position)
        return sm_err_set(err, SM_ERR_DATA, "%" PRIu64 " bytes, and only %" PRIu64 " are left", n,
                          s->size_bytes - s->position);
    if (s->packing == SM_PACKING_NONE) {
        s->position += n;
        return true;
    }
    for (; n; n -= got) {
        if (!sm_byte_stream_read(s, piece, n < sizeof piece ? (size_t)n : sizeof piece, &got, err))
            return false;
        if (!got)
            return sm_err_set(err, SM_ERR_DATA, "deflated bytes are fewer than the directory says");
    }
    return true;
}

void sm_byte_stream_close(struct sm_byte_stream *s)
{
    if (s->inflating)
        inflateEnd(&s->inflating->z);
    sm_free(s->inflating);
    *s = (struct sm_byte_stream){0};
}
