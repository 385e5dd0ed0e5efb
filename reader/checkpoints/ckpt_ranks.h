/* SPDX-License-Identifier: Apache-2.0 */
/* What the path of a file of tensors says of the ranks that wrote such files. */
#ifndef SM_CKPT_RANKS_H
#define SM_CKPT_RANKS_H

enum sm_ckpt_ranks {
    SM_CKPT_RANKS_NOT_NAMED, /* no name has a rank: mostly another kind of file */
    SM_CKPT_RANKS_ANY,       /* "rank_1/iter_000002/fc_weight.pt": replicas, or parts of a model */
    SM_CKPT_RANKS_PARTS      /* "mp_rank_01", "zero_pp_rank_1", "consolidated.01.pth": parts */
};
/* The folders and the name of the file count. */
enum sm_ckpt_ranks sm_ckpt_ranks_of(const char *path);

#endif
