/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/axis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static void assert_y_axis(enum sm_y_scale kind, double lo, double hi, int h, const char *want)
{
    const struct sm_glyphs *glyphs = sm_glyphs(SM_SYMBOLS_ASCII);
    struct sm_scale scale;
    struct sm_y_axis a;
    struct sm_grid g;
    sm_scale_init(&scale, kind, lo, hi);
    sm_y_axis_plan(&a, &scale, h, glyphs);
    sm_grid_init(&g, a.label_w + 2, h);
    sm_y_axis_draw(&a, &g, a.label_w + 1, 0, h, true, glyphs);
    assert_screen(&g, want);
    sm_grid_clear(&g);
}

static void test_y_labels_are_aligned(void **state)
{
    (void)state;
    assert_y_axis(SM_Y_LINEAR, -5, 10, 7, "10 +\n   |\n 5 +\n   |\n 0 +\n   |\n-5 +\n");
}

static void test_y_labels_fall_back_to_the_ends(void **state)
{
    (void)state;
    assert_y_axis(SM_Y_LINEAR, 0.1234, 0.1281, 2, "0.1281 +\n0.1234 +\n");
    assert_y_axis(SM_Y_LINEAR, 3, 3, 3, "  |\n3 +\n  |\n");
    assert_y_axis(SM_Y_LINEAR, 0, 9, 1, "0 +\n");
}

static void test_y_labels_of_powers(void **state)
{
    (void)state;
    assert_y_axis(SM_Y_LOG, 0.001, 100, 6, " 100 +\n     |\n   1 +\n     |\n0.01 +\n     |\n");
}

/* For any range and height: rows ascend by two or more, and the end labels are inside. */
static void test_y_labels_are_never_stacked(void **state)
{
    (void)state;
    const struct sm_glyphs *glyphs = sm_glyphs(SM_SYMBOLS_BRAILLE);
    for (int kind = SM_Y_LINEAR; kind <= SM_Y_SYMLOG; kind++)
        for (int i = 1; i < 400; i++)
            for (int h = 3; h < 40; h++) {
                double lo = kind == SM_Y_LOG ? pow(10, i % 9 - 5) : i % 17 - 8,
                       hi = lo + i * pow(1.1, i % 50);
                struct sm_scale scale;
                struct sm_y_axis a;
                sm_scale_init(&scale, (enum sm_y_scale)kind, lo, hi);
                sm_y_axis_plan(&a, &scale, h, glyphs);
                assert_in_range(a.n, 2, SM_TICKS_MAX);
                for (size_t t = 0; t < a.n; t++) {
                    assert_in_range(a.row[t], 0, h - 1);
                    for (size_t k = 0; k < t; k++)
                        assert_true(abs(a.row[t] - a.row[k]) >= 2);
                }
            }
}

enum notation { NEUTRAL, PLAIN, POWERS, UNITS = 'A' }; /* UNITS: the letter of the unit */

static int notation_of(const char *label)
{
    char last = label[strlen(label) - 1];
    return strcmp(label, "0") == 0 ? NEUTRAL
           : strchr(label, 'e')    ? POWERS
           : last > '9'            ? last
                                   : PLAIN;
}

static void assert_one_notation(const struct sm_y_axis *a, double lo, double hi)
{
    int first = NEUTRAL;
    for (size_t t = 0; t < a->n; t++) {
        int one = notation_of(a->label[t]);
        if (one && first && one != first)
            fail_msg("%g..%g: \"%s\" beside \"%s\"", lo, hi, a->label[t], a->label[0]);
        first = one ? one : first;
    }
}

/* Also of the ends, where no two round values fit. */
static void test_y_labels_have_one_notation(void **state)
{
    (void)state;
    const struct sm_glyphs *glyphs = sm_glyphs(SM_SYMBOLS_BRAILLE);
    for (int kind = SM_Y_LINEAR; kind <= SM_Y_SYMLOG; kind++)
        for (int i = 0; i < 60 * 60; i++)
            for (int h = 2; h < 24; h += 3) {
                int row = i / 60 - 30;
                double lo = 0.37 * pow(2.5, i % 60 - 30), hi = lo + 0.41 * pow(2.5, row);
                struct sm_scale scale;
                struct sm_y_axis a;
                lo = kind != SM_Y_LOG && i % 7 == 0 ? -lo : kind != SM_Y_LOG && i % 5 == 0 ? 0 : lo;
                sm_scale_init(&scale, (enum sm_y_scale)kind, lo, hi);
                sm_y_axis_plan(&a, &scale, h, glyphs);
                assert_one_notation(&a, lo, hi);
            }
}

static void draw_x(struct sm_grid *g, const struct sm_x_axis *a, int w)
{
    sm_grid_resize(g, w + 1, 2);
    sm_x_axis_draw(a, g, (struct sm_rect){0, 0, w + 1, 2}, 0, 1, w, 0, true,
                   sm_glyphs(SM_SYMBOLS_ASCII));
}

static void assert_x_axis(struct sm_x_axis a, int w, const char *want)
{
    struct sm_grid g = {0};
    draw_x(&g, &a, w);
    assert_screen(&g, want);
    sm_grid_clear(&g);
}

static void test_newest_cursor_oldest_and_marks_come_first(void **state)
{
    (void)state;
    const double marks[] = {3900};
    struct sm_x_axis a = {.lo = 0, .hi = 4210, .cursor = nan("")};
    assert_x_axis(a, 30, "++-------------+--------------+\n 0           2000          4210\n");
    a.marks = marks;
    a.n_marks = 1;
    assert_x_axis(a, 30, "++-------------+------------^-+\n 0           2000     3900 4210\n");
    a.cursor = 3000;
    assert_x_axis(a, 30, "++-------------+------|-----^-+\n 0           2000   3000   4210\n");
    assert_x_axis(
        a, 40,
        "++------------------+--------|-------^--+\n 0                2000     3000 3900 4210\n");
    assert_x_axis(a, 6, "++---|^\n 0 4210\n");
    a.n_marks = 0;
    a.cursor = 4100; /* goes aside for the newest */
    assert_x_axis(a, 30, "++-------------+-------------|+\n 0           2000     4100 4210\n");
}

static void test_one_x_and_none(void **state)
{
    (void)state;
    /* the first column belongs to the last label of the chart before */
    assert_x_axis((struct sm_x_axis){.lo = 30, .hi = 60, .cursor = nan("")}, 12,
                  "++----------+\n 30        60\n");
    assert_x_axis((struct sm_x_axis){.lo = 7, .hi = 7, .cursor = nan("")}, 9,
                  "+----+----\n     7\n");
    assert_x_axis((struct sm_x_axis){.lo = 1, .hi = 0, .cursor = nan("")}, 9, "+---------\n\n");
}

/* An end that is a tick has the form of the others; another end has all its digits. */
static void test_an_end_that_is_a_tick(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct sm_grid g = {0};
        struct sm_x_axis a = {.lo = 0, .hi = 100000 - i, .cursor = nan("")};
        char row[64] = {0};
        draw_x(&g, &a, 60);
        for (int x = 0; x <= 60; x++)
            row[x] = (char)sm_grid_at(&g, x, 1)->rune;
        assert_non_null(strstr(row, i ? " 99999" : " 100000"));
        assert_non_null(strstr(row, " 80000"));
        sm_grid_clear(&g);
    }
}

/* No fractions of seconds beside times of day. */
static void test_the_end_of_wall_time(void **state)
{
    (void)state;
    setenv("TZ", "EST5", 1);
    tzset();
    const double at = 1732165200 + 11 * 3600; /* 11:00 */
    struct sm_x_axis a = {.unit = SM_X_WALL, .lo = at + 0.5, .hi = at + 38.8, .cursor = nan("")};
    assert_x_axis(a, 25, "+---------+--------------+\n      11:00:15    11:00:38\n");
    a.hi = at + 2.25;
    assert_x_axis(a, 25, "+-------+----------------+\n    11:00:01      11:00:02\n");
}

/* The numbers of a row ascend from lo to hi. */
static void assert_ascending(char *row, double lo, double hi)
{
    double before = -1;
    for (char *token = strtok(row, " "); token; token = strtok(NULL, " ")) {
        char *end;
        double v = strtod(token, &end);
        v *= *end == 'k' ? 1e3 : *end == 'M' ? 1e6 : *end == 'G' ? 1e9 : 1;
        if (v <= before || v > hi * 1.0001 || v < lo * 0.9999)
            fail_msg("%g..%g: \"%s\" after %g", lo, hi, token, before);
        before = v;
    }
}

/* Labels that touch would read as one number. */
static void test_x_labels_never_touch(void **state)
{
    (void)state;
    struct sm_grid g = {0};
    for (int w = 1; w < 130; w++)
        for (int i = 1; i < 60; i++) {
            double hi = floor(pow(1.35, i)), lo = i % 3 ? 0 : floor(hi / 7);
            const double marks[] = {lo + floor((hi - lo) * 0.9), lo + floor((hi - lo) * 0.93)};
            struct sm_x_axis a = {
                .lo = lo, .hi = hi, .marks = marks, .n_marks = 2, .cursor = nan("")};
            if (i % 2)
                a.cursor = lo + floor((hi - lo) / 3);
            draw_x(&g, &a, w);
            char row[200] = {0};
            for (int x = 0; x <= w; x++)
                row[x] = (char)sm_grid_at(&g, x, 1)->rune;
            assert_ascending(row, lo, hi);
        }
    sm_grid_clear(&g);
}

static void assert_one_notation_of_row(struct sm_grid *g, bool digits)
{
    char row[200] = {0};
    for (int x = 0; x <= 90; x++)
        row[x] = (char)sm_grid_at(g, x, 1)->rune;
    int first = NEUTRAL;
    for (char *token = strtok(row, " "); token; token = strtok(NULL, " ")) {
        int one = notation_of(token);
        assert_true(!one || !first || one == first);
        assert_true(!digits || one < UNITS);
        first = one ? one : first;
    }
}

/* Steps have all their digits below a million, and one unit from there on. */
static void test_x_labels_have_one_notation(void **state)
{
    (void)state;
    struct sm_grid g = {0};
    for (int unit = SM_X_STEP; unit <= SM_X_VALUE; unit += SM_X_VALUE - SM_X_STEP)
        for (int i = 0; i < 90; i++) {
            double hi = 3 * pow(1.4, i), lo = i % 3 ? 0 : hi / 9;
            hi = unit == SM_X_STEP ? floor(hi) : hi * 1e-6;
            lo = unit == SM_X_STEP ? floor(lo) : lo * 1e-6;
            const double marks[] = {lo + (hi - lo) / 2};
            struct sm_x_axis a = {.unit = (enum sm_x_unit)unit,
                                  .lo = lo,
                                  .hi = hi,
                                  .marks = marks,
                                  .n_marks = unit == SM_X_STEP,
                                  .cursor = lo + floor((hi - lo) / 3)};
            draw_x(&g, &a, 90);
            assert_one_notation_of_row(&g, unit == SM_X_STEP && hi < 1e6);
        }
    sm_grid_clear(&g);
}

static void test_long_x_labels(void **state)
{
    (void)state;
    struct sm_x_axis a = {.hi = 20000, .log = true, .cursor = nan("")};
    assert_x_axis(a, 50,
                  "++--+--------+----------+----------+--------------+\n"
                  " 0  1       10         100       1000         20000\n");
    a.hi = 2.5e6;
    a.cursor = 123456;
    assert_x_axis(a, 60,
                  "++---------+-------+---------+--------+---------|-----------+\n"
                  " 0        1e1     1e2       1e3      1e4    1.23456e5   2.5e6\n");
    a = (struct sm_x_axis){.hi = 2.5e6, .cursor = 1234567};
    assert_x_axis(a, 60,
                  "++-----------+----------------|-----------------+-----------+\n"
                  " 0         0.5M           1.234567M            2M        2.5M\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_y_labels_are_aligned),
        cmocka_unit_test(test_y_labels_fall_back_to_the_ends),
        cmocka_unit_test(test_y_labels_of_powers),
        cmocka_unit_test(test_y_labels_are_never_stacked),
        cmocka_unit_test(test_y_labels_have_one_notation),
        cmocka_unit_test(test_newest_cursor_oldest_and_marks_come_first),
        cmocka_unit_test(test_x_labels_have_one_notation),
        cmocka_unit_test(test_long_x_labels),
        cmocka_unit_test(test_one_x_and_none),
        cmocka_unit_test(test_an_end_that_is_a_tick),
        cmocka_unit_test(test_the_end_of_wall_time),
        cmocka_unit_test(test_x_labels_never_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
