/* SPDX-License-Identifier: Apache-2.0 */
/* The step of a line, from its heads and those before it: a step that begins anew in each epoch is
 * joined with the epoch. */
#ifndef SM_TEXTLOG_CLOCK_H
#define SM_TEXTLOG_CLOCK_H

#include "reader/textlog/textlog_head.h"

/* Zero-initialised it has seen nothing. */
struct sm_textlog_clock {
    bool any;
    enum { SM_TEXTLOG_UNDECIDED, SM_TEXTLOG_ANEW, SM_TEXTLOG_GOES_ON } mode;
    int64_t first_epoch, last_epoch;
    int64_t last_n, min_n, max_n; /* of the steps in the first epochs */
    int64_t span;                 /* steps of an epoch, as far as they were seen */
};
/* The step of n heads; -1: they give none. *unit is EPOCH if it counts epochs, else STEP. epoch: of
 * lines before, or -1. */
int64_t sm_textlog_clock_step(struct sm_textlog_clock *c, const struct sm_textlog_head *heads,
                              size_t n, int64_t epoch, enum sm_textlog_unit *unit);

#endif
