/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over one block of numbers that fits the first-level cache: the inner loops of stats.c.
 *
 * Every sum has SM_LANES independent accumulators, element i goes to lane i % SM_LANES, and lanes
 * are added in a fixed order. So the loops vectorise, and all kernels on all machines give the same
 * bits: test_stats compares them. */
#ifndef SM_STATS_BLOCK_H
#define SM_STATS_BLOCK_H

#include "reader/format/dtype.h"

enum { SM_BLOCK = 2048, SM_LANES = 8 };

/* If a block has a non-finite element, only `squares` is meaningful: it is then NaN or infinite.
 * Squares of finite float32 values cannot overflow, those of float64 can. */
struct sm_stats_block {
    double sum, squares, l1; /* of x, x*x, |x| */
    double min, max, abs_min;
    uint32_t zero, neg;
};

/* stats_block.c: plain loops, for 1 <= n <= SM_BLOCK. */
void sm_block_sums(const double *x, size_t n, struct sm_stats_block *out);
/* Sums of (x - mean)^2 and (|x| - abs_mean)^2. */
void sm_block_spread(const double *x, size_t n, double mean, double abs_mean, double *m2,
                     double *abs_m2);
/* Product of elements between 3/4 and 11/8 in magnitude; the product of a block cannot over- or
 * underflow in any order. */
double sm_block_product(const double *x, size_t n);

/* stats_avx2.c: the same, on processors with AVX2. n is a positive multiple of SM_LANES. */
bool sm_avx2_here(void);
void sm_avx2_sums(const double *x, size_t n, struct sm_stats_block *out);
/* float32 at any alignment */
void sm_avx2_sums_f32(const uint8_t *x, size_t n, struct sm_stats_block *out);
void sm_avx2_spread(const double *x, size_t n, double mean, double abs_mean, double *m2,
                    double *abs_m2);
void sm_avx2_widen(const uint8_t *x, size_t n, double *out); /* float32 at any alignment */
/* Elements of a type of at most 16 bits as float32, which has all its values. False: of another
 * type, or the processor cannot. */
bool sm_avx2_narrow(enum sm_dtype d, const uint8_t *x, size_t n, float *out);
/* The sum of x*x, or, unless y is NULL, of (x - y)^2. */
double sm_avx2_squares_f32(const float *x, const float *y, size_t n);

#endif
