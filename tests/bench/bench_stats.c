/* SPDX-License-Identifier: Apache-2.0 */
/* One pass of all statistics over float32 in memory. Floor: the sum of the same array in double. */
#include "reader/tensor/stats.h"
#include "tests/bench/bench.h"
#include "tests/bench/sum.h"

#include <stdlib.h>

enum { ELEMENTS = 64 << 20, ROUNDS = 9 }; /* 256 MB */

int main(void)
{
    float *x = malloc(ELEMENTS * sizeof *x);
    double sums[ROUNDS], all[ROUNDS], total = 0;
    struct sm_stats s = {0};
    if (!x)
        return 1;
    sm_bench_fill(x, ELEMENTS);
    for (int i = 0; i < ROUNDS; i++) {
        double start = sm_bench_now();
        total = sm_bench_sum(x, ELEMENTS);
        double middle = sm_bench_now();
        sm_stats_f32(x, ELEMENTS, &s);
        all[i] = sm_bench_now() - middle;
        sums[i] = middle - start;
    }
    double gb = ELEMENTS * sizeof *x / 1e9;
    double value = gb / sm_bench_median(all, ROUNDS), floor = gb / sm_bench_median(sums, ROUNDS);
    bool same = s.sum - total < 1e-6 * s.l1 && total - s.sum < 1e-6 * s.l1;
    free(x);
    sm_bench_report(&(struct sm_bench_figure){"stats_f32_gb_per_s", value, floor,
                                              SM_BENCH_RATIO_AT_LEAST, 0.6});
    return same ? 0 : 1;
}
