/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the files of torch.distributed.checkpoint. */
#ifndef SM_DCP_NAMES_H
#define SM_DCP_NAMES_H

#include <stdbool.h>

/* Whether a file of this name says which files of torch.distributed.checkpoint have which pieces:
 * ".metadata", or that of one rank, "__0.metadata". */
bool sm_ckpt_is_metadata(const char *name);
bool sm_ckpt_is_metadata_of_rank(const char *name);

#endif
