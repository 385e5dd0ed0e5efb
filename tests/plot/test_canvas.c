/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/canvas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

#include <math.h>

static void assert_drawn(const struct sm_canvas *c, const char *want)
{
    struct sm_grid g;
    sm_grid_init(&g, c->w, c->h);
    sm_canvas_draw(c, &g, 0, 0);
    assert_screen(&g, want);
    sm_grid_clear(&g);
}

static void assert_line(enum sm_symbols set, int w, int h, double x0, double y0, double x1,
                        double y1, const char *want)
{
    struct sm_canvas c;
    struct sm_pen pen = {.role = SM_ROLE_SERIES_0};
    sm_canvas_init(&c, w, h, sm_glyphs(set));
    sm_canvas_line(&c, &pen, x0, y0, x1, y1);
    assert_drawn(&c, want);
    sm_canvas_clear(&c);
}

static void test_lines(void **state)
{
    (void)state;
    assert_line(SM_SYMBOLS_ASCII, 4, 2, 0, 3, 3, 0, "  .'\n.'\n");
    assert_line(SM_SYMBOLS_ASCII, 4, 2, 3, 0, 0, 3, "  .'\n.'\n");
    assert_line(SM_SYMBOLS_ASCII, 4, 2, 0, 0, 3, 3, "'.\n  '.\n");
    assert_line(SM_SYMBOLS_ASCII, 3, 2, 1, 0, 1, 3, " :\n :\n");
    assert_line(SM_SYMBOLS_ASCII, 3, 1, 0, 1, 2, 1, "...\n");
    assert_line(SM_SYMBOLS_BRAILLE, 2, 1, 0, 3, 3, 0, "⡠⠊\n");
    assert_line(SM_SYMBOLS_BLOCK, 2, 1, 0, 0, 3, 1, "▀▄\n");
}

static void test_lines_are_clipped(void **state)
{
    (void)state;
    /* the same diagonal, from and to points far outside */
    assert_line(SM_SYMBOLS_ASCII, 4, 2, -4, 7, 7, -4, "  .'\n.'\n");
    assert_line(SM_SYMBOLS_ASCII, 4, 1, -1e9, 0, 1e9, 0, "''''\n");
    assert_line(SM_SYMBOLS_ASCII, 3, 2, 1, -1e9, 1, 1e9, " :\n :\n");
    assert_line(SM_SYMBOLS_ASCII, 4, 1, -5, -5, -1, 9, "\n");
    assert_line(SM_SYMBOLS_ASCII, 4, 1, 0, 2, 3, 2, "\n");
    assert_line(SM_SYMBOLS_ASCII, 4, 1, 0, nan(""), 3, 0, "\n");
    assert_line(SM_SYMBOLS_ASCII, 4, 1, 0, 0, HUGE_VAL, 0, "\n");
}

static void test_last_dot_gives_the_colour(void **state)
{
    (void)state;
    struct sm_canvas c;
    struct sm_grid g;
    struct sm_pen first = {.role = SM_ROLE_SERIES_0}, second = {.role = SM_ROLE_SERIES_7};
    sm_canvas_init(&c, 3, 1, sm_glyphs(SM_SYMBOLS_BRAILLE));
    sm_grid_init(&g, 3, 1);
    sm_canvas_line(&c, &first, 0, 0, 5, 0);
    sm_canvas_line(&c, &second, 2, 3, 3, 3);
    sm_canvas_draw(&c, &g, 0, 0);
    assert_screen(&g, "⠉⣉⠉\n");
    assert_int_equal(sm_grid_at(&g, 0, 0)->role, SM_ROLE_SERIES_0);
    assert_int_equal(sm_grid_at(&g, 1, 0)->role, SM_ROLE_SERIES_7);
    assert_int_equal(sm_grid_at(&g, 2, 0)->role, SM_ROLE_SERIES_0);
    sm_canvas_clear(&c);
    sm_grid_clear(&g);
}

static void test_dashes_run_on_round_corners(void **state)
{
    (void)state;
    static const char *const want[] = {"''''''''''''\n", "'''   '''\n", "''''''''\n", "'   '   '\n",
                                       "' ' ' ' ' '\n"};
    for (unsigned dash = 0; dash < 5; dash++) {
        struct sm_canvas c;
        struct sm_pen pen = {.role = SM_ROLE_SERIES_0, .dash = dash};
        sm_canvas_init(&c, 12, 1, sm_glyphs(SM_SYMBOLS_ASCII));
        sm_canvas_line(&c, &pen, 0, 0, 4, 0);
        sm_canvas_line(&c, &pen, 4, 0, 11, 0); /* the shared dot counts once */
        assert_drawn(&c, want[dash]);
        sm_canvas_clear(&c);
    }
}

static void test_points(void **state)
{
    (void)state;
    struct sm_canvas c;
    sm_canvas_init(&c, 3, 1, sm_glyphs(SM_SYMBOLS_BRAILLE));
    sm_canvas_point(&c, 0, 0, SM_ROLE_SERIES_0);
    sm_canvas_point(&c, 5, 3, SM_ROLE_SERIES_0); /* four dots in the corner too */
    sm_canvas_point(&c, 3, -5, SM_ROLE_SERIES_0);
    sm_canvas_point(&c, nan(""), 1, SM_ROLE_SERIES_0);
    sm_canvas_dot(&c, 6, 0, SM_ROLE_SERIES_0);
    assert_drawn(&c, "⠛ ⣤\n");
    sm_canvas_clear(&c);
    sm_canvas_init(&c, 3, 1, sm_glyphs(SM_SYMBOLS_ASCII));
    sm_canvas_point(&c, 1, 1, SM_ROLE_SERIES_0);
    assert_drawn(&c, " .\n");
    sm_canvas_clear(&c);
}

static void test_empty_cells_are_left_as_they_are(void **state)
{
    (void)state;
    struct sm_canvas c;
    struct sm_grid g;
    sm_canvas_init(&c, 3, 1, sm_glyphs(SM_SYMBOLS_ASCII));
    sm_grid_init(&g, 3, 1);
    sm_grid_text(&g, 0, 0, 3, SM_ROLE_TEXT, 0, "abc");
    sm_canvas_dot(&c, 1, 0, SM_ROLE_SERIES_0);
    sm_canvas_draw(&c, &g, 0, 0);
    assert_screen(&g, "a'c\n");
    sm_canvas_clear(&c);
    sm_grid_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_lines_are_clipped),
        cmocka_unit_test(test_last_dot_gives_the_colour),
        cmocka_unit_test(test_dashes_run_on_round_corners),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_empty_cells_are_left_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
