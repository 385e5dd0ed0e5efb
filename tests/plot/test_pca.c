#include "plot/pca.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

enum { N = 7, D = 5, WIDE = 9 };
static const double rows[N][D] = {
    {-5.24, 0.71, -1.56, 0.83, 0.5},  {-8.69, -7.79, 4.05, -1.93, -1.06},
    {9.91, -0.48, 4.04, -0.19, 0.56}, {-6.99, 2.16, 4.42, 0.19, 0.97},
    {3.43, -6.98, 3.1, 0.73, -0.79},  {-9.38, 5.85, -0.33, 1.75, 1.52},
    {4.28, 6.74, -1.26, 2.41, -0.22},
};
/* Computed by 200,000 steps of plain power iteration. */
static const double want_x[N] = {-3.6264478370378757, -6.346068846178367, 11.790217639223528,
                                 -5.17112329346998,   5.702716059159808,  -7.969283251129425,
                                 5.61998952943231};
static const double want_y[N] = {-1.5326709003516539, 8.967181026466859, 0.5328269970418964,
                                 -0.8273325254909928, 6.612728931012381, -5.9140409193118755,
                                 -7.838692609366614};

static void assert_near(const double *got, const double *want)
{
    for (int i = 0; i < N; i++)
        assert_true(fabs(got[i] - want[i]) < 1e-8);
}

static void test_more_rows_than_columns(void **state)
{
    (void)state;
    double x[N], y[N], share[2];
    assert_true(sm_pca(&rows[0][0], N, D, x, y, share));
    assert_near(x, want_x);
    assert_near(y, want_y);
    assert_true(fabs(share[0] - 0.5774543933880609) < 1e-10 &&
                fabs(share[1] - 0.37278875337358064) < 1e-10);
}

static void test_more_columns_than_rows(void **state)
{
    (void)state;
    double wide[N][WIDE] = {{0}}, x[N], y[N], share[2];
    for (int i = 0; i < N; i++)
        for (int k = 0; k < WIDE; k++)
            wide[i][k] = k < D ? rows[i][k] : 3;
    assert_true(sm_pca(&wide[0][0], N, WIDE, x, y, share));
    assert_near(x, want_x);
    assert_near(y, want_y);
}

/* A row with a NaN has no coordinates, and does not change those of others. */
static void test_what_is_not_finite_is_left_out(void **state)
{
    (void)state;
    double more[N + 1][D], x[N + 1], y[N + 1], share[2];
    for (int i = 0; i <= N; i++)
        for (int k = 0; k < D; k++)
            more[i][k] = i ? rows[i - 1][k] : NAN;
    assert_true(sm_pca(&more[0][0], N + 1, D, x, y, share));
    assert_true(isnan(x[0]) && isnan(y[0]));
    assert_near(x + 1, want_x);
    assert_near(y + 1, want_y);
}

static void test_degenerate(void **state)
{
    (void)state;
    const double same[6] = {1, 2, 1, 2, 1, 2}, line[3] = {1, 2, 4},
                 flat[8] = {0, 0, 1, 1, 2, 2, 3, 3};
    double x[4], y[4], share[2];
    assert_false(sm_pca(same, 3, 2, x, y, share));
    assert_false(sm_pca(same, 1, 2, x, y, share));
    assert_true(sm_pca(line, 3, 1, x, y, share)); /* one dimension: the second coordinate is 0 */
    assert_true(fabs(x[2] - 5.0 / 3) < 1e-12 && y[2] == 0 && fabs(share[0] - 1) < 1e-12);
    assert_true(sm_pca(flat, 4, 2, x, y, share));
    assert_true(fabs(fabs(x[0]) - 1.5 * sqrt(2)) < 1e-10 && fabs(y[0]) < 1e-7 && share[1] < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_rows_than_columns),
        cmocka_unit_test(test_more_columns_than_rows),
        cmocka_unit_test(test_what_is_not_finite_is_left_out),
        cmocka_unit_test(test_degenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
