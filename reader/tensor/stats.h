/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of a tensor, all in one pass (doc/numerics.md "Statistics of a tensor").
 *
 * Moments are over the finite elements, accumulated in float64 with independent accumulators;
 * variance divides by n; l1 and l2 are of the flattened tensor; abs_* are the same of |x|. Of
 * complex numbers only NaN, Inf and zero are counted, by their parts; they have no moments. Strings
 * only have a size. */
#ifndef SM_STATS_H
#define SM_STATS_H

#include "reader/tensor/tensor.h"

#include <string.h>

struct sm_stats {
    uint64_t n; /* elements */
    /* neg and pos include the infinities of their sign */
    uint64_t nan, pos_inf, neg_inf, zero, neg, pos;
    uint64_t finite; /* elements in the numbers below; 0: those are undefined */
    double min, max, sum, sum_squares, prod, mean, variance, l1, l2;
    double abs_min, abs_max, abs_variance, abs_prod;
    /* the least and the largest element of int64 and uint64, as stored; 0 for other types */
    uint64_t min_bits, max_bits;
    bool inexact; /* integers beyond 2^53 took part: sums and moments are rounded */
    /* Bit i: the i-th 8 bytes of this struct were not saved, and are NaN (statistic_list.h). Never
     * set in what was computed. */
    uint64_t lacks;
};
/* The least or largest finite element of elements of type d, exactly if it is known; `real` is
 * always min or max. */
struct sm_exact sm_stats_extreme(const struct sm_stats *s, enum sm_dtype d, bool largest);
/* Adds the statistics of other elements of type d. */
void sm_stats_join(struct sm_stats *s, const struct sm_stats *more, enum sm_dtype d);
/* False: not a numeric type. */
bool sm_stats_of(const struct sm_tensor *t, struct sm_stats *out, struct sm_err *err);
/* The same of one floating-point number, without a tensor. */
void sm_stats_of_real(double v, struct sm_stats *out);
void sm_stats_f32(const float *x, size_t n, struct sm_stats *out); /* aligned; the fast kernel */
/* The sum of x*x in float64, or, unless y is NULL, of (x - y)^2. Aligned. */
double sm_squares_f32(const float *x, const float *y, size_t n);

/* What a hook may have saved of a tensor in place of its values (statistic_list.h has their names).
 */
enum sm_reduction {
    SM_REDUCE_NONE,
    SM_REDUCE_MIN,
    SM_REDUCE_MAX,
    SM_REDUCE_MEAN,
    SM_REDUCE_STD,
    SM_REDUCE_VARIANCE,
    SM_REDUCE_SUM,
    SM_REDUCE_PROD,
    SM_REDUCE_L1,
    SM_REDUCE_L2,
    SM_REDUCE_MEDIAN,
    SM_REDUCE_OPS,     /* number of operations */
    SM_REDUCE_ABS = 32 /* flag: of |x| */
};
/* In place of a q: numpy.median, the mean of the two elements in the middle in their own type. It
 * is quantile 0.5 but for rounding. */
#define SM_MEDIAN (-1.0)
/* numpy.quantile's default (linear) over the finite elements, for n_q q in [0, 1] or SM_MEDIAN;
 * abs: of |x|. Without finite elements every out is NaN. */
bool sm_quantiles(const struct sm_tensor *t, bool absolute, const double *q, size_t n_q,
                  double *out, struct sm_err *err);
/* The same of n finite numbers, whose order is lost. False: no memory. */
bool sm_quantiles_of(double *x, size_t n, const double *q, size_t n_q, double *out);
/* Between two neighbours in order, t in [0, 1): from the nearer one, as numpy does. distance:
 * above - below, rounded to the type of the numbers. */
static inline double sm_quantile_between(double below, double distance, double above, double t)
{
    return t < 0.5 ? below + distance * t : above - distance * (1 - t);
}
/* Integers in the order of doubles: negative ones inverted, below the others. */
static inline uint64_t sm_double_key(double v)
{
    uint64_t bits, sign = (uint64_t)1 << 63;
    memcpy(&bits, &v, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}
/* Sorts n >= 1 doubles; room has the same size. Returns the array with the result: x or room. */
double *sm_doubles_sort(double *x, double *room, size_t n);

#endif
