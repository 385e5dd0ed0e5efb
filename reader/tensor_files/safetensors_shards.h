/* SPDX-License-Identifier: Apache-2.0 */
/* Where the tensors of a file lie in larger ones: what torch.distributed.checkpoint writes into the
 * metadata of safetensors, {"NAME": {"saved_offsets": [4, 0]}, ...}. Internal to safetensors.c. */
#ifndef SM_SAFETENSORS_SHARDS_H
#define SM_SAFETENSORS_SHARDS_H

#include "reader/tensor_files/ckpt_file.h"

#define SM_SAFETENSORS_SHARDS "DCP_SHARDING_INFO"

/* Makes the tensors of the file that the text names shards, which begin at those offsets. What is
 * wrong with the text is a problem of the file. False: no memory. */
bool sm_safetensors_take_offsets(struct sm_ckpt_file *f, struct sm_text json);

#endif
