/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the x axis that a zoomed chart shows. */
#include "tui/charts/chart_window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static double x[101], y[101];
static const struct sm_line_series line = {.x = x, .y = y, .n = 101};

static void fill(void)
{
    for (int i = 0; i < 101; i++)
        x[i] = 10.0 * i;
}

static void assert_window(int zoom, double shift, double cursor, int possible, double lo, double hi)
{
    struct sm_chart_anchor anchor = {cursor, 0.5};
    struct sm_chart_window w = sm_chart_window(&line, 1, &zoom, shift, anchor);
    assert_int_equal(zoom, possible);
    assert_float_equal(w.lo, lo, 1e-9);
    assert_float_equal(w.hi, hi, 1e-9);
}

static void test_window_position(void **state)
{
    (void)state;
    fill();
    assert_window(0, 0, NAN, 0, 0, 1000);
    assert_window(1, 0, NAN, 1, 500, 1000); /* up to the newest */
    assert_window(2, 0, 400, 2, 275, 525);  /* around the cursor */
    assert_window(2, 0, 990, 2, 750, 1000);
    assert_window(2, 0, 10, 2, 0, 250);
    assert_window(2, 1, NAN, 2, 500, 750);
    assert_window(2, 99, NAN, 2, 0, 250);
    assert_window(2, -99, 400, 2, 750, 1000);
    assert_window(20, 0, NAN, 6, 984.375, 1000); /* at least two points */
}

/* What is under the mouse stays there. */
static void test_anchor(void **state)
{
    (void)state;
    fill();
    int zoom = 1;
    struct sm_chart_window w =
        sm_chart_window(&line, 1, &zoom, 0, (struct sm_chart_anchor){300, 0.3});
    assert_float_equal(w.lo, 150, 1e-9);
    assert_float_equal(w.hi, 650, 1e-9);
    zoom = 2;
    w = sm_chart_window(&line, 1, &zoom, 0, (struct sm_chart_anchor){900, 0.1});
    assert_float_equal(w.lo, 750, 1e-9); /* not beyond the last point */
}

static void test_cut(void **state)
{
    struct sm_chart_window w = {275, 525};
    struct sm_line_series cut = line;
    double marks[] = {10, 280, 520, 530};
    (void)state;
    fill();
    sm_chart_window_cut(&w, &cut);
    assert_int_equal(cut.n, 25);
    assert_float_equal(cut.x[0], 280, 0);
    assert_ptr_equal(cut.y, y + 28);
    assert_int_equal(sm_chart_window_keep(&w, marks, 4), 2);
    assert_float_equal(marks[0], 280, 0);
    w = (struct sm_chart_window){2000, 3000};
    sm_chart_window_cut(&w, &cut);
    assert_int_equal(cut.n, 0);
    int zoom = 3;
    sm_chart_window(&line, 0, &zoom, 0, (struct sm_chart_anchor){NAN, 0.5});
    assert_int_equal(zoom, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window_position),
        cmocka_unit_test(test_anchor),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
