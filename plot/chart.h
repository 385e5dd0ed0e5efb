/* The plots: numbers in, cells out. They know no trial and no terminal.
 * Those in a rectangle blank it first, write nothing outside it, and have something to say at any
 * size from 1x1. */
#ifndef SM_CHART_H
#define SM_CHART_H

#include "plot/grid/glyphs.h"

#include <stdint.h>

/* A sparkline in w cells of row y: the values are spread over the cells (a cell that gets several
 * shows their mean, or the NaN/Inf mark if one is not finite). The scale is the finite min..max; a
 * constant series is a middle line. */
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
}; /* WALL: seconds since the epoch, in the local zone */

struct sm_line_series {
    const char *label;   /* escaped already */
    const double *x, *y; /* n each, x ascending; non-finite y is marked, not joined */
    size_t n;
    enum sm_role role;
    unsigned dash; /* 0 solid, 1..3 dashed ways: series differ without colour */
    bool faint;    /* the raw line behind a smoothed one */
};

struct sm_line_chart {
    const struct sm_line_series *series;
    size_t n_series;
    enum sm_y_scale y_scale;
    enum sm_x_unit x_unit;
    bool clip_outliers; /* y range by doc/numerics.md "Ignore outliers" */
    bool legend;
    /* x positions marked on the axis (rules, sessions); the first 3 labelled */
    const double *marks;
    size_t n_marks;
    const double *sessions; /* x positions where a run was started again: a quiet upright line */
    size_t n_sessions;
    double cursor_x; /* NaN: none; the legend says the values there */
};
/* Axes with ticks, legend, lines through min/max envelopes where a column holds several points. Any
 * size, also 1x1. */
void sm_line_draw(struct sm_grid *g, struct sm_rect r, const struct sm_line_chart *chart,
                  const struct sm_glyphs *glyphs);
/* The newest value at or before x; NaN: there is none. */
double sm_line_value_at(const struct sm_line_series *s, double x);
/* How many points of one series share the fullest of plot_w columns (cells, or dots: as the caller
 * counts them): 1 means nothing is thinned ("14,210 points -> 640 columns (min/max)"). */
size_t sm_line_thinning(const struct sm_line_chart *chart, int plot_w);

/* A histogram: n counts between n + 1 edges, bars growing upwards, x ticks at the edges' ends and
 * 0. */
void sm_hist_draw(struct sm_grid *g, struct sm_rect r, const double *edges, const uint64_t *counts,
                  size_t n, bool log_counts, const struct sm_glyphs *glyphs);
/* The same lying down, as text rows "[-0.61, -0.54)  12 ████": for the prompt. bar_w columns for
 * the longest bar. */
void sm_hist_rows(struct sm_grid *g, const double *edges, const uint64_t *counts, size_t n,
                  int bar_w, const struct sm_glyphs *glyphs); /* resizes g to fit */

/* Lying bars with a word and a number each, all from 0, the longest bar_w columns: "income  0.44
 * ████". */
struct sm_bar {
    const char *label, *number; /* escaped already */
    double v;                   /* not finite or below 0: no bar */
};
void sm_bar_rows(struct sm_grid *g, const struct sm_bar *bars, size_t n, int bar_w,
                 const struct sm_glyphs *glyphs); /* resizes g to fit */
/* One such bar by itself, so many half cells long. */
void sm_bar_draw(struct sm_grid *g, int x, int y, int halves, const struct sm_glyphs *glyphs);

/* A 2-D array, row-major, as pixels of heat: half a cell each where the glyphs have halves, else a
 * cell. Small arrays get larger squares, in large ones several elements share a pixel: their mean,
 * or their NaN or Inf, which are marked. */
enum sm_heat_map { SM_HEAT_VIRIDIS, SM_HEAT_CIVIDIS, SM_HEAT_GREY };
struct sm_heat {
    const double *v;
    size_t rows, cols;
    double lo, hi; /* the scale; lo == hi: its middle; lo > hi: there is none */
    enum sm_heat_map map;
    bool legend; /* a row below, where there is room: the scale, and what marks mean */
};
void sm_heat_draw(struct sm_grid *g, struct sm_rect r, const struct sm_heat *heat,
                  const struct sm_glyphs *glyphs);
/* The rows that it takes of h when it is w wide. */
int sm_heat_height(const struct sm_heat *heat, int w, int h, const struct sm_glyphs *glyphs);
/* The most pixels that r has room for, with or without a legend: more elements than these share. */
void sm_heat_room(struct sm_rect r, bool legend, const struct sm_glyphs *glyphs, size_t *rows,
                  size_t *cols);

/* A picture: one plane of grey or three of red, green and blue, each row-major. What is not finite
 * is marked. */
struct sm_bitmap {
    const double *v;
    size_t planes, rows, cols;
    double lo, hi;        /* black, white */
    enum sm_heat_map map; /* the colours of one plane */
};
void sm_bitmap_draw(struct sm_grid *g, struct sm_rect r, const struct sm_bitmap *image,
                    const struct sm_glyphs *glyphs);
/* The colour of one pixel: 0xRRGGBB. */
uint32_t sm_bitmap_rgb(const struct sm_bitmap *image, size_t row, size_t col);
/* The cells that a picture takes in a room of w x h, and the pixels to which it must be shrunk
 * first, by the same factor for both. */
struct sm_bitmap_size {
    int w, h;
    size_t rows, cols;
};
struct sm_bitmap_size sm_bitmap_fit(size_t rows, size_t cols, int w, int h,
                                    const struct sm_glyphs *glyphs);

/* Good tick values (1, 2, 5 times powers of ten) within lo..hi, at most `most` (<= 32). Returns how
 * many. */
size_t sm_ticks(double lo, double hi, size_t most, double *out);
/* The tick's label with as many digits as `spacing` needs: 0.10, 2.30, 1e-05, 14k. spacing 0: six
 * digits, as %g. */
void sm_tick_label(double v, double spacing, char out[16]);

/* TensorBoard's debiased moving average (doc/numerics.md "Smoothing"); out may be y. weight in [0,
 * 1). */
void sm_smooth(const double *y, size_t n, double weight, double *out);

#endif
