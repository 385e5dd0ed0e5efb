/* SPDX-License-Identifier: Apache-2.0 */
/* What is usual among distances and durations, so that what is not can be told. */
#include "reader/analysis/timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_usual_distance(void **state)
{
    static const int64_t even[] = {0, 5, 10, 25, 30, 35}, odd[] = {0, 1, 3, 6}, two[] = {0, 5};
    (void)state;
    assert_int_equal(sm_usual_distance(even, 6), 5);
    assert_int_equal(sm_usual_distance(odd, 4), 1);
    assert_int_equal(sm_usual_distance(two, 2), 0);
}

static void test_median(void **state)
{
    int64_t d[] = {90, 10, 11, 9, 10};
    (void)state;
    assert_int_equal(sm_median_duration(d, 5), 10);
    assert_int_equal(sm_median_duration(d, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usual_distance),
        cmocka_unit_test(test_median),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
