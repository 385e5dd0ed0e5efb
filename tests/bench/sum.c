/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/sum.h"

#include <stdint.h>

enum { LANES = 16 };

/* Enough accumulators to hide the latency of additions, with the widest vectors that the measured
 * code may use. */
static inline __attribute__((always_inline)) double sum_in_lanes(const float *x, size_t n)
{
    double lanes[LANES] = {0}, sum = 0;
    for (size_t i = 0; i < n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lanes[k] += (double)x[i + k];
    for (size_t k = 0; k < LANES; k++)
        sum += lanes[k];
    return sum;
}

#if defined(__GNUC__) && !defined(__clang__)
#define FULLY_OPTIMIZED noinline, optimize("O3")
#else
#define FULLY_OPTIMIZED noinline
#endif

__attribute__((FULLY_OPTIMIZED)) static double sum_anywhere(const float *x, size_t n)
{
    return sum_in_lanes(x, n);
}

#ifdef __x86_64__
__attribute__((FULLY_OPTIMIZED, target("avx2"))) static double sum_avx2(const float *x, size_t n)
{
    return sum_in_lanes(x, n);
}
#endif

double sm_bench_sum(const float *x, size_t n)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return sum_avx2(x, n);
#endif
    return sum_anywhere(x, n);
}

void sm_bench_fill(float *x, size_t n)
{
    uint32_t state = 1;
    for (size_t i = 0; i < n; i++) {
        float v = 0;
        for (int k = 0; k < 4; k++) {
            state = state * 1664525u + 1013904223u;
            v += (float)(state >> 8) * 0x1p-24f - 0.5f;
        }
        x[i] = v * 0.1f;
    }
}
