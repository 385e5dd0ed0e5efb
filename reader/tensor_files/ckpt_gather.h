/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a tensor in C order, little endian, one byte each if smaller: from its storages,
 * through strides, from any element on. Memory is flat: windows of some 64 KiB, except for elements
 * that lie far apart or are deflated and far apart, whose storage is held. Internal to
 * ckpt_source.c. */
#ifndef SM_CKPT_GATHER_H
#define SM_CKPT_GATHER_H

#include "reader/source/source.h"
#include "reader/tensor_files/ckpt_file.h"

/* Reads n bytes of a storage from byte `at` on; what it reads was checked to lie inside. */
struct sm_ckpt_bytes {
    /* held: bytes of the whole storage, for elements that lie far apart; NULL: not, or no memory */
    const uint8_t *(*hold)(struct sm_ckpt_bytes *b, const struct sm_ckpt_storage *s);
    bool (*read)(struct sm_ckpt_bytes *b, const struct sm_ckpt_storage *s, uint64_t at, void *buf,
                 size_t n, struct sm_err *err);
};

/* Storages from this size on are not held. */
enum { SM_CKPT_HELD_MAX = 64 << 20 };

/* Elements [from, from + n) of t to out. */
bool sm_ckpt_gather(struct sm_ckpt_bytes *b, const struct sm_ckpt_storage *storages,
                    const struct sm_ckpt_tensor *t, uint64_t from, uint64_t n, uint8_t *out,
                    struct sm_err *err);

#endif
