/* What stands round a plot: values to the left, steps or times below, as far as there is room for
 * them. */
#ifndef SM_FRAME_H
#define SM_FRAME_H

#include "plot/axis.h"

struct sm_plot_frame {
    struct sm_rect room, plot; /* all; the part that the plot has */
    struct sm_scale scale;     /* of y */
    struct sm_x_axis x;
    struct sm_y_axis y;
    bool y_line, y_labels, x_line, x_labels;
};
/* room, x and y_scale's range lo..hi (lo > hi: there is none) are given, the rest follows. Axes go
 * before the plot does: x labels below five rows, y labels where they would take half the width. */
void sm_frame_lay_out(struct sm_plot_frame *f, enum sm_y_scale y_scale, double lo, double hi,
                      const struct sm_glyphs *glyphs);
void sm_frame_draw(const struct sm_plot_frame *f, struct sm_grid *g,
                   const struct sm_glyphs *glyphs);
/* of the grid */
int sm_frame_column(const struct sm_plot_frame *f, double x, const struct sm_glyphs *glyphs);
/* An upright line through the plot, behind what will be drawn. */
void sm_frame_upright(const struct sm_plot_frame *f, struct sm_grid *g, double x, enum sm_role role,
                      const struct sm_glyphs *glyphs);

#endif
