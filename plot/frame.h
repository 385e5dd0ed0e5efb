/* SPDX-License-Identifier: Apache-2.0 */
/* The surroundings of a plot: values to the left, steps or times below, if there is room. */
#ifndef SM_FRAME_H
#define SM_FRAME_H

#include "plot/axis.h"

struct sm_plot_frame {
    struct sm_rect room, plot; /* the whole area; the part of the plot itself */
    struct sm_scale scale;     /* of y */
    struct sm_x_axis x;
    struct sm_y_axis y;
    bool y_line, y_labels, x_line, x_labels;
};
/* The caller sets room, x and y_scale's range lo..hi (lo > hi: none); the rest is computed. When
 * room is short, axes are dropped before the plot is: x labels below five rows, y labels if they
 * would take half the width. */
void sm_frame_lay_out(struct sm_plot_frame *f, enum sm_y_scale y_scale, double lo, double hi,
                      const struct sm_glyphs *glyphs);
void sm_frame_draw(const struct sm_plot_frame *f, struct sm_grid *g,
                   const struct sm_glyphs *glyphs);
/* The column of x, in the grid's coordinates. */
int sm_frame_column(const struct sm_plot_frame *f, double x, const struct sm_glyphs *glyphs);
/* A vertical line through the plot; draw it before the data. */
void sm_frame_upright(const struct sm_plot_frame *f, struct sm_grid *g, double x, enum sm_role role,
                      const struct sm_glyphs *glyphs);

#endif
