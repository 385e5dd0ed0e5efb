/* SPDX-License-Identifier: Apache-2.0 */
/* Every step of the window has one column, and the cursor's step is in the window. */
#include "tui/panes/health_columns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_every_step_has_one_column(void **state)
{
    (void)state;
    for (size_t all = 1; all < 30; all++)
        for (size_t shown = 0; shown <= all; shown++)
            for (size_t cursor = 0; cursor < all; cursor++) {
                struct sm_health_columns h = sm_health_columns(all, shown, cursor, 7);
                assert_int_equal(h.steps, shown ? shown : all);
                assert_true(h.n <= 7 && h.n <= h.steps);
                assert_true(h.first <= cursor && cursor < h.first + h.steps &&
                            h.first + h.steps <= all);
                assert_int_equal(sm_health_column_from(&h, 0), h.first);
                assert_int_equal(sm_health_column_from(&h, h.n), h.first + h.steps);
                for (size_t i = h.first; i < h.first + h.steps; i++) {
                    size_t c = sm_health_column_of(&h, i);
                    assert_true(c < h.n && sm_health_column_from(&h, c) <= i &&
                                i < sm_health_column_from(&h, c + 1));
                }
            }
}

static void test_no_steps_and_no_room(void **state)
{
    struct sm_health_columns h = sm_health_columns(0, 0, 0, 10);
    (void)state;
    assert_int_equal(h.n, 0);
    h = sm_health_columns(5, 0, 2, 0);
    assert_int_equal(h.n, 0);
    assert_int_equal(sm_health_column_of(&h, 4), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_step_has_one_column),
        cmocka_unit_test(test_no_steps_and_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
