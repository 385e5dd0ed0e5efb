/* SPDX-License-Identifier: Apache-2.0 */
/* Files that have no tensors, but say which other files of their folder are the checkpoint: an
 * index of shards ("model.safetensors.index.json"), or a tracker that names the last checkpoint
 * ("latest_checkpointed_iteration.txt" of Megatron, "latest" of DeepSpeed). */
#ifndef SM_CKPT_TRACKER_H
#define SM_CKPT_TRACKER_H

#include "reader/source/source.h"

/* Whether a file of the root of the source is one of these, beside checkpoints. Blocks. */
bool sm_ckpt_is_tracker(struct sm_source *files, const char *name);

#endif
