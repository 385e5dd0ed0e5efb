/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/chart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

#include <math.h>
#include <stdlib.h>

static const double edges[] = {-0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6};
static const uint64_t counts[] = {1, 4, 8, 6, 0, 2};

static void assert_hist(enum sm_symbols set, int w, int h, bool log_counts, const char *want)
{
    struct sm_grid g;
    sm_grid_init(&g, w, h);
    sm_hist_draw(&g, (struct sm_rect){0, 0, w, h}, edges, counts, 6, log_counts, sm_glyphs(set));
    assert_screen(&g, want);
    sm_grid_clear(&g);
}

static void test_small_ones_show_shape_and_range(void **state)
{
    (void)state;
    assert_hist(SM_SYMBOLS_BLOCK, 13, 3, false,
                "    ██▄▄\n"
                "▂▂██████  ▄▄\n"
                "-0.6  0   0.6\n");
    assert_hist(SM_SYMBOLS_ASCII, 13, 3, false,
                "    ##..\n"
                "..######  ..\n"
                "-0.6  0   0.6\n");
    assert_hist(SM_SYMBOLS_BRAILLE, 13, 3, false,
                "    ⣿⣿⣤⣤\n"
                "⣀⣀⣿⣿⣿⣿⣿⣿  ⣤⣤\n"
                "-0.6  0   0.6\n");
    assert_hist(SM_SYMBOLS_BLOCK, 6, 1, false, "▁▄█▆ ▂\n");
}

static void test_the_rarest_bin_is_seen(void **state)
{
    (void)state;
    const uint64_t rare[] = {1, 0, 1000000};
    struct sm_grid g;
    sm_grid_init(&g, 3, 1);
    sm_hist_draw(&g, (struct sm_rect){0, 0, 3, 1}, edges, rare, 3, false,
                 sm_glyphs(SM_SYMBOLS_BLOCK));
    assert_screen(&g, "▁ █\n");
    sm_grid_clear(&g);
}

static void test_bins_share_bars(void **state)
{
    (void)state;
    assert_hist(SM_SYMBOLS_BLOCK, 3, 1, false, "▃█▁\n"); /* 5 14 2 */
    assert_hist(SM_SYMBOLS_BRAILLE, 3, 1, false, "⣠⣷⢀\n");
    assert_hist(SM_SYMBOLS_BLOCK, 1, 1, false, "█\n");
}

static void test_large_ones_have_axes(void **state)
{
    (void)state;
    assert_hist(SM_SYMBOLS_ASCII, 30, 8, false,
                "  |        ####\n"
                "  |        ####....\n"
                "5 +        ########\n"
                "  |    ############\n"
                "  |    ############    ....\n"
                "0 +::::############    ####\n"
                "  ++-----------+----------+\n"
                " -0.6          0         0.6\n");
    assert_hist(SM_SYMBOLS_BRAILLE, 30, 8, true,
                "  │         ⣿⣿⣿⣿⣇⣀⣀⣀⣀\n"
                "5 ┤    ⢠⣤⣤⣤⣤⣿⣿⣿⣿⣿⣿⣿⣿⣿\n"
                "  │    ⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿\n"
                "  │    ⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿    ⢸⣿⣿⣿⣿\n"
                "  │⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿    ⢸⣿⣿⣿⣿\n"
                "0 ┤⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿    ⢸⣿⣿⣿⣿\n"
                "  └┬────────────┬────────────┬\n"
                " -0.6           0          0.6\n");
}

static void test_none_and_zeros(void **state)
{
    (void)state;
    struct sm_grid g;
    const uint64_t none[6] = {0};
    sm_grid_init(&g, 12, 3);
    sm_hist_draw(&g, (struct sm_rect){0, 0, 12, 3}, edges, NULL, 0, false,
                 sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "\n\n\n");
    sm_hist_draw(&g, (struct sm_rect){0, 0, 12, 3}, edges, none, 6, false,
                 sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "\n\n-0.6  0  0.6\n");
    sm_grid_clear(&g);
}

static void draw_any(struct sm_grid *g, struct sm_rect r, const void *arg)
{
    static double many_edges[201];
    static uint64_t many[200];
    for (int i = 0; i <= 200; i++)
        many_edges[i] = -12345.678 + i * 100.5;
    for (int i = 0; i < 200; i++)
        many[i] = (uint64_t)i * UINT64_C(90000000000000000);
    enum sm_symbols set = *(const enum sm_symbols *)arg;
    sm_hist_draw(g, r, many_edges, many, 200, r.w % 2, sm_glyphs(set));
}

static void test_any_size(void **state)
{
    (void)state;
    assert_any_size(draw_any);
}

static void assert_rows(enum sm_symbols set, int bar_w, const char *want)
{
    struct sm_grid g = {0};
    sm_hist_rows(&g, edges, counts, 6, bar_w, sm_glyphs(set));
    assert_screen(&g, want);
    sm_grid_clear(&g);
}

static void test_rows(void **state)
{
    (void)state;
    assert_rows(SM_SYMBOLS_ASCII, 8,
                "[-0.60, -0.40)  1 #\n"
                "[-0.40, -0.20)  4 ####\n"
                "[-0.20,     0)  8 ########\n"
                "[    0,  0.20)  6 ######\n"
                "[ 0.20,  0.40)  0\n"
                "[ 0.40,  0.60]  2 ##\n");
    assert_rows(SM_SYMBOLS_BRAILLE, 3,
                "[-0.60, -0.40)  1 ▌\n"
                "[-0.40, -0.20)  4 █▌\n"
                "[-0.20,     0)  8 ███\n"
                "[    0,  0.20)  6 ██▌\n"
                "[ 0.20,  0.40)  0\n"
                "[ 0.40,  0.60]  2 █\n");
    struct sm_grid g = {0};
    sm_hist_rows(&g, edges, counts, 0, 8, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_int_equal(g.h, 0);
    sm_grid_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_ones_show_shape_and_range),
        cmocka_unit_test(test_the_rarest_bin_is_seen),
        cmocka_unit_test(test_bins_share_bars),
        cmocka_unit_test(test_large_ones_have_axes),
        cmocka_unit_test(test_none_and_zeros),
        cmocka_unit_test(test_any_size),
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
