/* One chart of the scalars: a tensor of one number over the steps, of each trial that is shown,
 * TRAIN and EVAL told apart. */
#ifndef SM_SCALAR_CHART_H
#define SM_SCALAR_CHART_H

#include "tui/panes/pane.h"

struct sm_scalar_look {
    enum sm_y_scale y_scale;
    enum sm_x_unit x_unit;
    bool clip;
    double smoothing;
    int zoom; /* the 2^zoom-th part of the steps (tui/panes/chart_window.h) */
    double shift;
};
/* With a baseline the legend says by how much the newest values, or those at the step where the
 * person stands, differ. Returns how far it could be zoomed. */
int sm_scalar_chart_draw(const struct sm_view *v, const char *name,
                         const struct sm_scalar_look *look, struct sm_grid *g, struct sm_rect r);
/* The colour of a trial among several, and the dashes of its first, second ... mode. */
enum sm_role sm_scalar_role(size_t trial);
unsigned sm_scalar_dash(size_t trial, unsigned mode);

#endif
