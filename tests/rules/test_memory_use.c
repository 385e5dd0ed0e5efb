/* SPDX-License-Identifier: Apache-2.0 */
/* Who holds GPU memory at the peak, when it runs out, and what grows. */
#include "reader/base/mem.h"
#include "rules/trace/memory_use.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { A, B }; /* stacks */

static const struct sm_memory_event events[] = {
    {.time_us = 1, .size = 1000, .stack = SM_NAME_NONE, .action = SM_MEMORY_RESERVED},
    {.time_us = 2, .address = 1, .size = 100, .stack = A, .action = SM_MEMORY_ALLOC},
    {.time_us = 3, .address = 2, .size = 50, .stack = B, .action = SM_MEMORY_ALLOC},
    {.time_us = 4, .address = 3, .size = 30, .stack = A, .action = SM_MEMORY_ALLOC},
    {.time_us = 5, .address = 1, .size = 100, .stack = B, .action = SM_MEMORY_FREE_REQUESTED},
    {.time_us = 6, .address = 4, .size = 10, .stack = B, .action = SM_MEMORY_ALLOC},
    {.time_us = 7, .address = 1, .size = 100, .stack = B, .action = SM_MEMORY_FREE_COMPLETED},
    /* allocated before the events began */
    {.time_us = 8, .address = 9, .size = 500, .stack = A, .action = SM_MEMORY_FREE_REQUESTED},
    {.time_us = 8, .address = 9, .size = 500, .stack = A, .action = SM_MEMORY_FREE_COMPLETED},
    {.time_us = 9, .size = 5000, .stack = B, .action = SM_MEMORY_OOM},
    {.time_us = 9, .address = 5, .size = 7000, .stack = A, .action = SM_MEMORY_ALLOC, .device = 1},
};
enum { EVENTS = sizeof events / sizeof *events };

static struct sm_memory_snapshot snapshot(void)
{
    struct sm_memory_snapshot s = {.names = sm_names_new(), .n = EVENTS};
    sm_names_add(s.names, "a.py:1:f", 8);
    sm_names_add(s.names, "b.py:2:g", 8);
    s.events = (struct sm_memory_event *)(uintptr_t)events;
    return s;
}

static void holders_are_those_that_live_then(void **state)
{
    (void)state;
    struct sm_memory_snapshot s = snapshot();
    struct sm_memory_use u;
    sm_memory_use_find(&s, 0, 0, 0, &u);
    assert_int_equal(u.events, EVENTS - 1);
    assert_int_equal(u.peak_active, 190); /* at 6: 100 is requested to be free, and not free yet */
    assert_int_equal(u.peak_us, 6);
    assert_int_equal(u.peak_allocated, 180);
    assert_int_equal(u.peak_reserved, 1000);
    assert_int_equal(u.n_at_peak, 2);
    assert_int_equal(u.at_peak[0].stack, A);
    assert_int_equal(u.at_peak[0].bytes, 130);
    assert_int_equal(u.at_peak[0].blocks, 2);
    assert_int_equal(u.oom, 9);
    assert_int_equal(u.n_at_oom, 2);
    assert_int_equal(u.at_oom[0].stack, B);
    assert_int_equal(u.at_oom[0].bytes, 60);
    assert_int_equal(u.n_grown, 0);
    sm_memory_use_clear(&u);
    sm_memory_use_find(&s, 1, 0, 0, &u);
    assert_int_equal(u.peak_active, 7000);
    assert_int_equal(u.oom, EVENTS);
    sm_memory_use_clear(&u);
    sm_names_free(s.names);
}

static void growth_is_between_two_times(void **state)
{
    (void)state;
    struct sm_memory_snapshot s = snapshot();
    struct sm_memory_use u;
    sm_memory_use_find(&s, 0, 3, 7, &u);
    assert_int_equal(u.n_grown, 1); /* A: +30 - 100 */
    assert_int_equal(u.grown[0].stack, B);
    assert_int_equal(u.grown[0].bytes, 10);
    sm_memory_use_clear(&u);
    sm_memory_use_find(&s, 0, 50, 60, &u);
    assert_int_equal(u.n_grown, 0);
    sm_memory_use_clear(&u);
    sm_names_free(s.names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holders_are_those_that_live_then),
        cmocka_unit_test(growth_is_between_two_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
