/* The names of a chart's series next to a sample of their line, in the corner where they hide
 * least. */
#ifndef SM_LEGEND_H
#define SM_LEGEND_H

#include "plot/chart.h"

/* Draws over the plot's cells, after the lines. Uses the top right corner unless another one is
 * emptier. Faint and nameless series are omitted, long names are shortened in the middle, and a
 * list that is too long ends in "+3 more". */
void sm_legend_draw(const struct sm_line_chart *chart, struct sm_grid *g, struct sm_rect plot,
                    const struct sm_glyphs *glyphs);

#endif
