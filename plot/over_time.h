/* SPDX-License-Identifier: Apache-2.0 */
/* How the values of one tensor are distributed at several steps. */
#ifndef SM_OVER_TIME_H
#define SM_OVER_TIME_H

#include "plot/chart.h"

/* Histograms on common bins. */
struct sm_hist_time {
    const double *x; /* steps, ascending */
    size_t n;
    const double *edges; /* bins + 1 edges, evenly spaced */
    size_t bins;
    const double *counts; /* n rows of `bins` */
    bool log_counts;
    enum sm_heat_map map; /* of the heat */
    double cursor_x;      /* NaN if none; its step is highlighted */
};
/* Steps to the right, values upwards, colour by count; steps and bins that share a pixel are added
 * up. */
void sm_hist_time_heat(struct sm_grid *g, struct sm_rect r, const struct sm_hist_time *h,
                       const struct sm_glyphs *glyphs);
/* One hill per step over the values, the oldest at the back: the newest step and evenly chosen
 * others, as many as fit. */
void sm_hist_time_ridge(struct sm_grid *g, struct sm_rect r, const struct sm_hist_time *h,
                        const struct sm_glyphs *glyphs);
/* Redistributes the counts of n bins over other bins by the overlap of their widths, as TensorBoard
 * brings histograms to one axis. Counts outside are dropped; a bin of zero width counts at its
 * position. */
void sm_hist_rebin(const double *edges, const uint64_t *counts, size_t n, const double *to_edges,
                   size_t to_bins, double *out);

/* TensorBoard's distribution: the values below which 0, 6.68, 15.87, 30.85, 50, 69.15, 84.13, 93.32
 * and 100 % of a histogram are (doc/numerics.md "Distribution bands"). */
enum { SM_BANDS = 9 };
/* NaN if there are no counts */
void sm_distribution(const double *edges, const uint64_t *counts, size_t n, double out[SM_BANDS]);
struct sm_bands {
    const double *x; /* steps, ascending */
    const double *v; /* n rows of SM_BANDS values; non-finite: a gap */
    size_t n;
    enum sm_x_unit x_unit;
    enum sm_y_scale y_scale;
    const double *marks; /* as for a line chart */
    size_t n_marks;
    double cursor_x;
};
/* A band between each two lines that are equally far from the median, darker towards it, and the
 * median as a line. */
void sm_bands_draw(struct sm_grid *g, struct sm_rect r, const struct sm_bands *b,
                   const struct sm_glyphs *glyphs);

#endif
