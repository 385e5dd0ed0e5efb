/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/grid_print.h"

static void add_plain_rune(struct sm_str *out, uint32_t rune)
{
    char bytes[4];
    sm_str_addn(out, bytes, sm_utf8_encode(rune, bytes));
}

void sm_print_plain(const struct sm_grid *g, struct sm_str *out)
{
    for (int y = 0; y < g->h; y++) {
        const struct sm_cell *row = g->cells + (size_t)y * (size_t)g->w;
        int w = g->w;
        while (w && row[w - 1].rune == ' ' && !row[w - 1].mark)
            w--;
        for (int x = 0; x < w; x++) {
            if (row[x].rune)
                add_plain_rune(out, sm_cell_plain(&row[x]).rune);
            if (row[x].mark)
                add_plain_rune(out, row[x].mark);
        }
        sm_str_addc(out, '\n');
    }
}
