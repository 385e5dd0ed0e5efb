/* The names of a chart's series beside a sample of their line, in the corner where they hide least.
 */
#ifndef SM_LEGEND_H
#define SM_LEGEND_H

#include "plot/chart.h"

/* Draws into the plot's cells, which hold the lines already. The top right corner is taken unless
 * another one is emptier. Faint and nameless series are left out, long names lose their middle, and
 * too many end in "+3 more". */
void sm_legend_draw(const struct sm_line_chart *chart, struct sm_grid *g, struct sm_rect plot,
                    const struct sm_glyphs *glyphs);

#endif
