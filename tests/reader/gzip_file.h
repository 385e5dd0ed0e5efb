/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as gzip stores them. */
#ifndef SM_TEST_GZIP_FILE_H
#define SM_TEST_GZIP_FILE_H

#include "reader/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <zlib.h>

/* Appends a member of gzip. level 0: stored. */
static inline void add_member(struct sm_str *out, const void *bytes, size_t n, int level)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY),
                     Z_OK);
    size_t before = out->len, room = deflateBound(&z, n) + 64;
    sm_str_fill(out, 0, room);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (unsigned)n;
    z.next_out = (Bytef *)out->data + before;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    sm_str_truncate(out, before + z.total_out);
    deflateEnd(&z);
}

#endif
