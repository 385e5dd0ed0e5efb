/* A grid as text, trailing blanks dropped and every row ended by a newline; or as a picture. */
#ifndef SM_GRID_PRINT_H
#define SM_GRID_PRINT_H

#include "plot/grid/color.h"

void sm_print_plain(const struct sm_grid *g, struct sm_str *out);
void sm_print_ansi(const struct sm_grid *g, enum sm_color_depth depth, bool light,
                   struct sm_str *out);
void sm_print_svg(const struct sm_grid *g, bool light, struct sm_str *out); /* a whole file */

#endif
