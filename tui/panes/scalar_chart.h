/* A chart of one scalar over the steps, with a line for each visible trial and mode. */
#ifndef SM_SCALAR_CHART_H
#define SM_SCALAR_CHART_H

#include "tui/panes/pane.h"

struct sm_scalar_options {
    enum sm_y_scale y_scale;
    enum sm_x_unit x_unit;
    bool clip;
    double smoothing;
    int zoom; /* shows the 2^zoom-th part of the steps (tui/panes/chart_window.h) */
    double shift;
};
/* With a baseline the legend shows the differences from it: at the current step, or of the newest
 * values while following. Returns the zoom that was possible. */
int sm_scalar_chart_draw(const struct sm_view *v, const char *name,
                         const struct sm_scalar_options *options, struct sm_grid *g,
                         struct sm_rect r);
/* The colour of a trial among several, and the dash pattern of its first, second ... mode. */
enum sm_role sm_scalar_role(size_t trial);
unsigned sm_scalar_dash(size_t trial, unsigned mode);

#endif
