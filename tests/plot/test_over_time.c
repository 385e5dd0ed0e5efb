/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/over_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

#include <math.h>

static void test_rebin_shares_by_width(void **state)
{
    (void)state;
    const double edges[] = {0, 2, 4, 4}, to[] = {-1, 1, 3, 4};
    const uint64_t counts[] = {10, 4, 3};
    double out[3];
    sm_hist_rebin(edges, counts, 3, to, 3, out);
    assert_true(out[0] == 5 && out[1] == 7 && out[2] == 5);
}

/* 100 elements in four bins, and the values that TensorBoard's compressor computes for them. */
static void test_distribution(void **state)
{
    (void)state;
    const double edges[] = {0, 1, 2, 3, 4};
    const uint64_t counts[] = {10, 40, 0, 50};
    const double want[SM_BANDS] = {0, 0.668, 1.14675, 1.52125, 3, 3.383, 3.6826, 3.8664, 4};
    double out[SM_BANDS];
    sm_distribution(edges, counts, 4, out);
    for (int i = 0; i < SM_BANDS; i++)
        assert_true(fabs(out[i] - want[i]) < 1e-12);
    const uint64_t none[4] = {0};
    sm_distribution(edges, none, 4, out);
    assert_true(isnan(out[0]) && isnan(out[8]));
}

static const double x[] = {0, 10, 20}, edges[] = {-1, -0.5, 0, 0.5, 1};
static const double counts[] = {0, 8, 8, 0, 0, 16, 0, 0, 1, 0, 0, 15};

static void test_heat(void **state)
{
    (void)state;
    struct sm_hist_time h = {
        .x = x, .n = 3, .edges = edges, .bins = 4, .counts = counts, .cursor_x = (double)NAN};
    struct sm_grid g;
    sm_grid_init(&g, 24, 7);
    sm_hist_time_heat(&g, (struct sm_rect){0, 0, 24, 7}, &h, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, " 1 +               @@@@@\n"
                      "   |+++++\n"
                      " 0 ++++++@@@@@@@@@@\n"
                      "   |               .....\n"
                      "-1 +               .....\n"
                      "   ++------------------+\n"
                      "    0                 20\n");
    h.log_counts = true; /* a count of 1 is no longer almost invisible */
    sm_hist_time_heat(&g, (struct sm_rect){0, 0, 24, 7}, &h, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_int_equal(sm_grid_at(&g, 20, 4)->rune, ':');
    sm_grid_clear(&g);
}

static void test_ridge(void **state)
{
    (void)state;
    struct sm_hist_time h = {
        .x = x, .n = 3, .edges = edges, .bins = 4, .counts = counts, .cursor_x = 10};
    struct sm_grid g;
    sm_grid_init(&g, 40, 8);
    sm_hist_time_ridge(&g, (struct sm_rect){0, 0, 40, 8}, &h, sm_glyphs(SM_SYMBOLS_ASCII));
    struct sm_str s = {0};
    sm_print_plain(&g, &s);
    assert_non_null(strstr(sm_str_text(&s), "     20 "));
    sm_str_clear(&s);
    assert_int_equal(sm_grid_at(&g, 5, 4)->role, SM_ROLE_ACCENT); /* "10" */
    /* the newest is tallest there */
    assert_int_equal(sm_grid_at(&g, 39, 3)->role, SM_ROLE_HEAT_15);
    sm_grid_clear(&g);
}

static void test_bands(void **state)
{
    (void)state;
    const double v[] = {0, 1, 2, 3, 4,   5,   6,   7,   8,   0,   1,   2,   3,  4,
                        5, 6, 7, 8, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    struct sm_bands b = {.x = x, .v = v, .n = 3, .cursor_x = (double)NAN};
    struct sm_grid g;
    sm_grid_init(&g, 21, 11);
    sm_bands_draw(&g, (struct sm_rect){0, 0, 21, 11}, &b, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "8 +:::::::::\n"
                      "  |=========\n"
                      "6 ++++++++++\n"
                      "  |#########\n"
                      "4 +---------\n"
                      "  |#########\n"
                      "2 ++++++++++\n"
                      "  |=========\n"
                      "0 +:::::::::\n"
                      "  ++----------------+\n"
                      "   0               20\n");
    sm_grid_clear(&g);
}

static void draw_any(struct sm_grid *g, struct sm_rect r, const void *arg)
{
    const struct sm_glyphs *glyphs = sm_glyphs(*(const enum sm_symbols *)arg);
    const double v[2 * SM_BANDS] = {-1, 0, 0, 0, 0, 0, 1, 2, 9};
    const struct sm_hist_time h = {
        .x = x, .n = 3, .edges = edges, .bins = 4, .counts = counts, .cursor_x = 10};
    const struct sm_bands b = {.x = x, .v = v, .n = 2, .cursor_x = 5, .marks = x, .n_marks = 3};
    sm_hist_time_heat(g, r, &h, glyphs);
    sm_hist_time_ridge(g, r, &h, glyphs);
    sm_bands_draw(g, r, &b, glyphs);
}

static void test_any_size(void **state)
{
    (void)state;
    assert_any_size(draw_any);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rebin_shares_by_width),
        cmocka_unit_test(test_distribution),
        cmocka_unit_test(test_heat),
        cmocka_unit_test(test_ridge),
        cmocka_unit_test(test_bands),
        cmocka_unit_test(test_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
