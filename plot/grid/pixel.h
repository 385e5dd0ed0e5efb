/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels of images in cells: two per cell, one above the other, where the glyphs have half blocks,
 * else one. */
#ifndef SM_PIXEL_H
#define SM_PIXEL_H

#include "plot/grid/glyphs.h"

struct sm_pixel {
    uint32_t mark;     /* glyph shown instead of a colour for a value without one; 0: none */
    enum sm_role role; /* SM_ROLE_TEXT: no pixel */
    int level;         /* 0..15: brightness, for printers without colours */
};

/* Pixel rows of one cell: 1 or 2. */
int sm_pixel_rows(const struct sm_glyphs *glyphs);
/* Draws one cell; bottom is ignored where a cell has one pixel. If either has a mark, the mark is
 * drawn and takes the whole cell. */
void sm_pixel_put(struct sm_grid *g, int x, int y, struct sm_pixel top, struct sm_pixel bottom,
                  const struct sm_glyphs *glyphs);

/* The first of n items that belongs to part i of `parts` equal parts. */
size_t sm_part(size_t n, size_t parts, size_t i);

#endif
