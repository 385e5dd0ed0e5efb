/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a grid as text, with trailing blanks dropped and a newline after every row, or as an SVG
 * image. */
#ifndef SM_GRID_PRINT_H
#define SM_GRID_PRINT_H

#include "plot/grid/color.h"

void sm_print_plain(const struct sm_grid *g, struct sm_str *out);
void sm_print_ansi(const struct sm_grid *g, enum sm_color_depth depth, bool light,
                   struct sm_str *out);
void sm_print_svg(const struct sm_grid *g, bool light, struct sm_str *out); /* a complete file */

#endif
