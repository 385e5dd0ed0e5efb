/* SPDX-License-Identifier: Apache-2.0 */
/* Cells whose runes are shapes, drawn as paths: fonts leave gaps between such characters and make
 * them too wide. */
#ifndef SM_SVG_SHAPE_H
#define SM_SVG_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/base/str.h"

enum { SM_SVG_CELL_W = 9, SM_SVG_CELL_H = 19 }; /* in SVG units */

/* True for U+2500..25A0 and U+2800..28FF: lines, blocks, quadrants and braille. */
bool sm_svg_is_shape(uint32_t rune);
/* Appends the rune's shape, in the cell with upper left corner (x, y), to the data of a filled
 * path. */
void sm_svg_shape(struct sm_str *path, uint32_t rune, int x, int y);

#endif
