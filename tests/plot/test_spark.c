/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/chart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

#include <float.h>
#include <math.h>

static void assert_spark(const double *v, size_t n, int w, enum sm_symbols set, const char *want)
{
    struct sm_str s = {0};
    sm_spark_text(&s, v, n, w, sm_glyphs(set));
    assert_string_equal(sm_str_text(&s), want);
    sm_str_clear(&s);
}
#define SPARK(set, w, want, ...)                                                                   \
    assert_spark((double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double), w,     \
                 set, want)

static void test_levels(void **state)
{
    (void)state;
    SPARK(SM_SYMBOLS_BRAILLE, 7, "▁▂▃▄▅▆▇", 0, 1, 2, 3, 4, 5, 6);
    SPARK(SM_SYMBOLS_ASCII, 7, ".:-=+*#", 0, 1, 2, 3, 4, 5, 6);
    SPARK(SM_SYMBOLS_BLOCK, 8, "▇▁", 7, -1000);
    SPARK(SM_SYMBOLS_BLOCK, 8, "▁▄▇", -DBL_MAX, 0, DBL_MAX);
}

static void test_several_values_share_a_cell(void **state)
{
    (void)state;
    SPARK(SM_SYMBOLS_ASCII, 3, ".+#", 0, 0, 3, 5, 7, 7);
    SPARK(SM_SYMBOLS_ASCII, 2, ".#", 0, 2, 7, 7, 7); /* the farthest from the mean of all */
    SPARK(SM_SYMBOLS_ASCII, 3, ".#.", 1, 1, 1, 1, 50, 1, 1, 1, 1); /* a spike is not averaged away
                                                                    */
    SPARK(SM_SYMBOLS_ASCII, 1, ".", -DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX);
}

static void test_nonfinite_values_are_marked(void **state)
{
    (void)state;
    SPARK(SM_SYMBOLS_ASCII, 9, ".#xIi", 1, 2, nan(""), HUGE_VAL, -HUGE_VAL);
    SPARK(SM_SYMBOLS_BRAILLE, 9, "▁▇✕↑↓", 1, 2, nan(""), HUGE_VAL, -HUGE_VAL);
    SPARK(SM_SYMBOLS_ASCII, 2, "x#", 1, nan(""), 2, 2); /* one among several values is enough */
    SPARK(SM_SYMBOLS_ASCII, 9, "xx", nan(""), nan(""));
}

static void test_constant_lone_and_none(void **state)
{
    (void)state;
    SPARK(SM_SYMBOLS_BRAILLE, 9, "▄▄▄", 2, 2, 2);
    SPARK(SM_SYMBOLS_BRAILLE, 9, "▄", 2);
    SPARK(SM_SYMBOLS_BRAILLE, 0, "", 2, 3);
    SPARK(SM_SYMBOLS_BRAILLE, -1, "", 2, 3);
    assert_spark(NULL, 0, 8, SM_SYMBOLS_ASCII, "");
}

static void test_draw(void **state)
{
    (void)state;
    struct sm_grid g;
    const double v[] = {0, nan(""), 7};
    sm_grid_init(&g, 6, 2);
    sm_grid_text(&g, 0, 1, 6, SM_ROLE_TEXT, 0, "------");
    sm_spark_draw(&g, 1, 1, 3, v, 3, SM_ROLE_SERIES_0, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "\n-.x#--\n");
    assert_int_equal(sm_grid_at(&g, 1, 1)->role, SM_ROLE_SERIES_0);
    assert_int_equal(sm_grid_at(&g, 2, 1)->role, SM_ROLE_PROBLEM);
    sm_spark_draw(&g, 4, 0, 9, v, 3, SM_ROLE_SERIES_0, sm_glyphs(SM_SYMBOLS_ASCII));
    sm_spark_draw(&g, 0, 7, 9, v, 3, SM_ROLE_SERIES_0, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "    .x\n-.x#--\n");
    sm_grid_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_several_values_share_a_cell),
        cmocka_unit_test(test_nonfinite_values_are_marked),
        cmocka_unit_test(test_constant_lone_and_none),
        cmocka_unit_test(test_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
