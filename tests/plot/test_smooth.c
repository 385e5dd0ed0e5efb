/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/chart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

/* Computed by hand for weight 0.5: last = last / 2 + y / 2, out = last / (1 - 0.5^n). */
static void test_debiased_average(void **state)
{
    (void)state;
    const double y[] = {1, 2, 4, 0};
    const double want[] = {0.5 / 0.5, 1.25 / 0.75, 2.625 / 0.875, 1.3125 / 0.9375};
    double out[4];
    sm_smooth(y, 4, 0.5, out);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(out[i] - want[i]) < 1e-15);
}

static void test_nonfinite_points_pass_and_move_nothing(void **state)
{
    (void)state;
    double y[] = {nan(""), 1, HUGE_VAL, 2, -HUGE_VAL, nan(""), 4};
    sm_smooth(y, 7, 0.5, y);
    assert_true(isnan(y[0]) && isnan(y[5]));
    assert_true(isinf(y[2]) && y[2] > 0 && isinf(y[4]) && y[4] < 0);
    assert_true(y[1] == 1);
    assert_true(fabs(y[3] - 1.25 / 0.75) < 1e-15);
    assert_true(fabs(y[6] - 3) < 1e-15);
}

static void test_constant_and_weight_0_are_left_alone(void **state)
{
    (void)state;
    const double constant[] = {0.1, 0.1, 0.1}, y[] = {1, 3, 2};
    double out[3];
    sm_smooth(constant, 3, 0.9, out); /* the formula would give 0.09999999999999998 or so */
    for (int i = 0; i < 3; i++)
        assert_true(out[i] == 0.1);
    sm_smooth(y, 3, 0, out);
    for (int i = 0; i < 3; i++)
        assert_true(out[i] == y[i]);
    sm_smooth(y, 0, 0.5, out);
    assert_true(out[0] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_debiased_average),
        cmocka_unit_test(test_nonfinite_points_pass_and_move_nothing),
        cmocka_unit_test(test_constant_and_weight_0_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
