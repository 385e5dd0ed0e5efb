/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/row_columns.h"

#include "reader/base/str.h"

#include <string.h>

int sm_row_column(int *room, int w, int least)
{
    int n = *room - w >= least ? w : 0;
    *room -= n;
    return n;
}

void sm_row_column_draw(struct sm_grid *g, int *right, int y, int w, enum sm_role role,
                        const char *text)
{
    int n = (int)sm_text_width(text, strlen(text));
    if (w)
        sm_grid_text(g, *right - (n < w ? n : w - 1), y, w - 1, role, 0, text);
    *right -= w;
}
