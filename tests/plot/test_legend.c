/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/legend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

static void assert_legend(const struct sm_line_chart *chart, const char *drawn, int w, int h,
                          const char *want)
{
    struct sm_grid g;
    sm_grid_init(&g, w, h);
    for (int y = 0; y < h; y++)
        sm_grid_text(&g, 0, y, w, SM_ROLE_TEXT, 0, drawn + y * w);
    sm_legend_draw(chart, &g, (struct sm_rect){0, 0, w, h}, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, want);
    sm_grid_clear(&g);
}

static void test_emptiest_corner(void **state)
{
    (void)state;
    const struct sm_line_series series = {.label = "loss", .dash = 3};
    const struct sm_line_chart chart = {.series = &series, .n_series = 1};
    assert_legend(&chart,
                  "o                   "
                  "                    ",
                  20, 2, "o           ~~ loss\n\n");
    assert_legend(&chart,
                  "oooooooooooooooooooo"
                  "oooooooooo          ",
                  20, 2, "oooooooooooooooooooo\noooooooooo  ~~ loss\n");
    assert_legend(&chart,
                  "         ooooooooooo"
                  "oooooooooooooooooooo",
                  20, 2, " ~~ loss ooooooooooo\noooooooooooooooooooo\n");
    assert_legend(&chart,
                  "oooooooooooooooooooo"
                  "oooooooooooooooooooo",
                  20, 2, "oooooooooooooooooooo\noooooooooooooooooooo\n"); /* covers nothing */
}

static void test_too_small_for_a_legend(void **state)
{
    (void)state;
    const struct sm_line_series series = {.label = "loss"};
    const struct sm_line_chart chart = {.series = &series, .n_series = 1};
    assert_legend(&chart, "                    ", 20, 1, "\n");
    assert_legend(&chart, "                              ", 15, 2, "\n\n");
}

static void test_colour_is_the_lines(void **state)
{
    (void)state;
    struct sm_grid g;
    const struct sm_line_series series = {.label = "loss", .role = SM_ROLE_SERIES_0 + 5};
    const struct sm_line_chart chart = {.series = &series, .n_series = 1};
    sm_grid_init(&g, 20, 2);
    sm_legend_draw(&chart, &g, (struct sm_rect){0, 0, 20, 2}, sm_glyphs(SM_SYMBOLS_BRAILLE));
    assert_screen(&g, "            ── loss\n\n");
    assert_int_equal(sm_grid_at(&g, 12, 0)->role, SM_ROLE_SERIES_0 + 5);
    assert_int_equal(sm_grid_at(&g, 15, 0)->role, SM_ROLE_TEXT);
    sm_grid_clear(&g);
}

static void test_names_stay_apart(void **state)
{
    (void)state;
    struct sm_line_series series[] = {{.label = "gradient/conv0_weight"},
                                      {.label = "gradient/conv1_weight"}};
    const struct sm_line_chart chart = {.series = series, .n_series = 2};
    struct sm_grid g;
    sm_grid_init(&g, 36, 4);
    sm_legend_draw(&chart, &g, (struct sm_rect){0, 0, 36, 4}, sm_glyphs(SM_SYMBOLS_BLOCK));
    assert_screen(&g,
                  "                   ── …conv0_weight\n                   ── …conv1_weight\n\n\n");
    series[0].label = "layer0/attention/output/dense"; /* here the ends are equal */
    series[1].label = "layer1/attention/output/dense";
    sm_grid_blank(&g, (struct sm_rect){0, 0, 36, 4});
    sm_legend_draw(&chart, &g, (struct sm_rect){0, 0, 36, 4}, sm_glyphs(SM_SYMBOLS_BLOCK));
    assert_screen(&g,
                  "                   ── layer0…/dense\n                   ── layer1…/dense\n\n\n");
    sm_grid_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_emptiest_corner),
        cmocka_unit_test(test_too_small_for_a_legend),
        cmocka_unit_test(test_colour_is_the_lines),
        cmocka_unit_test(test_names_stay_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
