/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of which several files of a step have pieces, put together. */
#ifndef SM_CKPT_SHARDS_H
#define SM_CKPT_SHARDS_H

#include "reader/tensor_files/ckpt_file.h"

/* Whether pieces have as many elements as a tensor of these sizes. They lie inside of it, and are
 * taken not to overlap. */
bool sm_ckpt_pieces_cover(const struct sm_ckpt_piece *pieces, size_t n, const uint64_t *dims,
                          unsigned n_dims);

/* Makes one tensor of those of one name that are shards: it is in the first file that has one, and
 * its pieces of the other files are in storages that name them. A piece that several files have
 * counts once. Of one file alone each piece is a tensor of its own. Other tensors whose pieces do
 * not make up their shape become shapes, which is a problem. False: no memory. */
bool sm_ckpt_join_shards(struct sm_ckpt_file *const *files, size_t n, struct sm_problems *problems);

#endif
