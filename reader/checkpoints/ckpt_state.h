/* SPDX-License-Identifier: Apache-2.0 */
/* A tensor of an optimizer's state by its name, and the shape of the parameter that it is of. */
#ifndef SM_CKPT_STATE_H
#define SM_CKPT_STATE_H

#include "reader/tensor_files/ckpt_file.h"

/* Reads "optimizer.PREFIXstate.12.exp_avg"; *prefix is "" or a number and a dot, *id is 12, and
 * *rest ".exp_avg". */
bool sm_ckpt_read_state(const struct sm_ckpt_tensor *t, struct sm_text *prefix, int64_t *id,
                        const char **rest);

/* What is known of a parameter's shape. Begin with {0}. */
struct sm_ckpt_state_shape {
    const struct sm_ckpt_tensor *like;      /* state of its shape */
    const struct sm_ckpt_tensor *row, *col; /* means over the last axis, and over the one before */
};
/* Adds a tensor of its state, rest as above. A state without axes counts where no other is. */
void sm_ckpt_state_shape_add(struct sm_ckpt_state_shape *s, const struct sm_ckpt_tensor *t,
                             const char *rest);
/* A tensor that has the parameter's shape; of Adafactor's two parts a new one in the arena. NULL:
 * it is not known, or there is no memory. */
const struct sm_ckpt_tensor *sm_ckpt_state_shape_of(const struct sm_ckpt_state_shape *s,
                                                    struct sm_arena *arena);

#endif
