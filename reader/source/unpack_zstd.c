/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/source/unpack.h"

#include <zstd.h>

static void *zstd_open(void)
{
    return ZSTD_createDStream();
}

static const char *zstd_step(void *state, struct sm_unpack_room *room, bool *between)
{
    ZSTD_inBuffer src = {room->in, room->n_in, 0};
    ZSTD_outBuffer dst = {room->out, room->n_out, 0};
    size_t left = ZSTD_decompressStream(state, &dst, &src);
    room->in += src.pos;
    room->n_in -= src.pos;
    room->out += dst.pos;
    room->n_out -= dst.pos;
    if (ZSTD_isError(left))
        return ZSTD_getErrorName(left);
    *between = left == 0;
    return NULL;
}

static void zstd_close(void *state)
{
    ZSTD_freeDStream(state);
}

const struct sm_unpacker sm_unpack_zstd = {".zst", "zstd", zstd_open, zstd_step, zstd_close};
