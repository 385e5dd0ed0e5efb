/* SPDX-License-Identifier: Apache-2.0 */
/* Two large values side by side, in pieces of the same elements, with flat memory: what compares
 * them needs neither in memory. In a worker. */
#ifndef SM_READ_PAIR_H
#define SM_READ_PAIR_H

#include "reader/fetch/fetch.h"

/* Values from this size on are worth it; smaller ones are read whole, and kept. */
enum { SM_PAIR_FROM_BYTES = 4 << 20 };

/* A value, for a worker: holds its source and its path. */
struct sm_pair_side {
    struct sm_source *source;
    char *path;
    uint64_t offset, length;
};
/* False: the value cannot be read in pieces (an index in its record, no event file), or no memory;
 * nothing is to be cleared then. */
bool sm_pair_side_of(const struct sm_trial *t, const struct sm_entry *e, struct sm_pair_side *out);
void sm_pair_side_clear(struct sm_pair_side *s);

/* n elements of both from element `at` on, each of its type, valid during the call; as tensors of
 * one axis, which own nothing. */
typedef void sm_pair_piece(void *ctx, const struct sm_tensor *a, const struct sm_tensor *b,
                           uint64_t at);
/* Calls piece for all elements, in order. False: err says why; other types than numbers and other
 * shapes are SM_ERR_USAGE with a word on it; SM_ERR_LIMIT: one of them cannot be read in pieces.
 * *time: when a was written, as its record says.
 */
bool sm_read_pair(const struct sm_pair_side *a, const struct sm_pair_side *b,
                  const atomic_bool *stop, sm_pair_piece *piece, void *ctx, double *time,
                  struct sm_err *err);

#endif
