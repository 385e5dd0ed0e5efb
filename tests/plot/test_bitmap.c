/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/chart.h"
#include "plot/scalebar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

#include <math.h>

static void test_grey_and_red(void **state)
{
    (void)state;
    const double grey[] = {0, 1, 1, 0}, red[] = {1, 1, 0, 0, 0, 0};
    const struct sm_bitmap a = {
        .v = grey, .planes = 1, .map = SM_HEAT_GREY, .rows = 2, .cols = 2, .hi = 1};
    const struct sm_bitmap b = {.v = red, .planes = 3, .rows = 1, .cols = 2, .hi = 1};
    struct sm_grid g;
    sm_grid_init(&g, 4, 1);
    sm_bitmap_draw(&g, (struct sm_rect){0, 0, 2, 1}, &a, sm_glyphs(SM_SYMBOLS_BLOCK));
    assert_int_equal(g.cells[0].role, sm_role_rgb(0, 0, 0));
    assert_int_equal(g.cells[0].back, sm_role_rgb(255, 255, 255));
    assert_int_equal(g.cells[1].role, sm_role_rgb(255, 255, 255));
    assert_screen(&g, "▒▒\n");
    sm_bitmap_draw(&g, (struct sm_rect){0, 0, 4, 1}, &b, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_int_equal(g.cells[3].role, sm_role_rgb(255, 0, 0));
    assert_screen(&g, "----\n"); /* the luma of red is low */
    sm_grid_clear(&g);
}

static void test_what_is_not_finite_is_marked(void **state)
{
    (void)state;
    const double v[] = {nan(""), 1};
    const struct sm_bitmap m = {
        .v = v, .planes = 1, .map = SM_HEAT_GREY, .rows = 1, .cols = 2, .hi = 1};
    struct sm_grid g;
    sm_grid_init(&g, 8, 2);
    sm_bitmap_draw(&g, (struct sm_rect){0, 0, 8, 2}, &m, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "xxxx@@@@\nxxxx@@@@\n");
    sm_grid_clear(&g);
}

static void test_one_plane_by_a_map(void **state)
{
    const double v[] = {0, 1}, grey[] = {0.5};
    struct sm_bitmap m = {
        .v = v, .planes = 1, .map = SM_HEAT_CIVIDIS, .rows = 1, .cols = 2, .hi = 1};
    struct sm_grid g;
    (void)state;
    sm_grid_init(&g, 4, 1);
    sm_bitmap_draw(&g, (struct sm_rect){0, 0, 4, 1}, &m, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_int_equal(sm_grid_at(&g, 0, 0)->role, SM_ROLE_CIVIDIS_0);
    assert_int_equal(sm_grid_at(&g, 3, 0)->role, SM_ROLE_CIVIDIS_15);
    m = (struct sm_bitmap){
        .v = grey, .planes = 1, .map = SM_HEAT_GREY, .rows = 1, .cols = 1, .hi = 1};
    sm_bitmap_draw(&g, (struct sm_rect){0, 0, 4, 1}, &m, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_int_equal(sm_grid_at(&g, 0, 0)->role, sm_role_rgb(128, 128, 128));
    assert_int_equal(sm_heat_role(SM_HEAT_GREY, 15), sm_role_rgb(255, 255, 255));
    sm_grid_clear(&g);
}

static void assert_fit(size_t rows, size_t cols, int w, int h, enum sm_symbols set,
                       struct sm_bitmap_size want)
{
    struct sm_bitmap_size s = sm_bitmap_fit(rows, cols, w, h, sm_glyphs(set));
    assert_int_equal(s.w, want.w);
    assert_int_equal(s.h, want.h);
    assert_int_equal(s.rows, want.rows);
    assert_int_equal(s.cols, want.cols);
}

static void test_shape_is_kept(void **state)
{
    (void)state;
    assert_fit(28, 28, 80, 18, SM_SYMBOLS_BLOCK, (struct sm_bitmap_size){28, 14, 28, 28});
    assert_fit(28, 28, 80, 18, SM_SYMBOLS_ASCII, (struct sm_bitmap_size){36, 18, 18, 18});
    assert_fit(8, 4, 80, 18, SM_SYMBOLS_BLOCK, (struct sm_bitmap_size){16, 16, 8, 4});
    assert_fit(1000, 10, 80, 18, SM_SYMBOLS_BLOCK, (struct sm_bitmap_size){1, 18, 36, 1});
    assert_fit(5, 5, 1, 9, SM_SYMBOLS_ASCII, (struct sm_bitmap_size){0, 0, 0, 0});
}

static void draw_any(struct sm_grid *g, struct sm_rect r, const void *arg)
{
    static const double v[3 * 7 * 11];
    const struct sm_bitmap m = {.v = v, .planes = 3, .rows = 7, .cols = 11, .hi = 1};
    sm_bitmap_draw(g, r, &m, sm_glyphs(*(const enum sm_symbols *)arg));
}

static void test_any_size(void **state)
{
    (void)state;
    assert_any_size(draw_any);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grey_and_red),
        cmocka_unit_test(test_one_plane_by_a_map),
        cmocka_unit_test(test_what_is_not_finite_is_marked),
        cmocka_unit_test(test_shape_is_kept),
        cmocka_unit_test(test_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
