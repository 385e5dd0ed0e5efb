/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/hook/hook_private.h"

#include "reader/tensor/statistic_list.h"

#include <math.h>

/* PyTorch divides by n - 1, and has NaN for one element (doc/hook.md). */
static double unbiased(double variance, double n)
{
    return n > 1 ? variance * (n / (n - 1)) : (double)NAN;
}

static double min_with_infinities(const struct sm_stats *s, bool absolute)
{
    if (absolute)
        return s->finite ? s->abs_min : (double)INFINITY;
    if (s->neg_inf)
        return -(double)INFINITY;
    return s->finite ? s->min : (double)INFINITY;
}

static double max_with_infinities(const struct sm_stats *s)
{
    if (s->pos_inf)
        return (double)INFINITY;
    return s->finite ? s->max : -(double)INFINITY;
}

static double product_with_infinities(const struct sm_stats *s, bool absolute)
{
    if (s->zero)
        return (double)NAN;
    return s->neg % 2 && !absolute ? -(double)INFINITY : (double)INFINITY;
}

/* The result when some elements are NaN or infinite. sm_stats only covers finite elements, whereas
 * frameworks compute reductions of all elements: NaN if one of them is NaN. */
static double reduce_with_nonfinite(const struct sm_stats *s, int reduction)
{
    int op = reduction & (SM_REDUCE_ABS - 1);
    bool absolute = reduction & SM_REDUCE_ABS;
    if (s->nan || op == SM_REDUCE_STD || op == SM_REDUCE_VARIANCE)
        return (double)NAN;
    if (op == SM_REDUCE_MIN)
        return min_with_infinities(s, absolute);
    if (op == SM_REDUCE_PROD)
        return product_with_infinities(s, absolute);
    if (op == SM_REDUCE_L1 || op == SM_REDUCE_L2 || absolute)
        return (double)INFINITY;
    if (op == SM_REDUCE_MAX)
        return max_with_infinities(s);
    if (s->pos_inf && s->neg_inf)
        return (double)NAN;
    return s->pos_inf ? (double)INFINITY : -(double)INFINITY;
}

/* The i-th smallest element. sm_quantiles covers only finite elements, so infinities are counted
 * before and after them. */
static bool nth_smallest(const struct sm_tensor *t, const struct sm_stats *s, bool absolute,
                         uint64_t i, double *out, struct sm_err *err)
{
    uint64_t below = absolute ? 0 : s->neg_inf;
    double q = s->finite > 1 ? (double)(i - below) / (double)(s->finite - 1) : 0;
    if (i < below || i >= below + s->finite) {
        *out = i < below ? -(double)INFINITY : (double)INFINITY;
        return true;
    }
    return sm_quantiles(t, absolute, &q, 1, out, err);
}

static bool reduce_median(const struct sm_tensor *t, const struct sm_stats *s, bool absolute,
                          double *out, struct sm_err *err)
{
    double low, high;
    *out = (double)NAN;
    if (s->nan || !s->n)
        return true;
    if (!nth_smallest(t, s, absolute, (s->n - 1) / 2, &low, err) ||
        !nth_smallest(t, s, absolute, s->n / 2, &high, err))
        return false;
    *out = low + (high - low) / 2;
    if (low == high)
        *out = low;
    return true;
}

static double reduce_finite(const struct sm_stats *s, int reduction)
{
    int op = reduction & (SM_REDUCE_ABS - 1);
    int variance = SM_REDUCE_VARIANCE | (reduction & SM_REDUCE_ABS);
    if (op != SM_REDUCE_VARIANCE && op != SM_REDUCE_STD)
        return sm_stats_get(s, reduction);
    double v = unbiased(sm_stats_get(s, variance), (double)s->finite);
    return op == SM_REDUCE_STD ? sqrt(v) : v;
}

void smdbg_squares(size_t n, const float *const *data, const float *const *less,
                   const uint64_t *counts, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = sm_squares_f32(data[i], less ? less[i] : NULL, counts[i]);
}

bool hook_reduce(const struct sm_tensor *t, const struct sm_stats *s, int reduction, double *out,
                 struct sm_err *err)
{
    if ((reduction & (SM_REDUCE_ABS - 1)) == SM_REDUCE_MEDIAN)
        return reduce_median(t, s, reduction & SM_REDUCE_ABS, out, err);
    *out = s->nan || s->pos_inf || s->neg_inf ? reduce_with_nonfinite(s, reduction)
                                              : reduce_finite(s, reduction);
    return true;
}
