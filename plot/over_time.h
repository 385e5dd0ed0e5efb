/* How the values of one tensor are spread, at each of several steps. */
#ifndef SM_OVER_TIME_H
#define SM_OVER_TIME_H

#include "plot/chart.h"

/* Histograms on the same bins. */
struct sm_hist_time {
    const double *x; /* n ascending: steps */
    size_t n;
    const double *edges; /* bins + 1, even */
    size_t bins;
    const double *counts; /* n rows of `bins` */
    bool log_counts;
    enum sm_heat_map map; /* of the heat */
    double cursor_x;      /* NaN: none; its step stands out */
};
/* Steps to the right, values upwards, the colour a count; steps and bins that share a pixel are
 * added up. */
void sm_hist_time_heat(struct sm_grid *g, struct sm_rect r, const struct sm_hist_time *h,
                       const struct sm_glyphs *glyphs);
/* A hill for each step over the values, the oldest behind, as many as there is room for: the newest
 * and evenly chosen others. */
void sm_hist_time_ridge(struct sm_grid *g, struct sm_rect r, const struct sm_hist_time *h,
                        const struct sm_glyphs *glyphs);
/* The counts of n bins spread over others by what their widths have in common, as TensorBoard
 * brings histograms onto one axis. What lies outside is left out; a bin without width counts where
 * it stands. */
void sm_hist_rebin(const double *edges, const uint64_t *counts, size_t n, const double *to_edges,
                   size_t to_bins, double *out);

/* TensorBoard's distribution: the values below which 0, 6.68, 15.87, 30.85, 50, 69.15, 84.13, 93.32
 * and 100 % of a histogram lie (doc/numerics.md "Distribution bands"). */
enum { SM_BANDS = 9 };
/* no counts: NaN */
void sm_distribution(const double *edges, const uint64_t *counts, size_t n, double out[SM_BANDS]);
struct sm_bands {
    const double *x; /* n ascending: steps */
    const double *v; /* n rows of SM_BANDS; not finite: a gap */
    size_t n;
    enum sm_x_unit x_unit;
    enum sm_y_scale y_scale;
    const double *marks; /* as of a line chart */
    size_t n_marks;
    double cursor_x;
};
/* Bands between each two points that are as far from the middle, darker inside, and the median as a
 * line. */
void sm_bands_draw(struct sm_grid *g, struct sm_rect r, const struct sm_bands *b,
                   const struct sm_glyphs *glyphs);

#endif
