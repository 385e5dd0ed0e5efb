/* SPDX-License-Identifier: Apache-2.0 */
/* The charts: numbers in, cells out. They know no trial and no terminal. A chart that gets a
 * rectangle blanks it first, draws nothing outside it, and works at any size from 1x1.
 *
 * The room plot/ draws into plot/grid: line charts, sparklines, bars, histograms, heat maps and
 * images (this header), histograms and bands over time (over_time.h), scatter plots (scatter.h)
 * and PCA (pca.h), confusion matrices (confusion.h), health maps (health_map.h), text tables
 * (table.h), line wrapping (wrap.h), images for sixel and kitty terminals (raster.h), and the
 * scales, ticks, axes, frames and legends that the charts share (scale.h, axis.h, frame.h,
 * legend.h, scalebar.h). */
#ifndef SM_CHART_H
#define SM_CHART_H

#include "plot/grid/glyphs.h"

#include <stdint.h>

/* A sparkline in w cells of row y: the values are spread over the cells (a cell with several values
 * shows the NaN/Inf mark if one is not finite, else the one farthest from the mean of all). The
 * scale is the finite min..max; a constant series is a line in the middle. */
void sm_spark_draw(struct sm_grid *g, int x, int y, int w, const double *v, size_t n,
                   enum sm_role role, const struct sm_glyphs *glyphs);
/* The same as UTF-8 text of at most w columns; n == 0 gives "". */
void sm_spark_text(struct sm_str *out, const double *v, size_t n, int w,
                   const struct sm_glyphs *glyphs);

enum sm_y_scale { SM_Y_LINEAR, SM_Y_LOG, SM_Y_SYMLOG };
enum sm_x_unit {
    SM_X_STEP,
    SM_X_SECONDS,
    SM_X_WALL,
    SM_X_VALUE
}; /* WALL: seconds since the epoch, shown in local time */

struct sm_line_series {
    const char *label;     /* already escaped */
    const double *x, *y;   /* n each, x ascending; non-finite y are marked and break the line */
    const double *lo, *hi; /* n each: a band behind the line; NULL: none */
    size_t n;
    enum sm_role role;
    unsigned dash;        /* 0 solid, 1..3 dashed: distinguishes series without colour */
    unsigned marker;      /* of the glyphs, on the line now and then; 0: none */
    bool faint;           /* the raw line of a smoothed one */
    const double *sample; /* of y, n_sample: outliers are judged by these; NULL: by y */
    size_t n_sample;
    bool diverged; /* clipped: the y axis is that of the others (sm_line_mark_diverged) */
};

/* Where a chart was drawn: the cells of its plot, and the x of their ends. */
struct sm_line_place {
    struct sm_rect plot;
    double lo, hi; /* lo > hi: nothing is drawn */
    bool x_log;
};
/* The x at a column; NaN outside the plot. */
double sm_line_x_at(const struct sm_line_place *p, int x, int y);

struct sm_line_chart {
    const struct sm_line_series *series;
    size_t n_series;
    enum sm_y_scale y_scale;
    enum sm_x_unit x_unit;
    bool x_log;         /* logarithmic x axis; not for SM_X_WALL */
    bool clip_outliers; /* y range per doc/numerics.md "Ignore outliers" */
    bool legend;
    /* x positions marked on the axis (rules, sessions); the first 3 are labelled */
    const double *marks;
    size_t n_marks;
    const double *sessions; /* x positions where a run was restarted: a dim vertical line */
    size_t n_sessions;
    const double *window;        /* 2: first and last x of the axis; NULL: those of the lines */
    const double *range;         /* 2: first and last x of a part that is marked; NULL: none */
    struct sm_line_place *place; /* set when it is drawn; may be NULL */
    double cursor_x;             /* NaN if none; the legend shows the values there */
};
/* Axes with ticks, legend, and lines; where a column holds several points, their min/max envelope.
 * Any size, also 1x1. */
void sm_line_draw(struct sm_grid *g, struct sm_rect r, const struct sm_line_chart *chart,
                  const struct sm_glyphs *glyphs);
/* Finds the lines that leave the range of the others by far, which are not to stretch the y axis.
 */
void sm_line_mark_diverged(struct sm_line_series *series, size_t n, enum sm_y_scale scale);
/* The lines that leave the plot because the chart clips. */
size_t sm_line_clipped(const struct sm_line_chart *chart);
/* The newest value at or before x; NaN if there is none. */
double sm_line_value_at(const struct sm_line_series *s, double x);
/* The most points of one series that share one of plot_w columns (cells or dots, as the caller
 * counts); 1 means nothing is thinned ("14,210 points -> 640 columns (min/max)"). */
size_t sm_line_thinning(const struct sm_line_chart *chart, int plot_w);

/* A histogram: n counts between n + 1 edges, bars growing upwards, x ticks at both ends and at
 * 0. */
void sm_hist_draw(struct sm_grid *g, struct sm_rect r, const double *edges, const uint64_t *counts,
                  size_t n, bool log_counts, const struct sm_glyphs *glyphs);
/* A horizontal histogram as text rows "[-0.61, -0.54)  12 ████", for the prompt. bar_w: columns of
 * the longest bar. */
void sm_hist_rows(struct sm_grid *g, const double *edges, const uint64_t *counts, size_t n,
                  int bar_w, const struct sm_glyphs *glyphs); /* resizes g to fit */

/* Horizontal bars with a label and a number each, all starting at 0, the longest bar_w columns:
 * "income  0.44 ████". */
struct sm_bar {
    const char *label, *number; /* already escaped */
    double v;                   /* no bar if not finite or below 0 */
};
void sm_bar_rows(struct sm_grid *g, const struct sm_bar *bars, size_t n, int bar_w,
                 const struct sm_glyphs *glyphs); /* resizes g to fit */
/* One such bar alone; its length is in half cells. */
void sm_bar_draw(struct sm_grid *g, int x, int y, int halves, const struct sm_glyphs *glyphs);

/* A 2-D array, row-major, as pixels of heat: half a cell each where the glyphs have half blocks,
 * else a cell. Small arrays are enlarged; in large ones several elements share a pixel, which shows
 * their mean, or the mark of a NaN or Inf among them. */
enum sm_heat_map { SM_HEAT_VIRIDIS, SM_HEAT_CIVIDIS, SM_HEAT_GREY };
struct sm_heat {
    const double *v;
    size_t rows, cols;
    double lo, hi; /* the scale; lo == hi: all in its middle; lo > hi: no scale */
    enum sm_heat_map map;
    bool legend; /* a row below, if there is room, with the scale and the marks used */
};
void sm_heat_draw(struct sm_grid *g, struct sm_rect r, const struct sm_heat *heat,
                  const struct sm_glyphs *glyphs);
/* The rows that it needs if it is w wide, at most h. */
int sm_heat_height(const struct sm_heat *heat, int w, int h, const struct sm_glyphs *glyphs);
/* The most pixels that fit into r, with or without a legend; with more elements than that, elements
 * share pixels. */
void sm_heat_room(struct sm_rect r, bool legend, const struct sm_glyphs *glyphs, size_t *rows,
                  size_t *cols);

/* An image: one grey plane, or three of red, green and blue, each row-major. Non-finite values are
 * marked. */
struct sm_bitmap {
    const double *v;
    size_t planes, rows, cols;
    double lo, hi;        /* values of black and white */
    enum sm_heat_map map; /* the colour map of a single plane */
};
void sm_bitmap_draw(struct sm_grid *g, struct sm_rect r, const struct sm_bitmap *image,
                    const struct sm_glyphs *glyphs);
/* The colour of one pixel: 0xRRGGBB. */
uint32_t sm_bitmap_rgb(const struct sm_bitmap *image, size_t row, size_t col);
/* The cells that an image takes within w x h, and the pixels that it must be shrunk to first, by
 * the same factor in both directions. */
struct sm_bitmap_size {
    int w, h;
    size_t rows, cols;
};
struct sm_bitmap_size sm_bitmap_fit(size_t rows, size_t cols, int w, int h,
                                    const struct sm_glyphs *glyphs);

/* Round tick values (1, 2, 5 times powers of ten) within lo..hi, at most `most` (<= 32). Returns
 * how many. */
size_t sm_ticks(double lo, double hi, size_t most, double *out);
/* The label of a tick with as many digits as `spacing` needs: 0.10, 2.30, 1e-05, 14k. spacing 0:
 * six digits, as %g. */
void sm_tick_label(double v, double spacing, char out[16]);

/* The same in the notation of an axis whose largest value is `most`: plain digits, or from
 * unit_from on a unit, the same for all (0.5M, 1.234567M); values below 1e-4 of `most` stay plain.
 */
void sm_tick_label_of(double v, double spacing, double most, double unit_from, char out[16]);

/* "1e-3", "1.25e16"; at most so many digits after the point, without zeros at their end. */
void sm_tick_label_scientific(double v, int digits, char out[16]);

/* The labels of n ticks of one axis, all in one notation: whole numbers, one unit (0.5M 1.0M) or
 * powers of ten (1e-3 1e-2). step 0: of a log axis, powers of ten or the
 * axis' ends. */
void sm_tick_labels(const double *v, size_t n, double step, char (*out)[16]);

/* TensorBoard's debiased moving average (doc/numerics.md "Smoothing"); out may be y. weight in [0,
 * 1). */
void sm_smooth(const double *y, size_t n, double weight, double *out);

#endif
