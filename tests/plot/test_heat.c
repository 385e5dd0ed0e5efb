#include "plot/chart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

#include <math.h>

static void assert_heat(enum sm_symbols set, int w, int h, const double *v, size_t rows, size_t cols,
                        double lo, double hi, const char *want)
{
    struct sm_grid g;
    sm_grid_init(&g, w, h);
    sm_heat_draw(&g, (struct sm_rect){0, 0, w, h}, v, rows, cols, lo, hi, sm_glyphs(set));
    assert_screen(&g, want);
    sm_grid_clear(&g);
}

static void test_an_element_is_a_square(void **state)
{
    (void)state;
    const double v[] = {0, 1, 2, 3, 4, 5};
    assert_heat(SM_SYMBOLS_ASCII, 9, 3, v, 2, 3, 0, 5, "..::==\n++##@@\n\n");
    assert_heat(SM_SYMBOLS_ASCII, 5, 3, v, 2, 3, 0, 5, ".:=\n+#@\n\n");
    assert_heat(SM_SYMBOLS_BLOCK, 6, 2, v, 2, 3, 0, 5, "··░░░░\n▒▒▓▓██\n");
}

static void test_colour_follows_the_scale(void **state)
{
    (void)state;
    const double v[] = {-9, 0, 7.9, 8, 15.9, 99};
    struct sm_grid g;
    sm_grid_init(&g, 6, 1);
    sm_heat_draw(&g, (struct sm_rect){0, 0, 6, 1}, v, 1, 6, 0, 16, sm_glyphs(SM_SYMBOLS_ASCII));
    const int want[] = {0, 0, 7, 8, 15, 15};
    for (int i = 0; i < 6; i++)
        assert_int_equal(sm_grid_at(&g, i, 0)->role, SM_ROLE_HEAT_0 + want[i]);
    sm_grid_clear(&g);
}

static void test_many_elements_share_a_cell(void **state)
{
    (void)state;
    const double v[] = {0, 0, 8, 8, 0, 0, 8, 24};
    assert_heat(SM_SYMBOLS_ASCII, 2, 1, v, 2, 4, 0, 16, ".#\n");            /* means 0 and 12 */
    const double w[] = {0, nan(""), 1, 1};
    assert_heat(SM_SYMBOLS_ASCII, 2, 1, w, 2, 2, 0, 1, "+x\n");
}

static void test_marks_and_middle(void **state)
{
    (void)state;
    const double v[] = {nan(""), HUGE_VAL, -HUGE_VAL, 1};
    assert_heat(SM_SYMBOLS_ASCII, 4, 1, v, 1, 4, 1, 1, "x^v+\n");
    assert_heat(SM_SYMBOLS_BRAILLE, 4, 1, v, 1, 4, 1, 1, "✕▲▼▒\n");
    assert_heat(SM_SYMBOLS_ASCII, 4, 1, v, 0, 4, 0, 1, "\n");
    assert_heat(SM_SYMBOLS_ASCII, 4, 1, v, 4, 0, 0, 1, "\n");
}

static void draw_any(struct sm_grid *g, struct sm_rect r, const void *arg)
{
    static const double v[7 * 11];
    sm_heat_draw(g, r, v, 7, 11, 0, 1, sm_glyphs(*(const enum sm_symbols *)arg));
}

static void test_any_size(void **state)
{
    (void)state;
    for (enum sm_symbols set = SM_SYMBOLS_BRAILLE; set <= SM_SYMBOLS_ASCII; set++)
        assert_stays_inside(draw_any, &set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_element_is_a_square),
        cmocka_unit_test(test_colour_follows_the_scale),
        cmocka_unit_test(test_many_elements_share_a_cell),
        cmocka_unit_test(test_marks_and_middle),
        cmocka_unit_test(test_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
