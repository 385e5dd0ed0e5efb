/* A grid as text: trailing blanks dropped, every row ended by a newline. */
#ifndef SM_PLOT_PRINT_H
#define SM_PLOT_PRINT_H

#include "plot/color.h"

void sm_print_plain(const struct sm_grid *g, struct sm_str *out);
void sm_print_ansi(const struct sm_grid *g, enum sm_color_depth depth, bool light, struct sm_str *out);

#endif
