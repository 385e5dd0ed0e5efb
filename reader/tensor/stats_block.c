/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/stats_block.h"

#include "reader/tensor/stats.h"

#include <math.h>

static double lanes_sum(const double *a)
{
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

struct sums {
    double sum[SM_LANES], squares[SM_LANES], l1[SM_LANES];
};

static inline void add_to_lane(struct sums *s, size_t k, double v)
{
    s->sum[k] += v;
    s->squares[k] += v * v;
    s->l1[k] += fabs(v);
}

static void add_sums(const double *x, size_t n, struct sm_stats_block *out)
{
    struct sums s = {{0}, {0}, {0}};
    size_t i = 0;
    for (; i + SM_LANES <= n; i += SM_LANES)
        for (size_t k = 0; k < SM_LANES; k++)
            add_to_lane(&s, k, x[i + k]);
    for (size_t k = 0; i + k < n; k++)
        add_to_lane(&s, k, x[i + k]);
    out->sum = lanes_sum(s.sum);
    out->squares = lanes_sum(s.squares);
    out->l1 = lanes_sum(s.l1);
}

static void find_extremes(const double *x, size_t n, struct sm_stats_block *out)
{
    double min = x[0], max = x[0], abs_min = fabs(x[0]);
    for (size_t i = 1; i < n; i++) {
        double v = x[i], a = fabs(v);
        min = v < min ? v : min;
        max = v > max ? v : max;
        abs_min = a < abs_min ? a : abs_min;
    }
    out->min = min;
    out->max = max;
    out->abs_min = abs_min;
}

static void count_signs(const double *x, size_t n, struct sm_stats_block *out)
{
    uint32_t zero = 0, neg = 0;
    for (size_t i = 0; i < n; i++) {
        zero += x[i] == 0;
        neg += x[i] < 0;
    }
    out->zero = zero;
    out->neg = neg;
}

void sm_block_sums(const double *x, size_t n, struct sm_stats_block *out)
{
    add_sums(x, n, out);
    find_extremes(x, n, out);
    count_signs(x, n, out);
}

void sm_block_spread(const double *x, size_t n, double mean, double abs_mean, double *m2,
                     double *abs_m2)
{
    double a[SM_LANES] = {0}, b[SM_LANES] = {0};
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - mean, e = fabs(x[i]) - abs_mean;
        a[i % SM_LANES] += d * d;
        b[i % SM_LANES] += e * e;
    }
    *m2 = lanes_sum(a);
    *abs_m2 = lanes_sum(b);
}

double sm_block_product(const double *x, size_t n)
{
    double p[SM_LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t i = 0; i < n; i++)
        p[i % SM_LANES] *= x[i];
    return ((p[0] * p[4]) * (p[2] * p[6])) * ((p[1] * p[5]) * (p[3] * p[7]));
}

/* ---- squares of float32 ---- */

static double squares_f32(const float *x, const float *y, size_t n)
{
    double a[2 * SM_LANES] = {0};
    for (size_t i = 0; i < n; i++) {
        double v = y ? (double)x[i] - (double)y[i] : (double)x[i];
        a[i % (2 * (size_t)SM_LANES)] += v * v;
    }
    for (size_t k = 0; k < SM_LANES; k++)
        a[k] += a[k + SM_LANES];
    return lanes_sum(a);
}

double sm_squares_f32(const float *x, const float *y, size_t n)
{
    size_t whole = n - n % SM_LANES; /* in lanes; the others are added behind them */
    double sum = (sm_avx2_here() ? sm_avx2_squares_f32 : squares_f32)(x, y, whole);
    return sum + squares_f32(x + whole, y ? y + whole : NULL, n - whole);
}
