/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the x axis that a zoomed chart shows. */
#ifndef SM_CHART_WINDOW_H
#define SM_CHART_WINDOW_H

#include "plot/chart.h"

struct sm_chart_window {
    double lo, hi;
};
enum { SM_CHART_ZOOM_MAX = 20 };
/* An x, and at which part of the window's width it is: 0 is the left end, 1 the right one. */
struct sm_chart_anchor {
    double at, share;
};
/* The window shows the 2^zoom-th part of n lines: where the anchor says, or up to the end if its x
 * is NaN. shift: moves the window back by this many of its widths, but not beyond the first point.
 * Lowers *zoom until at least one line has two points in the window; at 0 the window shows
 * everything. */
struct sm_chart_window sm_chart_window(const struct sm_line_series *lines, size_t n, int *zoom,
                                       double shift, struct sm_chart_anchor anchor);
/* Cuts a line to the points in the window. */
void sm_chart_window_cut(const struct sm_chart_window *w, struct sm_line_series *line);
/* Removes the numbers outside the window from the n numbers; returns how many remain. */
size_t sm_chart_window_keep(const struct sm_chart_window *w, double *x, size_t n);

#endif
