/* The health map's columns hold every step once; its levels are by magnitude within a row. */
#include "tui/healthmap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_every_step_has_one_column(void **state)
{
    (void)state;
    for (size_t steps = 0; steps < 40; steps++)
        for (size_t columns = steps ? 1 : 0; columns <= steps; columns++) {
            struct sm_map_columns m = {steps, columns};
            assert_int_equal(sm_map_from(&m, 0), 0);
            assert_int_equal(sm_map_from(&m, columns), steps);
            for (size_t i = 0; i < steps; i++) {
                size_t c = sm_map_column(&m, i);
                assert_true(c < columns && sm_map_from(&m, c) <= i && i < sm_map_from(&m, c + 1));
            }
        }
}

static void test_levels(void **state)
{
    const struct sm_map_cell cells[] = {
        {SM_MAP_NUMBER, 1}, {SM_MAP_NUMBER, -1e4}, {SM_MAP_NAN, 0}, {SM_MAP_NUMBER, 100}, {SM_MAP_NUMBER, 0}, {SM_MAP_AWAITED, 0},
    };
    const struct sm_map_cell still[] = {{SM_MAP_NUMBER, 3}, {SM_MAP_NUMBER, 3.1}, {SM_MAP_NOTHING, 0}};
    int levels[6];
    (void)state;
    sm_map_levels(cells, 6, levels);
    assert_int_equal(levels[0], 0);
    assert_int_equal(levels[1], 15);
    assert_int_equal(levels[2], -1);
    assert_int_equal(levels[3], 8);
    assert_int_equal(levels[4], 0);
    assert_int_equal(levels[5], -1);
    sm_map_levels(still, 3, levels);
    assert_in_range(levels[0], 6, 9);
    assert_in_range(levels[1], 6, 9);
    assert_int_equal(levels[2], -1);
    sm_map_levels(still + 2, 1, levels);
    assert_int_equal(levels[0], -1);
}

static void test_statistics(void **state)
{
    size_t n = 0;
    (void)state;
    while (sm_map_statistic(n))
        n++;
    assert_int_equal(n, 5);
    assert_string_equal(sm_map_statistic(0), "abs_mean");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_step_has_one_column),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
