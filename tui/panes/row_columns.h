/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of a table row in a pane, from right to left. */
#ifndef SM_ROW_COLUMNS_H
#define SM_ROW_COLUMNS_H

#include "plot/grid/cell.h"

/* The width of a column: w if *room keeps at least `least` columns, which it then loses; else 0. */
int sm_row_column(int *room, int w, int least);
/* Draws text right-aligned in w columns that end at *right, with a gap after it, and moves *right
 * to the left. Draws nothing if w is 0. */
void sm_row_column_draw(struct sm_grid *g, int *right, int y, int w, enum sm_role role,
                        const char *text);

#endif
