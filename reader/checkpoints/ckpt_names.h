/* SPDX-License-Identifier: Apache-2.0 */
/* What the tensors of a step are called, and the collections they are in.
 *
 * A tensor has the name that the state_dict gives it: keys of the file around that, such as
 * "state_dict.", are left out. State of an optimizer begins with "optimizer.", wherever it lies. A
 * file that is one tensor has the name of the file. If two files of a step have a name in common,
 * all names of the second begin with the name of their file: "ema/0.weight". */
#ifndef SM_CKPT_NAMES_H
#define SM_CKPT_NAMES_H

#include "reader/kind/tail_news.h"
#include "reader/tensor_files/ckpt_file.h"

/* Names the tensors of files of one step, in their arenas; their order is that of importance.
 * False: no memory. */
bool sm_ckpt_name_tensors(struct sm_ckpt_file *const *files, size_t n);
/* Appends what a leaf of a file is called among settings: of files beside the weights the name of
 * the file stands before it ("training_args.learning_rate"). */
void sm_ckpt_leaf_name(const char *path, struct sm_text leaf, struct sm_str *out);
/* Whether a file is a dump of TransformerEngine: before its tensors are named. */
bool sm_ckpt_is_dump(const struct sm_ckpt_file *f);
/* Whether a file holds weights, rather than an optimizer's or another state; by its name. */
bool sm_ckpt_is_weights(const char *path);
/* Adds the collections weights, biases, gradients, optimizer and the others. False: no memory. */
bool sm_ckpt_collections(struct sm_tail_changes *n);

#endif
