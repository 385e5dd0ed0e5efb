/* SPDX-License-Identifier: Apache-2.0 */
/* Files of JSON beside tensors: which shards there are, settings of a model. */
#ifndef SM_CKPT_BESIDE_H
#define SM_CKPT_BESIDE_H

#include "reader/kind/problem.h"
#include "reader/kind/run_info.h"
#include "reader/source/source.h"

/* "model.safetensors.index.json": a shard that it names and that is not there is a problem. */
void sm_ckpt_check_index(struct sm_source *files, const char *path, struct sm_problems *problems);
/* Adds the settings in the files of JSON of a folder ("" is the root): config.json, and others
 * under their names. What is missing or no JSON is passed over. False: no memory. */
bool sm_ckpt_add_settings(struct sm_source *files, const char *folder, struct sm_run_fields *to);

#endif
