/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a chart's series next to a sample of their line: in a corner of the plot that is
 * free, or in a row of their own. A legend never covers a curve. */
#ifndef SM_LEGEND_H
#define SM_LEGEND_H

#include "plot/chart.h"

/* Draws into the plot, after the lines: into the top right corner unless only another one is free.
 * Faint and nameless series are omitted, long names are shortened in the middle or to their first
 * word, and a list that is too long ends in "+3 more". Returns false if no corner has room for
 * three rows of first words. */
bool sm_legend_draw(const struct sm_line_chart *chart, struct sm_grid *g, struct sm_rect plot,
                    const struct sm_glyphs *glyphs);
/* Draws the names one after the other into one row; those that do not fit are omitted. */
void sm_legend_strip(const struct sm_line_chart *chart, struct sm_grid *g, struct sm_rect row,
                     const struct sm_glyphs *glyphs);

#endif
