/* SPDX-License-Identifier: Apache-2.0 */
/* Repetitions of a run become one line with a band. */
#include "plot/scalar_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static void test_mean_and_range(void **state)
{
    const double ax[] = {0, 10, 20}, ay[] = {4, 2, 1}, bx[] = {0, 20, 30},
                 by[] = {2, 2, (double)NAN}, cy[] = {7, 8, 9};
    const struct sm_line_series lines[] = {
        {.x = ax, .y = ay, .n = 3}, {.x = ax, .y = cy, .n = 3}, {.x = bx, .y = by, .n = 3}};
    size_t groups[] = {5, 2, 5}, counts[3];
    struct sm_arena arena = {0};
    struct sm_line_series out[3];
    (void)state;
    assert_int_equal(sm_scalar_group(lines, 3, groups, counts, &arena, out), 2);
    assert_int_equal(groups[0], 2);
    assert_int_equal(counts[0], 1);
    assert_true(out[0].y[1] == 8 && out[0].lo[1] == 8 && out[0].hi[1] == 8);
    assert_int_equal(groups[1], 5);
    assert_int_equal(counts[1], 2);
    assert_int_equal(out[1].n, 4);
    const double mean[] = {3, 2, 1.5}, lo[] = {2, 2, 1}, hi[] = {4, 2, 2};
    for (size_t i = 0; i < 3; i++) {
        assert_true(out[1].x[i] == ax[i]);
        assert_true(out[1].y[i] == mean[i] && out[1].lo[i] == lo[i] && out[1].hi[i] == hi[i]);
    }
    assert_true(isnan(out[1].y[3])); /* one has ended, the other is NaN */
    sm_arena_clear(&arena);
}

static void test_nothing(void **state)
{
    const struct sm_line_series empty = {0};
    struct sm_line_series out[1];
    struct sm_arena arena = {0};
    size_t group = 0;
    (void)state;
    assert_int_equal(sm_scalar_group(&empty, 0, &group, NULL, &arena, out), 0);
    assert_int_equal(sm_scalar_group(&empty, 1, &group, NULL, &arena, out), 1);
    assert_int_equal(out[0].n, 0);
    sm_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean_and_range),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
