/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/scale.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void assert_ticks(double lo, double hi, size_t most, size_t n, const double *want)
{
    double out[SM_TICKS_MAX];
    assert_int_equal(sm_ticks(lo, hi, most, out), n);
    for (size_t i = 0; i < n; i++)
        if (out[i] != want[i])
            fail_msg("tick %zu of %g..%g is %.17g, not %.17g", i, lo, hi, out[i], want[i]);
}
#define TICKS(lo, hi, most, ...)                                                                   \
    assert_ticks(lo, hi, most, sizeof((double[]){__VA_ARGS__}) / sizeof(double),                   \
                 (double[]){__VA_ARGS__})

static void test_ticks_are_round_numbers(void **state)
{
    (void)state;
    TICKS(0, 4210, 5, 0, 1000, 2000, 3000, 4000);
    TICKS(0, 4210, 3, 0, 2000, 4000);
    TICKS(0.1, 2.3, 4, 0.5, 1, 1.5, 2);
    TICKS(-0.61, 0.74, 3, -0.5, 0, 0.5);
    TICKS(0, 1, 6, 0, 0.2, 0.4, 0.6, 0.8, 1);
    TICKS(0.1, 0.3, 3, 0.1, 0.2, 0.3); /* 0.3, not 0.30000000000000004 */
    TICKS(11, 14, 1, 12.5);            /* no round number in range: the middle */
    TICKS(1.6, 2.4, 1, 2);
    TICKS(7, 7, 5, 7);
    TICKS(0, 31, 99, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
          22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    TICKS(-1e308, 1.5e308, 5, -1e308, 0, 1e308);
}

static void test_ticks_of_nothing(void **state)
{
    (void)state;
    double out[SM_TICKS_MAX];
    assert_int_equal(sm_ticks(0, 1, 0, out), 0);
    assert_int_equal(sm_ticks(1, 0, 5, out), 0);
    assert_int_equal(sm_ticks(nan(""), 1, 5, out), 0);
    assert_int_equal(sm_ticks(0, HUGE_VAL, 5, out), 0);
}

/* For any ends: ascending, inside, and never too many. */
static void test_ticks_of_anything(void **state)
{
    (void)state;
    const double ends[] = {-DBL_MAX, -1e300, -3e15,    -1,     -1e-300, -5e-324,
                           0,        5e-324, 1e-310,   1e-300, 1,       1 + DBL_EPSILON,
                           3e15,     1e16,   1e16 + 2, 1e300,  DBL_MAX};
    enum { N = sizeof ends / sizeof *ends };
    for (int i = 0; i < N; i++)
        for (int k = i; k < N; k++)
            for (size_t most = 1; most <= SM_TICKS_MAX; most++) {
                double out[SM_TICKS_MAX], slack = (ends[k] / 2 - ends[i] / 2) * 1e-6;
                size_t n = sm_ticks(ends[i], ends[k], most, out);
                assert_in_range(n, 1, most);
                for (size_t t = 0; t < n; t++) {
                    assert_true(out[t] >= ends[i] - slack && out[t] <= ends[k] + slack);
                    assert_true(t == 0 || out[t] > out[t - 1]);
                    char label[16];
                    sm_tick_label(out[t], n > 1 ? out[1] - out[0] : 0, label);
                    assert_in_range(strlen(label), 1, 15);
                }
            }
}

static void assert_label(double v, double spacing, const char *want)
{
    char label[16];
    sm_tick_label(v, spacing, label);
    assert_string_equal(label, want);
}

static void test_labels_have_the_digits_of_the_spacing(void **state)
{
    (void)state;
    assert_label(0.1, 0.05, "0.10");
    assert_label(2.3, 0.01, "2.30");
    assert_label(2.3, 0.1, "2.3");
    assert_label(2, 1, "2");
    assert_label(-0.61, 0.135, "-0.6");
    assert_label(0.3, 0.0999999999, "0.3"); /* spacing computed as a difference of two ticks */
    assert_label(9.999, 0.1, "10.0");
    assert_label(0, 0.1, "0");
    assert_label(-0.0, 0.1, "0");
    assert_label(4210, 1, "4210");
    assert_label(0.412512345, 0, "0.412512");
    assert_label(0.0002, 0.0001, "0.0002");
}

static void test_large_and_small_labels(void **state)
{
    (void)state;
    assert_label(1e-5, 1e-5, "1e-05");
    assert_label(1.5e-5, 5e-6, "1.5e-05");
    assert_label(14000, 1000, "14k");
    assert_label(14210, 1, "14210");
    assert_label(10200, 200, "10200"); /* 10.2k is not shorter */
    assert_label(1200000, 200000, "1.2M");
    assert_label(2e9, 1e9, "2G");
    assert_label(-3e12, 1e12, "-3T");
    assert_label(1e16, 1e15, "1e+16");
    assert_label(-1.23456789e-300, 1e-320, "-1.2345679e-300");
    assert_label(nan(""), 1, "nan");
    assert_label(-HUGE_VAL, 1, "-inf");
}

static void test_places(void **state)
{
    (void)state;
    assert_true(sm_range_place(10, 20, 15) == 0.5);
    assert_true(sm_range_place(10, 20, 25) == 1.5);
    assert_true(sm_range_place(7, 7, 7) == 0.5);
    assert_true(isnan(sm_range_place(0, 1, nan(""))));
    assert_true(isnan(sm_range_place(1, 1, nan(""))));
    assert_true(sm_range_place(-DBL_MAX, DBL_MAX, 0) == 0.5);
    assert_true(sm_range_place(-DBL_MAX, DBL_MAX, DBL_MAX) == 1);
}

static void test_log_scale(void **state)
{
    (void)state;
    struct sm_scale s;
    double out[SM_TICKS_MAX], step;
    sm_scale_init(&s, SM_Y_LOG, 0.001, 10);
    assert_true(fabs(sm_scale_place(&s, 0.1) - 0.5) < 1e-12);
    assert_true(sm_scale_place(&s, 0) == -HUGE_VAL && sm_scale_place(&s, -1) == -HUGE_VAL);
    assert_int_equal(sm_scale_ticks(&s, 5, out, &step), 5);
    for (int i = 0; i < 5; i++)
        assert_true(fabs(log10(out[i]) - (i - 3)) < 1e-12);
    assert_int_equal(sm_scale_ticks(&s, 3, out, &step), 3); /* every other power */
    assert_true(fabs(log10(out[0]) + 3) < 1e-12 && out[2] == 10);
    sm_scale_init(&s, SM_Y_LOG, 1, 10);
    assert_int_equal(sm_scale_ticks(&s, 6, out, &step), 4); /* 1 2 5 10 */
    assert_true(out[1] == 2 && out[2] == 5);
    sm_scale_init(&s, SM_Y_LOG, 2, 3); /* within one power: ticks as on a linear scale */
    assert_true(sm_scale_ticks(&s, 6, out, &step) >= 2 && step > 0);
}

static void test_symlog_scale(void **state)
{
    (void)state;
    struct sm_scale s;
    double out[SM_TICKS_MAX], step;
    sm_scale_init(&s, SM_Y_SYMLOG, -100, 100);
    assert_true(s.threshold == 0.1);
    assert_true(sm_scale_place(&s, 0) == 0.5);
    assert_true(fabs(sm_scale_place(&s, 10) - (0.5 + 0.5 * log10(101) / log10(1001))) < 1e-12);
    size_t n = sm_scale_ticks(&s, 9, out, &step);
    assert_int_equal(n, 7); /* -100 -10 -1 0 1 10 100 */
    assert_true(out[0] == -100 && out[3] == 0 && out[6] == 100);
    sm_scale_init(&s, SM_Y_SYMLOG, 4, 1e14); /* all on one side: its decades have equal room */
    assert_true(fabs(sm_scale_place(&s, 1e7) - 0.474) < 1e-3);
    n = sm_scale_ticks(&s, 4, out, &step);
    assert_int_equal(n, 4);
    assert_true(out[0] == 1e2 && out[3] == 1e14);
    sm_scale_init(&s, SM_Y_SYMLOG, -1e14, -4);
    assert_true(fabs(sm_scale_place(&s, -1e7) - 0.526) < 1e-3);
    sm_scale_init(&s, SM_Y_SYMLOG, 0, 0);
    assert_true(sm_scale_place(&s, 0) == 0.5);
}

static void assert_labels(const double *v, size_t n, double step, const char *want)
{
    char out[SM_TICKS_MAX][16];
    struct sm_str all = {0};
    sm_tick_labels(v, n, step, out);
    for (size_t i = 0; i < n; i++)
        sm_str_printf(&all, "%s%s", i ? " " : "", out[i]);
    assert_string_equal(sm_str_text(&all), want);
    sm_str_clear(&all);
}

static void test_labels_of_one_axis_have_one_notation(void **state)
{
    const double thousands[] = {0, 5000, 10000}, millions[] = {0, 500000, 1e6, 1.5e6},
                 small[] = {5e-5, 1e-4, 1.5e-4}, powers[] = {1e-5, 1e-4, 1e-3, 1e-2},
                 wide[] = {1, 1e3, 1e6}, few[] = {0.1, 1, 10, 100}, odd[] = {10000, 10200, 10400},
                 huge[] = {0, 5e15, 1e16};
    (void)state;
    assert_labels(thousands, 3, 5000, "0 5k 10k");
    assert_labels(millions, 4, 500000, "0 0.5M 1.0M 1.5M");
    assert_labels(small, 3, 5e-5, "5e-5 1e-4 1.5e-4");
    assert_labels(powers, 4, 0, "1e-5 1e-4 1e-3 1e-2");
    assert_labels(wide, 3, 0, "1e0 1e3 1e6");
    assert_labels(few, 4, 0, "0.1 1 10 100");
    assert_labels(odd, 3, 200, "10.0k 10.2k 10.4k");
    assert_labels(huge, 3, 5e15, "0 5e15 1e16");
}

static void assert_x_label(enum sm_x_unit unit, double v, double step, const char *want)
{
    char label[16];
    sm_x_label(unit, v, step, fabs(v), label);
    assert_string_equal(label, want);
}

static void test_steps_are_whole(void **state)
{
    (void)state;
    double out[SM_TICKS_MAX], step;
    assert_int_equal(sm_x_ticks(SM_X_STEP, 0, 2, 5, out, &step), 3); /* no half steps */
    assert_true(out[1] == 1 && step == 1);
    assert_x_label(SM_X_STEP, 14213, 0.5, "14213");
}

static void test_seconds(void **state)
{
    (void)state;
    double out[SM_TICKS_MAX], step;
    assert_int_equal(sm_x_ticks(SM_X_SECONDS, 0, 7300, 5, out, &step), 5);
    assert_true(step == 1800 && out[4] == 7200);
    assert_int_equal(sm_x_ticks(SM_X_SECONDS, 0, 86400 * 9, 4, out, &step), 2);
    assert_true(step == 5 * 86400);
    assert_int_equal(sm_x_ticks(SM_X_SECONDS, 0, 1, 6, out, &step), 6);
    assert_x_label(SM_X_SECONDS, 0.2, 0.2, "0.2s");
    assert_x_label(SM_X_SECONDS, 42, 1, "42s");
    assert_x_label(SM_X_SECONDS, 252, 1, "4m12s");
    assert_x_label(SM_X_SECONDS, 240, 60, "4m");
    assert_x_label(SM_X_SECONDS, 3 * 3600 + 300, 60, "3h05m");
    assert_x_label(SM_X_SECONDS, 2 * 86400 + 4 * 3600, 3600, "2d04h");
    assert_x_label(SM_X_SECONDS, -90, 30, "-1m30s");
    assert_x_label(SM_X_SECONDS, 1e300, 1e299, "1e+300s");
}

static void test_wall_clock_goes_by_local_days(void **state)
{
    (void)state;
    double out[SM_TICKS_MAX], step;
    setenv("TZ", "EST5", 1);
    tzset();
    double midnight = 1732165200; /* 2024-11-21 00:00 -0500 */
    assert_int_equal(sm_x_ticks(SM_X_WALL, midnight - 7000, midnight + 80000, 5, out, &step), 4);
    assert_true(step == 6 * 3600 && out[0] == midnight);
    assert_x_label(SM_X_WALL, midnight, step, "11-21");
    assert_x_label(SM_X_WALL, midnight + 6 * 3600, step, "06:00");
    assert_x_label(SM_X_WALL, midnight + 62, 1, "00:01:02");
    assert_x_label(SM_X_WALL, midnight, 86400 * 500.0, "2024-11");
    assert_x_label(SM_X_WALL, 1e300, 1, "1e+300");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks_are_round_numbers),
        cmocka_unit_test(test_ticks_of_nothing),
        cmocka_unit_test(test_ticks_of_anything),
        cmocka_unit_test(test_labels_have_the_digits_of_the_spacing),
        cmocka_unit_test(test_large_and_small_labels),
        cmocka_unit_test(test_labels_of_one_axis_have_one_notation),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_log_scale),
        cmocka_unit_test(test_symlog_scale),
        cmocka_unit_test(test_steps_are_whole),
        cmocka_unit_test(test_seconds),
        cmocka_unit_test(test_wall_clock_goes_by_local_days),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
