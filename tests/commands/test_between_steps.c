/* SPDX-License-Identifier: Apache-2.0 */
/* The time between the steps of processes. */
#include "commands/profile/between_steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct sm_between_steps between(struct sm_profile_step *steps, size_t n)
{
    struct sm_event_store x = {.steps = steps, .n_steps = n};
    struct sm_between_steps out;
    assert_true(sm_between_steps_of(&x, &out));
    return out;
}

static void test_gaps_are_of_each_process(void **state)
{
    (void)state;
    struct sm_profile_step steps[] = {{.start_ns = 0, .end_ns = 100, .node = 1},
                                      {.start_ns = 10, .end_ns = 50, .node = 0},
                                      {.start_ns = 110, .end_ns = 200, .node = 1},
                                      {.start_ns = 150, .end_ns = 160, .node = 0},
                                      {.start_ns = 230, .end_ns = 240, .node = 1}};
    struct sm_between_steps b = between(steps, 5);
    assert_int_equal(b.sum.count, 3); /* 10, 100, 30 */
    assert_int_equal(b.sum.total_ns, 140);
    assert_int_equal(b.sum.min_ns, 10);
    assert_int_equal(b.sum.max_ns, 100);
    assert_int_equal(b.sum.first_ns, 50);
    assert_int_equal(b.sum.last_ns, 230);
    assert_true(b.at[SM_BETWEEN_P50] == 30 && b.at[SM_BETWEEN_P95] == 93);
}

static void test_steps_that_overlap_have_no_gap(void **state)
{
    (void)state;
    struct sm_profile_step steps[] = {{.start_ns = 0, .end_ns = 100},
                                      {.start_ns = 20, .end_ns = 30},
                                      {.start_ns = 100, .end_ns = 120},
                                      {.start_ns = 119, .end_ns = 130}};
    assert_int_equal(between(steps, 4).sum.count, 0);
    assert_int_equal(between(steps, 0).sum.count, 0);
}

static void test_times_out_of_range_are_left_out(void **state)
{
    (void)state;
    struct sm_profile_step steps[] = {{.start_ns = INT64_MIN, .end_ns = INT64_MIN + 1},
                                      {.start_ns = INT64_MAX - 9, .end_ns = INT64_MAX - 8},
                                      {.start_ns = INT64_MAX - 1, .end_ns = INT64_MAX}};
    struct sm_between_steps b = between(steps, 3);
    assert_int_equal(b.sum.count, 1);
    assert_int_equal(b.sum.total_ns, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps_are_of_each_process),
        cmocka_unit_test(test_steps_that_overlap_have_no_gap),
        cmocka_unit_test(test_times_out_of_range_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
