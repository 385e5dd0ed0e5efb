/* The two axes of a plot: which ticks fit, and drawing them. Labels never touch or overlap each
 * other. */
#ifndef SM_AXIS_H
#define SM_AXIS_H

#include "plot/scale.h"

/* Which row (of h cells, dots_y dots each) holds the place 0 (bottom) .. 1 (top); which column of
 * w. */
int sm_axis_row(double place, int h, const struct sm_glyphs *glyphs);
int sm_axis_column(double place, int w, const struct sm_glyphs *glyphs);

struct sm_y_axis {
    size_t n;
    int label_w;           /* the widest label */
    int row[SM_TICKS_MAX]; /* from the top of the plot */
    char label[SM_TICKS_MAX][16];
};
/* Labels for h rows. Where no two nice values fit, the ends of the scale are labelled. */
void sm_y_axis_plan(struct sm_y_axis *a, const struct sm_scale *scale, int h,
                    const struct sm_glyphs *glyphs);
/* The line in column x, rows y..y + h; labels right-aligned to its left, if `labels`. */
void sm_y_axis_draw(const struct sm_y_axis *a, struct sm_grid *g, int x, int y, int h, bool labels,
                    const struct sm_glyphs *glyphs);

struct sm_x_axis {
    enum sm_x_unit unit;
    double lo, hi;       /* lo > hi: nothing to label */
    const double *marks; /* shown with rule_mark; the first few labelled */
    size_t n_marks;
    double cursor; /* NaN: none */
};
/* The line is drawn in row y from the corner at corner_x (-1: none) over the plot's columns x..x +
 * w, the labels in row y + 1 if `labels`, within `room`. The labels that matter most get their
 * place first: cursor, newest, oldest, marks, then even ticks. */
void sm_x_axis_draw(const struct sm_x_axis *a, struct sm_grid *g, struct sm_rect room, int corner_x,
                    int x, int w, int y, bool labels, const struct sm_glyphs *glyphs);

#endif
