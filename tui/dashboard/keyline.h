/* SPDX-License-Identifier: Apache-2.0 */
/* The bottom line: the mode, its most useful keys, and on wide screens the keys F1 to F12. Also the
 * list of candidates that Tab shows above the prompt. */
#ifndef SM_KEYLINE_H
#define SM_KEYLINE_H

#include "plot/grid/cell.h"
#include "tui/panes/pane.h"

/* hints: NULL-terminated; hints that do not fit are omitted. ops: the pane whose F keys are shown,
 * or NULL for F keys that work everywhere. */
void sm_keyline_draw(struct sm_grid *g, int y, const char *mode, const char *const *hints,
                     const struct sm_pane_ops *ops);
/* Draws candidates in columns at the lower end of r. They use at most half of r, then the number of
 * omitted candidates is shown. */
void sm_keyline_candidates(struct sm_grid *g, struct sm_rect r, const char *const *words, size_t n);

#endif
