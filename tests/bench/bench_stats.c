/* One pass of all statistics over float32 in memory, against summing the same array into doubles. */
#include "reader/stats.h"
#include "tests/bench/bench.h"

#include <stdlib.h>

enum { ELEMENTS = 64 << 20, LANES = 16, ROUNDS = 9 };      /* 256 MB */

/* The floor: nothing but the sum, with accumulators enough to hide the latency of additions and the widest vectors
 * that the kernel under test may use. */
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

static double plain_sum(const float *x, size_t n)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return sum_avx2(x, n);
#endif
    return sum_anywhere(x, n);
}

/* Like weights: both signs, a bell around 0. */
static void fill(float *x, size_t n)
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

int main(void)
{
    float *x = malloc(ELEMENTS * sizeof *x);
    double sums[ROUNDS], all[ROUNDS], total = 0;
    struct sm_stats s = {0};
    if (!x)
        return 1;
    fill(x, ELEMENTS);
    for (int i = 0; i < ROUNDS; i++) {
        double start = sm_bench_now();
        total = plain_sum(x, ELEMENTS);
        double middle = sm_bench_now();
        sm_stats_f32(x, ELEMENTS, &s);
        all[i] = sm_bench_now() - middle;
        sums[i] = middle - start;
    }
    double gb = ELEMENTS * sizeof *x / 1e9;
    double value = gb / sm_bench_median(all, ROUNDS), floor = gb / sm_bench_median(sums, ROUNDS);
    bool same = s.sum - total < 1e-6 * s.l1 && total - s.sum < 1e-6 * s.l1;
    free(x);
    sm_bench_report(&(struct sm_bench_figure){"stats_f32_gb_per_s", value, floor, SM_BENCH_RATIO_AT_LEAST, 0.6});
    return same ? 0 : 1;
}
