/* The part of a chart's x axis that is shown when it is zoomed. */
#ifndef SM_CHART_WINDOW_H
#define SM_CHART_WINDOW_H

#include "plot/chart.h"

struct sm_chart_window {
    double lo, hi;
};
enum { SM_CHART_ZOOM_MAX = 20 };
/* Of n lines the 2^zoom-th part: about the cursor, or (NaN) up to the end; shift: moved back by so
 * many of its own widths, as far as there are points. *zoom is lowered until some line has two
 * points in it; 0: all. */
struct sm_chart_window sm_chart_window(const struct sm_line_series *lines, size_t n, int *zoom,
                                       double shift, double cursor);
/* Leaves of a line what lies in the window. */
void sm_chart_window_cut(const struct sm_chart_window *w, struct sm_line_series *line);
/* Leaves of n numbers those in the window; returns how many. */
size_t sm_chart_window_keep(const struct sm_chart_window *w, double *x, size_t n);

#endif
