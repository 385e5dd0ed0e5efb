/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the headers of the files of one step and worker into a batch, in a worker. */
#ifndef SM_CKPT_READ_H
#define SM_CKPT_READ_H

#include "reader/checkpoints/ckpt_layout.h"
#include "reader/kind/tail_news.h"
#include "reader/kind/trial_options.h"

struct sm_ckpt_input {
    struct sm_source *source; /* of the trial (ckpt_source.h) */
    const struct sm_ckpt_group *group;
    int64_t step;     /* of the group, or of the files if their names have none */
    bool adds;        /* others write parts of the same steps, which stay */
    int64_t now_us;   /* wall clock */
    bool may_be_late; /* the trial is followed: a file that was just written may be incomplete */
};
/* Adds one part to b: its values, numbers, shapes, settings and problems. TAKEN, LATE: a file is
 * still being written, nothing was added; BAD: no file had anything, the problems say why;
 * no_memory is set for lack of memory. */
enum sm_fate sm_ckpt_read_group(const struct sm_ckpt_input *in, struct sm_batch *b,
                                bool *no_memory);

#endif
