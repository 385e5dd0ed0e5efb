/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict in the rows below the status line. How many there are depends on the height of the
 * screen: one without a cause; with a cause, evidence, effects and what to try. */
#ifndef SM_VERDICT_ROWS_H
#define SM_VERDICT_ROWS_H

#include "commands/verdict/verdict_view.h"
#include "plot/grid/glyphs.h"

/* For a screen of h lines. */
int sm_verdict_rows_count(const struct sm_verdict_view *v, int h);
/* Draws into r, which has as many rows or more. timeless: without what depends on the clock. */
void sm_verdict_rows_draw(const struct sm_verdict_view *v, struct sm_grid *g, struct sm_rect r,
                          const struct sm_glyphs *glyphs, bool timeless);

#endif
