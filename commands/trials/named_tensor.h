/* SPDX-License-Identifier: Apache-2.0 */
/* The tensor that info tensor, whatis and ptype describe, and the columns of its description. */
#ifndef SM_NAMED_TENSOR_H
#define SM_NAMED_TENSOR_H
#include "commands/language/cmd.h"

/* The columns of sm_describe_tensor. */
extern const struct sm_column sm_tensor_columns[];
extern const size_t sm_n_tensor_columns;
/* The argument: an optional name. */
extern const struct sm_arg sm_named_tensor_args[];

/* The tensor of the first word, which becomes the current tensor; without words the current tensor.
 * It need not be saved at the current step. Returns NULL and sets err if there is none. */
const struct sm_trial_tensor *sm_named_tensor(struct sm_call *c, struct sm_err *err);

#endif
