/* SPDX-License-Identifier: Apache-2.0 */
/* Raw deflate, as in a zip, read forward from any place. */
#ifndef SM_CKPT_INFLATE_H
#define SM_CKPT_INFLATE_H

#include "reader/base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

struct sm_ckpt_inflate {
    z_stream z;
    uint64_t at;            /* bytes that were given out */
    uint64_t in_at, in_end; /* of the file: what is read next; the end of the compressed bytes */
    uint8_t *in;
};
/* Reads n bytes at an offset of the file, all of them. */
typedef bool sm_ckpt_read_packed(void *ctx, uint64_t at, void *buf, size_t n, struct sm_err *err);

/* False: no memory. */
bool sm_ckpt_inflate_begin(struct sm_ckpt_inflate *x, uint64_t offset, uint64_t n);
void sm_ckpt_inflate_end(struct sm_ckpt_inflate *x);
/* n bytes from `at` on, which is not before x->at; what lies between is dropped. SM_ERR_DATA: the
 * compressed bytes are damaged, or fewer than that come of them. After a failure only end it. */
bool sm_ckpt_inflate_read(struct sm_ckpt_inflate *x, uint64_t at, void *buf, size_t n,
                          sm_ckpt_read_packed *read, void *ctx, struct sm_err *err);

#endif
