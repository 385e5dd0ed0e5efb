/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of several steps as one plot. */
#ifndef SM_HIST_OVER_TIME_H
#define SM_HIST_OVER_TIME_H

#include "plot/chart.h"
#include "reader/tensor/histogram.h"

enum sm_hist_as { SM_HIST_HEAT, SM_HIST_RIDGE, SM_HIST_BANDS };
struct sm_hist_over_time {
    const double *x;                     /* n steps, ascending */
    const struct sm_histogram *const *h; /* of each step; without bins if no element is finite */
    size_t n;
    enum sm_hist_as as;
    bool log_counts;
    enum sm_heat_map map;
    const double *marks; /* for SM_HIST_BANDS, as in a line chart */
    size_t n_marks;
    double cursor_x; /* NaN: no cursor */
};
/* Draws all histograms on one axis from the lowest to the highest value. Draws nothing if no
 * element is finite. */
void sm_hist_over_time_draw(struct sm_grid *g, struct sm_rect r, const struct sm_hist_over_time *p,
                            const struct sm_glyphs *glyphs);

#endif
