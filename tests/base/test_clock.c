/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <time.h>

static void test_frozen_clocks_stand_still(void **state)
{
    (void)state;
    sm_clock_freeze(1000, INT64_C(1700000000000000));
    assert_int_equal(sm_clock_mono_us(), 1000);
    assert_int_equal(sm_clock_wall_us(), INT64_C(1700000000000000));
    sm_clock_advance(250);
    assert_int_equal(sm_clock_mono_us(), 1250);
    assert_int_equal(sm_clock_wall_us(), INT64_C(1700000000000250));
    sm_clock_freeze(5, 6);
    assert_int_equal(sm_clock_mono_us(), 5);
    sm_clock_thaw();
}

static void test_thawed_clocks_are_the_systems(void **state)
{
    (void)state;
    sm_clock_freeze(1, 2);
    sm_clock_thaw();
    int64_t before = (int64_t)time(NULL) - 1, wall = sm_clock_wall_us() / 1000000,
            after = (int64_t)time(NULL) + 1;
    assert_true(wall >= before && wall <= after);
    int64_t a = sm_clock_mono_us(), b = sm_clock_mono_us();
    assert_true(a > 2 && b >= a);
}

static void test_seconds_that_are_no_time_are_0(void **state)
{
    (void)state;
    assert_int_equal(sm_clock_us_of(1.7e9), INT64_C(1700000000000000));
    assert_int_equal(sm_clock_us_of(1e12), INT64_C(1000000000000000000));
    const double none[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e300, 1.1e12, -1};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(sm_clock_us_of(none[i]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seconds_that_are_no_time_are_0),
        cmocka_unit_test(test_frozen_clocks_stand_still),
        cmocka_unit_test(test_thawed_clocks_are_the_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
