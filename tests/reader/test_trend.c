/* SPDX-License-Identifier: Apache-2.0 */
/* Medians, ranks and trends, against numbers computed by hand from their definitions. */
#include "reader/analysis/trend.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define N(v) (sizeof(v) / sizeof *(v))

static void expect_near(double got, double expected)
{
    if (!(fabs(got - expected) < 1e-4))
        fail_msg("%.6f, expected %.6f", got, expected);
}

static void test_median_and_spread(void **state)
{
    static const double odd[] = {5, 1, 4}, even[] = {4, 1, 3, 2}, wide[] = {1, 2, 3, 4, 100};
    (void)state;
    expect_near(sm_median(odd, N(odd)), 4);
    expect_near(sm_median(even, N(even)), 2.5);
    assert_true(isnan(sm_median(NULL, 0)));
    expect_near(sm_spread(wide, N(wide)), 1.4826);
}

static void test_rank_z(void **state)
{
    static const double a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, tied[] = {4, 4, 5};
    (void)state;
    expect_near(sm_rank_z(b, N(b), a, N(a)), 2.309401);
    expect_near(sm_rank_z(a, N(a), b, N(b)), -2.309401);
    expect_near(sm_rank_z(a, N(a), tied, N(tied)), -1.834498);
    expect_near(sm_rank_z(a, N(a), a, N(a)), 0);
    expect_near(sm_rank_z(a, N(a), a, 0), 0);
}

static void test_trend(void **state)
{
    static const double up[] = {1, 2, 3, 4, 5}, flat[] = {3, 3, 3}, noisy[] = {1, 9, 2, 8, 3};
    (void)state;
    expect_near(sm_trend_z(up, N(up)), 9 / sqrt(50.0 / 3));
    expect_near(sm_trend_z(flat, N(flat)), 0);
    expect_near(sm_trend_z(noisy, N(noisy)), 1 / sqrt(50.0 / 3));
    expect_near(sm_trend_slope(up, N(up)), 1);
    expect_near(sm_trend_slope(noisy, N(noisy)), 0.5);
    expect_near(sm_trend_slope(up, 1), 0);
}

/* Of many numbers medians of neighbours are taken, and the slope stays that per number. */
static void test_many(void **state)
{
    enum { MANY = 10000 };
    static double v[MANY];
    (void)state;
    for (size_t i = 0; i < MANY; i++)
        v[i] = 0.5 * (double)i;
    expect_near(sm_trend_slope(v, MANY), 0.5);
    assert_true(sm_trend_z(v, MANY) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_median_and_spread),
        cmocka_unit_test(test_rank_z),
        cmocka_unit_test(test_trend),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
