/* SPDX-License-Identifier: Apache-2.0 */
/* Which parameter a state of an optimizer is of. torch saves "state.12.exp_avg": the parameter is a
 * number, its place in the groups of parameters. It becomes
 * "optimizer.state.layers.0.weight.exp_avg" where the file says the name, or where order and shapes
 * of the weights beside it leave one name only; otherwise it stays a number. */
#ifndef SM_CKPT_OPTIMIZER_H
#define SM_CKPT_OPTIMIZER_H

#include "reader/tensor_files/ckpt_file.h"

/* Renames the states in files of one step, whose tensors have their names. False: no memory. */
bool sm_ckpt_name_states(struct sm_ckpt_file *const *files, size_t n);
/* The rest of a name in a file after all keys that say "optimizer" (ckpt_names.c): wrappers of
 * optimizers have another one in them. NULL: it has none. */
const char *sm_ckpt_after_optimizer(const char *name);

#endif
