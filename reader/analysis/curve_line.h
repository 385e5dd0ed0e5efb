/* SPDX-License-Identifier: Apache-2.0 */
/* The points of one line as a picture of some columns needs them (curve.h), made point by point:
 * what was made stays as it is when more follow. Running out of memory stops the program. */
#ifndef SM_CURVE_LINE_H
#define SM_CURVE_LINE_H

#include "reader/kind/trial_options.h"

#include <stdbool.h>
#include <stddef.h>

struct sm_curve_point {
    struct sm_step step;
    double time, value;
    double low, high; /* of the column, where a point is its mean; else the value */
};

enum { SM_CURVE_NEEDED = 5 }; /* first, lowest, highest, first that is not finite, last */
/* The column that points are being added to. Plain data. */
struct sm_curve_column {
    double place; /* columns are told apart by it */
    size_t n, finite;
    struct sm_curve_point at[SM_CURVE_NEEDED];
    size_t order[SM_CURVE_NEEDED]; /* the number of the point in the column; SIZE_MAX: none */
    double step, time, value;      /* sums; value: of the finite ones */
};
/* Zero it to begin. n points of columns that are complete; those of the last column follow when it
 * is ended or shown. */
struct sm_curve_line {
    struct sm_curve_point *points;
    size_t n, cap;
    struct sm_curve_column column;
    bool means; /* a column is one point: the mean, the lowest and the highest */
};
void sm_curve_line_add(struct sm_curve_line *l, double place, const struct sm_curve_point *p);
/* Writes the points of the last column behind the n others, which stay n. Returns how many there
 * are then. */
size_t sm_curve_line_show(struct sm_curve_line *l);
void sm_curve_line_clear(struct sm_curve_line *l);

#endif
