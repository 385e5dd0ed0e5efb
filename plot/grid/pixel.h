/* Pixels of pictures in cells: two above each other where the glyphs have half blocks, else one. */
#ifndef SM_PIXEL_H
#define SM_PIXEL_H

#include "plot/grid/glyphs.h"

struct sm_pixel {
    uint32_t mark; /* in place of a colour: the glyph of a value that has none; 0: there is one */
    enum sm_role role; /* SM_ROLE_TEXT: no pixel here */
    int level;         /* 0..15: how much, for those who see no colours */
};

/* Pixel rows of one cell: 1 or 2. */
int sm_pixel_rows(const struct sm_glyphs *glyphs);
/* One cell; bottom is ignored where a cell has one pixel. A mark takes the cell, before the colour
 * of the other. */
void sm_pixel_put(struct sm_grid *g, int x, int y, struct sm_pixel top, struct sm_pixel bottom,
                  const struct sm_glyphs *glyphs);

/* Part i of n things spread over `parts`: where it begins. */
size_t sm_part(size_t n, size_t parts, size_t i);

#endif
