/* SPDX-License-Identifier: Apache-2.0 */
/* A loss that had fallen and then grows beyond all that it was, step by step: no single one of them
 * is a jump (sm_loss_jump). */
#ifndef SM_LOSS_RUNAWAY_H
#define SM_LOSS_RUNAWAY_H

#include "rules/verdict/run_case.h"

struct sm_loss_runaway {
    size_t at;       /* the first point that is above its band for good; 0: it does not run away */
    double low, end; /* levels: the best one, and that of its last finite values */
};
struct sm_loss_runaway sm_loss_runaway(const struct sm_run_case *c);

#endif
