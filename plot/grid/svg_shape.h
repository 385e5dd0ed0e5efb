/* Cells that are shapes and no letters, drawn as such: fonts leave gaps between them and make them
 * too wide. */
#ifndef SM_SVG_SHAPE_H
#define SM_SVG_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/base/str.h"

enum { SM_SVG_CELL_W = 9, SM_SVG_CELL_H = 19 }; /* in units of the picture */

/* Of U+2500..25A0 and U+2800..28FF: lines, blocks, quadrants and braille. */
bool sm_svg_is_shape(uint32_t rune);
/* Adds to the data of a filled path what the rune looks like in the cell whose upper left corner is
 * (x, y). */
void sm_svg_shape(struct sm_str *path, uint32_t rune, int x, int y);

#endif
