/* A tensor at a step, or the slice of it that the line names. */
#ifndef SM_PLACE_PIECE_H
#define SM_PLACE_PIECE_H

#include "commands/place/args.h"

struct sm_piece {
    struct sm_target target;
    const struct sm_entry *entry;
    struct sm_tensor *tensor; /* counted: unref it */
};
/* False with SM_ERR_WAIT: it is being read. */
bool sm_piece_read(struct sm_call *c, struct sm_piece *out, struct sm_err *err);
/* "conv0_weight[0,0]  step 100 (train 100)  float32 (3, 3)" */
void sm_piece_heading(struct sm_result *out, const struct sm_piece *p);

#endif
