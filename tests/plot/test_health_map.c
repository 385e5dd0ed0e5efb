/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/health_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

#include <math.h>

static const char *const labels[] = {"conv0_weight", "fc0_weight", "gradient/fc0_bias"};
static const double steps[] = {0, 10, 20, 30};

static struct sm_health_map map_of(const double *v, const uint8_t *cells)
{
    return (struct sm_health_map){.labels = labels,
                                  .rows = 3,
                                  .x = steps,
                                  .cols = 4,
                                  .v = v,
                                  .cells = cells,
                                  .what = "absmax",
                                  .selected = 1,
                                  .cell = 99,
                                  .cursor_x = (double)NAN};
}

static void test_rows_and_columns(void **state)
{
    (void)state;
    const double v[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, NAN, HUGE_VAL};
    const uint8_t has[] = {1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1};
    const double marks[] = {20};
    struct sm_health_map m = map_of(v, has);
    struct sm_grid g;
    sm_grid_init(&g, 50, 6);
    m.marks = marks;
    m.n_marks = 1;
    sm_health_draw(&g, (struct sm_rect){0, 0, 50, 6}, &m, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "conv0_weight      ........::::----\n"
                      "fc0_weight            ++++****####\n"
                      "gradient/fc0_bias %%%%@@@@xxxxIIII\n"
                      "                   0       ^  30\n"
                      "                  0 ..::--==++**##%@ 9.00 absmax\n\n");
    assert_int_equal(sm_grid_at(&g, 0, 1)->role, SM_ROLE_ACCENT);
    assert_int_equal(sm_grid_at(&g, 26, 2)->role, SM_ROLE_PROBLEM);
    sm_grid_clear(&g);
}

static void test_short_names(void **state)
{
    (void)state;
    static const char *const names[] = {"w", "b", "x"};
    const double v[12] = {0};
    struct sm_health_map m = map_of(v, NULL);
    struct sm_grid g;
    sm_grid_init(&g, 30, 3);
    m.labels = names;
    sm_health_draw(&g, (struct sm_rect){0, 0, 30, 3}, &m, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "w ++++++++++++++++\n"
                      "b ++++++++++++++++\n"
                      "x ++++++++++++++++\n");
    sm_grid_clear(&g);
}

/* Marks and step labels never share a cell: each has its own line if there is room. */
static void test_marks_and_labels(void **state)
{
    (void)state;
    const double v[12] = {0};
    struct sm_health_map m = map_of(v, NULL);
    struct sm_grid g;
    m.marks = steps;
    m.n_marks = 4;
    m.scaleless = true;
    sm_grid_init(&g, 50, 7);
    sm_health_draw(&g, (struct sm_rect){0, 0, 50, 7}, &m, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "conv0_weight      ++++++++++++++++\n"
                      "fc0_weight        ++++++++++++++++\n"
                      "gradient/fc0_bias ++++++++++++++++\n"
                      "                   ^   ^   ^   ^\n"
                      "                   0          30\n\n\n");
    sm_health_draw(&g, (struct sm_rect){0, 0, 50, 6}, &m, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "conv0_weight      ++++++++++++++++\n"
                      "fc0_weight        ++++++++++++++++\n"
                      "gradient/fc0_bias ++++++++++++++++\n"
                      "                   0   ^   ^  30\n\n\n\n");
    sm_grid_clear(&g);
}

/* Two steps per cell: their mean, and a NaN among them is visible. Zeros have the lowest colour of
 * a log scale. */
static void test_many_steps_share_a_cell(void **state)
{
    (void)state;
    enum { N = 40 };
    double x[N], v[N];
    for (int i = 0; i < N; i++) {
        x[i] = i;
        v[i] = i < 20 ? 1 : 1000;
    }
    v[0] = v[1] = 0;
    v[39] = NAN;
    const char *const one[] = {""};
    struct sm_health_map m = {.labels = one,
                              .rows = 1,
                              .x = x,
                              .cols = N,
                              .v = v,
                              .scale = SM_Y_LOG,
                              .selected = 1,
                              .cursor_x = 20};
    struct sm_grid g;
    sm_grid_init(&g, 20, 1);
    sm_health_draw(&g, (struct sm_rect){0, 0, 20, 1}, &m, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "..........@@@@@@@@@x\n");
    size_t row, col;
    assert_true(sm_health_at(&m, (struct sm_rect){0, 0, 20, 1}, 19, 0, &row, &col));
    assert_int_equal(row, 0);
    assert_int_equal(col, 38);
    assert_false(sm_health_at(&m, (struct sm_rect){0, 0, 20, 1}, 20, 0, &row, &col));
    sm_grid_clear(&g);
}

/* By magnitude within a row; rows that vary by less than a factor of two are in the middle. Marks,
 * numbers, the highlighted cell. */
static void test_rows_by_themselves(void **state)
{
    (void)state;
    const double v[] = {1, -1e4, 0, 100, 3, 3.1, 3, 0, 5, 0, 0, -HUGE_VAL};
    const uint8_t cells[] = {
        1, 1, 1, 1, 1, 1, 1, SM_HEALTH_PENDING, 1, SM_HEALTH_NOTHING, SM_HEALTH_ZERO, 1};
    const bool bad[] = {false, false, true};
    struct sm_health_map m = map_of(v, cells);
    struct sm_grid g;
    size_t rows, cols;
    sm_grid_init(&g, 40, 5);
    m.own = true;
    m.scaleless = true;
    m.label_w = 12;
    m.number_w = 8;
    m.bad = bad;
    m.reversed = true;
    m.cell = 2;
    m.cursor_x = 20;
    sm_health_draw(&g, (struct sm_rect){0, 0, 40, 5}, &m, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, " conv0_weight ....@@@@....++++    100\n"
                      " fc0_weight   ====++++====....    ...\n"
                      "!gra...0_bias ++++    0000iiii   -Inf\n"
                      "               0      20\n\n");
    assert_int_equal(sm_grid_at(&g, 1, 1)->attr, SM_ATTR_REVERSE);
    assert_int_equal(sm_grid_at(&g, 22, 1)->attr, SM_ATTR_REVERSE);
    assert_int_equal(sm_grid_at(&g, 26, 1)->attr, 0);
    sm_health_room(&m, (struct sm_rect){0, 0, 40, 5}, &rows, &cols);
    assert_int_equal(rows, 4);
    assert_int_equal(cols, 40 - 14 - 8);
    sm_grid_clear(&g);
}

static void test_what_does_not_fit_is_counted(void **state)
{
    (void)state;
    const double v[12] = {0};
    struct sm_health_map m = map_of(v, NULL);
    struct sm_grid g;
    sm_grid_init(&g, 30, 2);
    sm_health_draw(&g, (struct sm_rect){0, 0, 30, 2}, &m, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "conv0_weight ++++++++++++++++\n+2 more\n");
    sm_grid_clear(&g);
}

static void draw_any(struct sm_grid *g, struct sm_rect r, const void *arg)
{
    static const double v[12] = {1, 2, 3};
    struct sm_health_map m = map_of(v, NULL);
    m.marks = steps;
    m.n_marks = 4;
    m.cursor_x = 10;
    sm_health_draw(g, r, &m, sm_glyphs(*(const enum sm_symbols *)arg));
}

static void test_any_size(void **state)
{
    (void)state;
    assert_any_size(draw_any);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_and_columns),
        cmocka_unit_test(test_short_names),
        cmocka_unit_test(test_marks_and_labels),
        cmocka_unit_test(test_many_steps_share_a_cell),
        cmocka_unit_test(test_rows_by_themselves),
        cmocka_unit_test(test_what_does_not_fit_is_counted),
        cmocka_unit_test(test_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
