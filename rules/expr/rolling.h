/* SPDX-License-Identifier: Apache-2.0 */
/* The functions over steps, one step after another. A rolling function takes the points of a series
 * in order and has its number at the last one. A point costs the same however many came before, and
 * a window keeps only its own points. */
#ifndef SM_ROLLING_H
#define SM_ROLLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sm_rolling_kind {
    SM_ROLLING_EMA,   /* TensorBoard's debiased moving average (doc/numerics.md) */
    SM_ROLLING_DELTA, /* the value minus the one n points before */
    SM_ROLLING_SLOPE, /* least-squares slope of the finite values of the last n points */
    SM_ROLLING_Z      /* (value - mean) / std, of the finite values of the n points before it */
};

/* Moments of finite points; x is the step. */
struct sm_rolling_sum {
    double n, mean_x, mean_y, sxx, sxy, syy;
};
/* The last points, in a queue made of two stacks: `older` has, for each point of the older stack,
 * the moments from that point to the end of it; `newer` has those of the newer stack. So a point
 * leaves without being subtracted, which would lose digits. */
struct sm_rolling_window {
    struct sm_rolling_point {
        double x, y;
    } * points; /* a ring */
    struct sm_rolling_sum *older, newer;
    size_t first, n, cap, n_older, cap_older;
};
struct sm_rolling {
    enum sm_rolling_kind kind;
    double weight; /* EMA */
    size_t size;   /* of the window, >= 1 */
    size_t n;      /* points so far */
    int64_t origin;
    double first, value, sum, counted; /* values; EMA: its sum and the number of finite values */
    bool constant;                     /* all values are equal */
    struct sm_rolling_window window;
};
/* x: kind with weight or size set, the rest zero. False: no memory. */
bool sm_rolling_add(struct sm_rolling *x, int64_t step, double value);
/* The number at the last point; false: it needs more points. */
bool sm_rolling_number(const struct sm_rolling *x, double *out);
void sm_rolling_clear(struct sm_rolling *x); /* frees; kind, weight and size stay */

#endif
