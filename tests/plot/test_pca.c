/* SPDX-License-Identifier: Apache-2.0 */
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

/* ---- many random points ---- */

enum { MANY = 800, POINTS_MAX = 40, WIDTH_MAX = 12 };

static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 33) / (double)(1u << 31) - 0.5;
}

/* n points of d numbers; the axes have different lengths, so that the components are distinct. */
static void make_points(uint64_t *state, double *points, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        points[i] = next_random(state) * pow(2, -(double)(i % d)) + 7;
}

/* The product of two centred rows equals that of their coordinates if the rows have two numbers:
 * wrong for points that have another sign than the others. */
static void test_all_points_have_the_same_sign(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int t = 0; t < MANY; t++) {
        double points[POINTS_MAX * 2], mean[2] = {0}, x[POINTS_MAX], y[POINTS_MAX], share[2];
        size_t n = 3 + (size_t)t % (POINTS_MAX - 2);
        make_points(&seed, points, n, 2);
        for (size_t i = 0; i < 2 * n; i++)
            mean[i % 2] += points[i] / (double)n;
        assert_true(sm_pca(points, n, 2, x, y, share));
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < i; k++) {
                double want = (points[2 * i] - mean[0]) * (points[2 * k] - mean[0]) +
                              (points[2 * i + 1] - mean[1]) * (points[2 * k + 1] - mean[1]);
                assert_true(fabs(x[i] * x[k] + y[i] * y[k] - want) < 1e-9);
            }
    }
}

static double farthest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fabs(x[i]) > fabs(most) ? x[i] : most;
    return most;
}

/* Points reflected at the origin look the same, as the farthest one is always on the positive
 * side. */
static void test_reflected_points_look_the_same(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int t = 0; t < MANY; t++) {
        double points[POINTS_MAX * WIDTH_MAX], x[2][POINTS_MAX], y[2][POINTS_MAX], share[2];
        size_t n = 3 + (size_t)t % (POINTS_MAX - 2), d = 2 + (size_t)t % (WIDTH_MAX - 1);
        make_points(&seed, points, n, d);
        for (int reflected = 0; reflected < 2; reflected++) {
            assert_true(sm_pca(points, n, d, x[reflected], y[reflected], share));
            assert_true(farthest(x[reflected], n) > 0 && farthest(y[reflected], n) > 0);
            for (size_t i = 0; i < n * d; i++)
                points[i] = -points[i];
        }
        for (size_t i = 0; i < n; i++)
            assert_true(fabs(x[0][i] - x[1][i]) < 1e-7 && fabs(y[0][i] - y[1][i]) < 1e-7);
    }
}

/* Two rows are equally far out but for rounding: the first is on the positive side. */
static void test_first_of_equally_far_is_positive(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int t = 0; t < MANY; t++) {
        double points[2 * WIDTH_MAX], x[2], y[2], share[2];
        size_t d = 2 + (size_t)t % (WIDTH_MAX - 1);
        make_points(&seed, points, 2, d);
        assert_true(sm_pca(points, 2, d, x, y, share));
        assert_true(x[0] > 0 && x[1] < 0 && fabs(x[0] + x[1]) < 1e-9);
    }
}

/* The squares of such numbers are no doubles. */
static void test_huge_and_tiny_points(void **state)
{
    (void)state;
    static const double factors[] = {1e300, 1e-300, 1e154, 1e-162};
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
        double scaled[N][D], x[N], y[N], share[2];
        for (int i = 0; i < N * D; i++)
            scaled[i / D][i % D] = rows[i / D][i % D] * factors[f];
        assert_true(sm_pca(&scaled[0][0], N, D, x, y, share));
        for (int i = 0; i < N; i++) {
            assert_true(fabs(x[i] / factors[f] - want_x[i]) < 1e-8);
            assert_true(fabs(y[i] / factors[f] - want_y[i]) < 1e-8);
        }
        assert_true(fabs(share[0] - 0.5774543933880609) < 1e-10);
    }
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
        cmocka_unit_test(test_all_points_have_the_same_sign),
        cmocka_unit_test(test_reflected_points_look_the_same),
        cmocka_unit_test(test_first_of_equally_far_is_positive),
        cmocka_unit_test(test_huge_and_tiny_points),
        cmocka_unit_test(test_degenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
