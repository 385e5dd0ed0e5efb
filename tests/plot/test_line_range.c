/* SPDX-License-Identifier: Apache-2.0 */
/* A line that diverged does not flatten the others, and is counted. */
#include "plot/line_range.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static const double x[] = {0, 1, 2, 3}, quiet[] = {2, 1, 0.5, 0.4}, other[] = {2.2, 1.2, 0.7, 0.6},
                    wild[] = {2.1, 3, 500, 1e6},
                    endless[] = {2, 1e200, (double)INFINITY, (double)NAN},
                    flat[] = {1e-3, 1e-3, 1e-3, 1e-3}, large[] = {9, 8, 8, 7},
                    small[] = {.01, 0, .01, 0}, never[] = {1e17, 1e100, 1e290, 1e294},
                    loss[] = {1e4, 1.1e4, 1e4, 9e3};

static void assert_clips(const double *const *lines, size_t n, enum sm_y_scale scale,
                         size_t clipped, double hi)
{
    struct sm_line_series series[4];
    const struct sm_line_chart chart = {.series = series, .n_series = n, .y_scale = scale};
    for (size_t i = 0; i < n; i++)
        series[i] = (struct sm_line_series){.x = x, .y = lines[i], .n = 4};
    sm_line_mark_diverged(series, n, scale);
    assert_int_equal(sm_line_clipped(&chart), clipped);
    assert_true(sm_line_range_y(&chart).hi == hi);
}

#define CLIPS(scale, clipped, hi, ...)                                                             \
    assert_clips((const double *const[]){__VA_ARGS__},                                             \
                 sizeof((const double *const[]){__VA_ARGS__}) / sizeof(double *), scale, clipped,  \
                 hi)

static void test_lines_that_diverged(void **state)
{
    (void)state;
    CLIPS(SM_Y_LINEAR, 1, 2.2, quiet, other, wild);
    CLIPS(SM_Y_LINEAR, 2, 2.2, quiet, wild, other, endless);
    CLIPS(SM_Y_LINEAR, 1, 2, quiet, wild); /* of two */
    CLIPS(SM_Y_LOG, 1, 2.2, quiet, other, endless);
    CLIPS(SM_Y_SYMLOG, 1, 2.2, quiet, other, endless);
}

static void test_lines_that_are_never_near(void **state)
{
    (void)state;
    CLIPS(SM_Y_LINEAR, 1, 2.2, quiet, other, never);
    CLIPS(SM_Y_LINEAR, 1, 2, quiet, never);
    CLIPS(SM_Y_LOG, 1, 2.2, quiet, other, never);
    CLIPS(SM_Y_LINEAR, 0, 1.1e4, quiet, other, loss); /* another kind of loss */
    CLIPS(SM_Y_LOG, 0, 1.1e4, quiet, other, loss);
}

static void test_lines_that_are_only_larger(void **state)
{
    (void)state;
    CLIPS(SM_Y_LINEAR, 0, 9, quiet, other, large);
    CLIPS(SM_Y_LINEAR, 0, 9, large, small, flat);
    CLIPS(SM_Y_LINEAR, 0, 2, quiet, flat);
    CLIPS(SM_Y_LINEAR, 0, 1e6, wild);
    CLIPS(SM_Y_LINEAR, 0, 1e6, wild, wild, quiet); /* most do */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_that_diverged),
        cmocka_unit_test(test_lines_that_are_never_near),
        cmocka_unit_test(test_lines_that_are_only_larger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
