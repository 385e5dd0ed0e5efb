/* SPDX-License-Identifier: Apache-2.0 */
/* Gzip: one or several members after one another, then perhaps zeros that fill a block. */
#include "reader/base/mem.h"
#include "reader/source/unpack.h"

#include <limits.h>
#define ZLIB_CONST
#include <zlib.h>

enum { GZIP_ONLY = 16 }; /* added to the window's bits: a gzip header is expected */

struct gzip {
    z_stream stream;
    bool ended; /* a member has ended, and no other has begun */
};

static void *gzip_open(void)
{
    struct gzip *g = sm_alloc_zero(1, sizeof *g);
    if (g && inflateInit2(&g->stream, MAX_WBITS + GZIP_ONLY) != Z_OK) {
        sm_free(g);
        return NULL;
    }
    return g;
}

static void skip_zeros(struct sm_unpack_room *room)
{
    while (room->n_in && !*room->in) {
        room->in++;
        room->n_in--;
    }
}

static unsigned at_most(size_t n)
{
    return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

static int inflate_room(z_stream *z, struct sm_unpack_room *room)
{
    unsigned in = at_most(room->n_in), out = at_most(room->n_out);
    z->next_in = (const Bytef *)room->in;
    z->avail_in = in;
    z->next_out = (Bytef *)room->out;
    z->avail_out = out;
    int result = inflate(z, Z_NO_FLUSH);
    room->in += in - z->avail_in;
    room->n_in -= in - z->avail_in;
    room->out += out - z->avail_out;
    room->n_out -= out - z->avail_out;
    return result;
}

static const char *gzip_step(void *state, struct sm_unpack_room *room, bool *between)
{
    struct gzip *g = state;
    if (g->ended)
        skip_zeros(room);
    *between = g->ended;
    if (g->ended && !room->n_in)
        return NULL;
    if (g->ended)
        inflateReset(&g->stream);
    int result = inflate_room(&g->stream, room);
    *between = g->ended = result == Z_STREAM_END;
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR)
        return NULL;
    return g->stream.msg ? g->stream.msg : "no memory or a dictionary that is not there";
}

static void gzip_close(void *state)
{
    struct gzip *g = state;
    if (g)
        inflateEnd(&g->stream);
    sm_free(g);
}

const struct sm_unpacker sm_unpack_gzip = {".gz", "gzip", gzip_open, gzip_step, gzip_close};
