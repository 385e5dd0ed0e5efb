/* SPDX-License-Identifier: Apache-2.0 */
/* The two axes of a plot: choosing the ticks that fit, and drawing them. Labels never touch or
 * overlap. */
#ifndef SM_AXIS_H
#define SM_AXIS_H

#include "plot/scale.h"

/* The row (of h cells with dots_y dots each) of place 0 (bottom) .. 1 (top), and the column of w
 * cells. */
int sm_axis_row(double place, int h, const struct sm_glyphs *glyphs);
int sm_axis_column(double place, int w, const struct sm_glyphs *glyphs);

struct sm_y_axis {
    size_t n;
    int label_w;           /* the widest label */
    int row[SM_TICKS_MAX]; /* from the top of the plot */
    char label[SM_TICKS_MAX][16];
};
/* Chooses labels for h rows. Where no two round values fit, the ends of the scale are labelled. */
void sm_y_axis_plan(struct sm_y_axis *a, const struct sm_scale *scale, int h,
                    const struct sm_glyphs *glyphs);
/* Draws the line in column x, rows y..y + h, and if `labels` the labels, right-aligned to its
 * left. */
void sm_y_axis_draw(const struct sm_y_axis *a, struct sm_grid *g, int x, int y, int h, bool labels,
                    const struct sm_glyphs *glyphs);

struct sm_x_axis {
    enum sm_x_unit unit;
    /* By log10(1 + x - min(lo, 0)): step 0 has a place. SM_X_VALUE: by log10(x), lo > 0. */
    bool log;
    double lo, hi;       /* lo > hi: no labels */
    const double *marks; /* drawn with rule_mark; the first few are labelled */
    size_t n_marks;
    double cursor; /* NaN if none */
};
/* The place of x between lo (0) and hi (1), and the x at a place. */
double sm_x_place(const struct sm_x_axis *a, double x);
double sm_x_at(const struct sm_x_axis *a, double place);
/* Draws the line in row y from the corner at corner_x (-1: none) over the plot's columns x..x + w,
 * and if `labels` the labels in row y + 1, within `room`. Labels are placed by importance: newest,
 * cursor, oldest, marks, then evenly spaced ticks. */
void sm_x_axis_draw(const struct sm_x_axis *a, struct sm_grid *g, struct sm_rect room, int corner_x,
                    int x, int w, int y, bool labels, const struct sm_glyphs *glyphs);

#endif
