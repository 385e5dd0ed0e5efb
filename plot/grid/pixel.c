/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/pixel.h"

int sm_pixel_rows(const struct sm_glyphs *glyphs)
{
    return glyphs->set == SM_SYMBOLS_ASCII ? 1 : 2;
}

static void put_mark_cell(struct sm_grid *g, int x, int y, uint32_t mark, struct sm_pixel other)
{
    sm_grid_put(g, x, y, mark, SM_ROLE_PROBLEM, 0);
    struct sm_cell *c = sm_grid_at(g, x, y);
    if (c && !other.mark)
        c->back = (uint16_t)other.role;
}

void sm_pixel_put(struct sm_grid *g, int x, int y, struct sm_pixel top, struct sm_pixel bottom,
                  const struct sm_glyphs *glyphs)
{
    bool halves = sm_pixel_rows(glyphs) == 2;
    if (top.mark)
        put_mark_cell(g, x, y, top.mark, halves ? bottom : (struct sm_pixel){0});
    else if (!halves)
        sm_grid_put(g, x, y, glyphs->shade[top.level], top.role, 0);
    else if (bottom.mark)
        put_mark_cell(g, x, y, bottom.mark, top);
    else if (!top.role && bottom.role)
        sm_grid_lower_half(g, x, y, bottom.role, glyphs->shade[bottom.level]);
    else
        sm_grid_halves(g, x, y, top.role, bottom.role,
                       glyphs->shade[bottom.role ? (top.level + bottom.level) / 2 : top.level]);
}

size_t sm_part(size_t n, size_t parts, size_t i)
{
    return n / parts * i + n % parts * i / parts;
}
