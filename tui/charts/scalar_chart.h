/* SPDX-License-Identifier: Apache-2.0 */
/* A chart of one scalar over the steps, with a line for each visible trial and mode. */
#ifndef SM_SCALAR_CHART_H
#define SM_SCALAR_CHART_H

#include "plot/scalar_form.h"
#include "tui/charts/chart_window.h"
#include "tui/panes/pane.h"

enum sm_scalar_clip {
    SM_CLIP_DIVERGED, /* lines of runs that diverged, so that they do not flatten the others */
    SM_CLIP_OUTLIERS, /* these, and of the others what lies far out */
    SM_CLIP_NOTHING,
    SM_CLIPS
};
struct sm_kept_curves;
struct sm_scalar_options {
    enum sm_y_scale y_scale;
    enum sm_x_unit x_unit;
    bool x_log;
    enum sm_scalar_clip clip;
    double smoothing;
    int zoom; /* shows the 2^zoom-th part of the steps (tui/charts/chart_window.h) */
    double shift;
    struct sm_chart_anchor anchor;        /* its x is NaN: the current step, in the middle */
    const struct sm_chart_window *window; /* the part of the x axis that is drawn; NULL: all */
    bool chosen;                          /* the title is marked */
    bool no_legend;                       /* the names are elsewhere */
    struct sm_line_place *place;          /* set when it is drawn; may be NULL */
    struct sm_kept_curves *curves;        /* what is kept between pictures */
};
struct sm_scalar_lines;
/* The lines (scalar_lines.h) get their labels here. With a baseline the legend shows the
 * differences from it: at the current step, or of the newest values while following. */
void sm_scalar_chart_draw(const struct sm_view *v, struct sm_scalar_lines *lines,
                          const struct sm_scalar_options *options, struct sm_grid *g,
                          struct sm_rect r);

#endif
