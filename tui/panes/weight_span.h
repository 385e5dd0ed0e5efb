/* SPDX-License-Identifier: Apache-2.0 */
/* The two steps with weights that a pane of changes shows: those of the selected range; else from
 * the first one, or the one before, to the current one. */
#ifndef SM_WEIGHT_SPAN_H
#define SM_WEIGHT_SPAN_H

#include "tui/panes/pane.h"

struct sm_weight_span {
    bool before; /* set by the pane: from the step before */
    bool known;  /* there are two such steps: */
    int64_t from, to;
    int64_t at; /* the newest step with weights up to the current one, or of the range; -1: none */
    /* What they were found for. */
    const struct sm_trial *trial;
    uint64_t version;
    int64_t step, lo, hi;
    bool was_before;
};
/* Looks again if something has changed. False: there are no two steps with weights. */
bool sm_weight_span_read(struct sm_weight_span *x, const struct sm_view *v);
/* Adds "step 10 to 30", or nothing. */
void sm_weight_span_note(const struct sm_weight_span *x, struct sm_str *note);

#endif
