/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/chart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

#include <math.h>

static void assert_heat(enum sm_symbols set, int w, int h, const double *v, size_t rows,
                        size_t cols, double lo, double hi, const char *want)
{
    struct sm_grid g;
    sm_grid_init(&g, w, h);
    const struct sm_heat heat = {.v = v, .rows = rows, .cols = cols, .lo = lo, .hi = hi};
    sm_heat_draw(&g, (struct sm_rect){0, 0, w, h}, &heat, sm_glyphs(set));
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
    const int want[] = {0, 0, 7, 8, 15, 15};
    for (enum sm_heat_map map = SM_HEAT_VIRIDIS; map <= SM_HEAT_CIVIDIS; map++) {
        const struct sm_heat heat = {.v = v, .rows = 1, .cols = 6, .hi = 16, .map = map};
        sm_heat_draw(&g, (struct sm_rect){0, 0, 6, 1}, &heat, sm_glyphs(SM_SYMBOLS_ASCII));
        for (int i = 0; i < 6; i++)
            assert_int_equal(sm_grid_at(&g, i, 0)->role,
                             (map ? SM_ROLE_CIVIDIS_0 : SM_ROLE_HEAT_0) + want[i]);
    }
    sm_grid_clear(&g);
}

static void test_many_elements_share_a_cell(void **state)
{
    (void)state;
    const double v[] = {0, 0, 8, 8, 0, 0, 8, 24};
    assert_heat(SM_SYMBOLS_ASCII, 2, 1, v, 2, 4, 0, 16, ".#\n"); /* means 0 and 12 */
    const double w[] = {0, nan(""), 1, 1};
    assert_heat(SM_SYMBOLS_ASCII, 2, 1, w, 2, 2, 0, 1, "+x\n");
}

static void test_marks_and_middle(void **state)
{
    (void)state;
    const double v[] = {nan(""), HUGE_VAL, -HUGE_VAL, 1};
    assert_heat(SM_SYMBOLS_ASCII, 4, 1, v, 1, 4, 1, 1, "xIi+\n");
    assert_heat(SM_SYMBOLS_BRAILLE, 4, 1, v, 1, 4, 1, 1, "✕↑↓▒\n");
    assert_heat(SM_SYMBOLS_ASCII, 4, 1, v, 0, 4, 0, 1, "\n");
    assert_heat(SM_SYMBOLS_ASCII, 4, 1, v, 4, 0, 0, 1, "\n");
}

/* Two rows of pixels per row of cells: the upper is the foreground, the lower the background. */
static void test_half_blocks(void **state)
{
    (void)state;
    const double v[] = {0, 15, 15, 15, nan(""), 0};
    const struct sm_heat heat = {.v = v, .rows = 3, .cols = 2, .hi = 15};
    struct sm_grid g;
    sm_grid_init(&g, 2, 2);
    sm_heat_draw(&g, (struct sm_rect){0, 0, 2, 2}, &heat, sm_glyphs(SM_SYMBOLS_BLOCK));
    const struct sm_cell *c = g.cells;
    assert_int_equal(c[0].rune, 0x2580);
    assert_int_equal(c[0].role, SM_ROLE_HEAT_0);
    assert_int_equal(c[0].back, SM_ROLE_HEAT_15);
    assert_int_equal(c[1].back, c[1].role);
    assert_int_equal(c[2].role, SM_ROLE_PROBLEM);
    assert_int_equal(c[3].back, SM_ROLE_TEXT);
    assert_screen(&g, "▒█\n✕·\n");
    struct sm_str s = {0};
    sm_print_ansi(&g, SM_COLOR_256, false, &s);
    assert_string_equal(sm_str_text(&s),
                        "\033[0;38;5;53m\033[48;5;220m▀\033[0;38;5;220m\033[48;5;220m▀\033[0m\n"
                        "\033[0;38;5;203m✕\033[0;38;5;53m▀\033[0m\n");
    sm_str_clear(&s);
    sm_print_ansi(&g, SM_COLOR_MONO, false, &s);
    assert_non_null(strstr(sm_str_text(&s), "▒█\n"));
    sm_str_clear(&s);
    sm_print_svg(&g, false, &s);
    assert_non_null(strstr(sm_str_text(&s), "height=\"9\" fill=\"#440154\""));
    sm_str_clear(&s);
    sm_grid_clear(&g);
}

static void test_a_legend_says_what_is_what(void **state)
{
    (void)state;
    const double v[] = {-0.5, 1, HUGE_VAL, nan("")};
    struct sm_heat heat = {.v = v, .rows = 2, .cols = 2, .lo = -0.5, .hi = 1, .legend = true};
    struct sm_grid g;
    sm_grid_init(&g, 44, 4);
    sm_heat_draw(&g, (struct sm_rect){0, 0, 44, 4}, &heat, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "..@@\nIIxx\n-0.50 ..::--==++**##%@ 1.00  x NaN  I +Inf\n\n");
    heat.lo = 2; /* no finite element */
    sm_heat_draw(&g, (struct sm_rect){0, 0, 12, 3}, &heat, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_int_equal(sm_grid_at(&g, 0, 2)->rune, 'x');
    sm_grid_clear(&g);
}

static void draw_any(struct sm_grid *g, struct sm_rect r, const void *arg)
{
    static const double v[7 * 11];
    const struct sm_heat heat = {.v = v, .rows = 7, .cols = 11, .hi = 1, .legend = true};
    sm_heat_draw(g, r, &heat, sm_glyphs(*(const enum sm_symbols *)arg));
}

static void test_any_size(void **state)
{
    (void)state;
    assert_any_size(draw_any);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_element_is_a_square),
        cmocka_unit_test(test_colour_follows_the_scale),
        cmocka_unit_test(test_many_elements_share_a_cell),
        cmocka_unit_test(test_marks_and_middle),
        cmocka_unit_test(test_half_blocks),
        cmocka_unit_test(test_a_legend_says_what_is_what),
        cmocka_unit_test(test_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
