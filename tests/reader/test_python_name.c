/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/python_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_path_says_between_which_moments(void **state)
{
    struct sm_python_name n;
    (void)state;
    assert_true(sm_python_name_read(
        "framework/pytorch/cprofile/151-algo-1/train-10-stepstart-1596659864545103_eval-11-stepend-"
        "1596659864854168/python_stats",
        &n));
    assert_string_equal(n.profiler, "cprofile");
    assert_string_equal(n.node, "151-algo-1");
    assert_string_equal(n.from.mode, "train");
    assert_int_equal(n.from.step, 10);
    assert_string_equal(n.from.phase, "stepstart");
    assert_int_equal(n.from.ns, 1596659864545103000);
    assert_string_equal(n.to.mode, "eval");
    assert_int_equal(n.to.step, 11);
    assert_int_equal(n.to.ns, 1596659864854168000);
}

static void a_path_of_older_jobs(void **state)
{
    struct sm_python_name n;
    (void)state;
    assert_true(sm_python_name_read(
        "framework/tensorflow/cProfile/1596659864545103_1596659864854168_0001_9/python_stats", &n));
    assert_string_equal(n.node, "0001");
    assert_int_equal(n.from.step, 9);
    assert_int_equal(n.to.step, -1);
    assert_int_equal(n.to.ns, 1596659864854168000);
}

/* Sixteen digits of microseconds may be more than nanoseconds can be. */
static void a_time_after_2262_is_none(void **state)
{
    struct sm_python_name n;
    (void)state;
    assert_false(sm_python_name_read(
        "framework/tensorflow/cProfile/9996659864545103_9996659864854168_0001_9/python_stats", &n));
    assert_false(sm_python_name_read(
        "framework/pytorch/cprofile/151-algo-1/train-10-stepstart-9996659864545103_train-10-"
        "stepend-9996659864854168/python_stats",
        &n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_says_between_which_moments),
        cmocka_unit_test(a_path_of_older_jobs),
        cmocka_unit_test(a_time_after_2262_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
