/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a tensor as a table with a cursor: the last two axes are rows and columns, the
 * others select a plane. A single axis is wrapped into lines. */
#ifndef SM_CELLS_H
#define SM_CELLS_H

#include "plot/grid/glyphs.h"
#include "reader/tensor/stats.h"
#include "tui/tensor_pane/axes.h"
#include "tui/terminal/key_action.h"

struct sm_cells {
    struct sm_tensor_axes_at at; /* the cursor */
    uint64_t top, left; /* the row and column in the upper left corner; for a single axis top is a
                           line */
    int rows, cols;     /* visible, as drawn last */
};
/* Keeps the cursor within the axes and visible. s: the statistics of the tensor, or NULL. */
void sm_cells_draw(struct sm_cells *c, const struct sm_tensor *t, const struct sm_tensor_axes *a,
                   const struct sm_stats *s, struct sm_grid *g, struct sm_rect r, bool focused);
/* Moves the cursor; a page after the last row continues with the next plane. Returns false if the
 * action is not one of a table. */
bool sm_cells_act(struct sm_cells *c, const struct sm_tensor_axes *a, enum sm_key_action action);

#endif
