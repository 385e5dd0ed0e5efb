/* The elements of a tensor as a table, with a cursor: the last two axes run, the others are turned.
 * One axis alone fills lines, as words do. */
#ifndef SM_CELLS_H
#define SM_CELLS_H

#include "plot/grid/glyphs.h"
#include "reader/tensor/stats.h"
#include "tui/tensor_pane/axes.h"
#include "tui/terminal/key_action.h"

struct sm_cells {
    struct sm_tensor_axes_at at; /* the cursor */
    uint64_t top, left;          /* the row and column, or the line, in the upper left corner */
    int rows, cols;              /* shown last */
};
/* Keeps the cursor within the axes and within what is shown. s: the tensor's statistics, or NULL.
 */
void sm_cells_draw(struct sm_cells *c, const struct sm_tensor *t, const struct sm_tensor_axes *a,
                   const struct sm_stats *s, struct sm_grid *g, struct sm_rect r, bool focused);
/* Arrows and pages; a page beyond the last row goes on with the next plane. False: no action of a
 * table. */
bool sm_cells_act(struct sm_cells *c, const struct sm_tensor_axes *a, enum sm_key_action action);

#endif
