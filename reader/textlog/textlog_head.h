/* SPDX-License-Identifier: Apache-2.0 */
/* Where a line says which step it is of: "iteration 10/ 3000", "[step=1/5000", "Epoch [1/12]",
 * "global step 5". */
#ifndef SM_TEXTLOG_HEAD_H
#define SM_TEXTLOG_HEAD_H

#include "reader/base/str.h"

/* How a word counts. An epoch and a step that begins anew in it are joined (textlog_clock.h). */
enum sm_textlog_unit {
    SM_TEXTLOG_NO_UNIT,
    SM_TEXTLOG_EPOCH,
    SM_TEXTLOG_BATCH, /* always within an epoch */
    SM_TEXTLOG_STEP,
    SM_TEXTLOG_GLOBAL, /* never within an epoch */
    SM_TEXTLOG_UNITS
};
/* The unit of a name such as "global_step", "iter", "epoch"; NO_UNIT: it is none. */
enum sm_textlog_unit sm_textlog_unit_of(const char *p, size_t n);

/* Whether it is a word as "steps", "epochs". */
bool sm_textlog_is_plural(const char *p, size_t n);

struct sm_textlog_head {
    enum sm_textlog_unit unit;
    int64_t n, of; /* "n/of"; of: 0 if it is not said */
    const char *begin, *end;
    bool plural; /* its word is "steps" or the like */
    bool leads;  /* nothing but a prefix stands before it */
};
enum { SM_TEXTLOG_HEADS = 4 };
/* The first head of each unit, in their order in the line, and a position in the epoch as in
 * "Train Epoch: 1 [640/60000 (1%)]" as a BATCH. Returns their number. */
size_t sm_textlog_find_heads(struct sm_text line, struct sm_textlog_head out[SM_TEXTLOG_HEADS]);
/* "[ 640/60000]" anywhere in a line. */
bool sm_textlog_find_position(struct sm_text line, struct sm_textlog_head *out);

#endif
