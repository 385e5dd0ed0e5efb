/* SPDX-License-Identifier: Apache-2.0 */
/* What the path of a file of tensors says of its values: relative to the trial, as
 * sm_trial_event_path gives it. Files of other kinds have paths, too. */
#ifndef SM_CKPT_PATH_H
#define SM_CKPT_PATH_H

#include <stdbool.h>

enum sm_ckpt_ranks {
    SM_CKPT_RANKS_NOT_NAMED, /* no name has a rank: mostly another kind of file */
    SM_CKPT_RANKS_ANY,       /* "rank_1/iter_000002/fc_weight.pt": replicas, or parts of a model */
    SM_CKPT_RANKS_PARTS      /* "mp_rank_01", "zero_pp_rank_1", "consolidated.01.pth": parts */
};
/* The folders and the name of the file count. */
enum sm_ckpt_ranks sm_ckpt_ranks_of(const char *path);
/* Whether it is a file of tensors, by its ending. */
bool sm_ckpt_path_has_tensors(const char *path);
/* Whether it is such a file, and no name in the path says of which step:
 * "model.safetensors"; or the number counts epochs: "epoch_0.pt" is mostly saved at its end. */
bool sm_ckpt_path_has_no_step(const char *path);

#endif
