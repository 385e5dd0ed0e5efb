/* SPDX-License-Identifier: Apache-2.0 */
/* Elements as a table: numbers in one form, a cursor that stays visible, pages that continue
 * through the planes. */
#include "tui/tensor_pane/cells.h"

#include "plot/grid/grid_print.h"
#include "tui/tensor_pane/element_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

struct fixture {
    struct sm_tensor *t;
    struct sm_stats stats;
    struct sm_tensor_axes axes;
    struct sm_cells cells;
    struct sm_grid grid;
    struct sm_str text;
};

static struct fixture make_fixture(const uint64_t *dims, unsigned n, const float *v, int w, int h)
{
    struct fixture f = {.t = NULL};
    assert_true(sm_tensor_new(SM_DTYPE_FLOAT32, n, dims, v, &f.t, NULL));
    assert_true(sm_stats_of(f.t, &f.stats, NULL));
    assert_true(sm_tensor_axes_set(&f.axes, dims, n, NULL, NULL));
    sm_grid_init(&f.grid, w, h);
    return f;
}

static const char *screen(struct fixture *f)
{
    sm_grid_blank(&f->grid, (struct sm_rect){0, 0, f->grid.w, f->grid.h});
    sm_cells_draw(&f->cells, f->t, &f->axes, &f->stats, &f->grid,
                  (struct sm_rect){0, 0, f->grid.w, f->grid.h}, true);
    sm_str_truncate(&f->text, 0);
    sm_print_plain(&f->grid, &f->text);
    return sm_str_text(&f->text);
}

static void clear_fixture(struct fixture *f)
{
    sm_tensor_unref(f->t);
    sm_grid_clear(&f->grid);
    sm_str_clear(&f->text);
}

static void assert_cursor(const struct fixture *f, uint64_t flat)
{
    assert_int_equal(sm_tensor_axes_flat(&f->axes, &f->cells.at), flat);
}

static void press(struct fixture *f, enum sm_key_action a, int times)
{
    while (times--)
        assert_true(sm_cells_act(&f->cells, &f->axes, a));
}

static void test_rows_and_columns_with_their_numbers(void **state)
{
    const float v[] = {0.5f, -1.25f, 0, 1e-9f, NAN, 3};
    struct fixture f = make_fixture((const uint64_t[]){2, 3}, 2, v, 26, 3);
    (void)state;
    assert_string_equal(screen(&f), "        0       1       2\n"
                                    "0  0.5000 -1.2500       0\n"
                                    "1   1e-09     nan  3.0000\n");
    assert_int_equal(sm_grid_at(&f.grid, 3, 1)->attr, SM_ATTR_REVERSE);
    assert_int_equal(sm_grid_at(&f.grid, 15, 2)->role, SM_ROLE_PROBLEM);
    clear_fixture(&f);
}

static void test_one_axis_is_wrapped(void **state)
{
    float v[12];
    for (int i = 0; i < 12; i++)
        v[i] = (float)i;
    struct fixture f = make_fixture((const uint64_t[]){12}, 1, v, 44, 2);
    (void)state;
    assert_string_equal(screen(&f), " 0       0   1.000   2.000   3.000   4.000\n"
                                    " 5   5.000   6.000   7.000   8.000   9.000\n");
    press(&f, SM_ACT_DOWN, 1);
    assert_cursor(&f, 5);
    press(&f, SM_ACT_DOWN, 1);
    assert_string_equal(screen(&f), " 5   5.000   6.000   7.000   8.000   9.000\n"
                                    "10  10.000  11.000\n");
    press(&f, SM_ACT_RIGHT, 1);
    assert_cursor(&f, 11);
    clear_fixture(&f);
}

/* The cursor stays visible, and the page after the last row is the first of the next plane. */
static void test_pages_continue_through_planes(void **state)
{
    float v[3 * 4 * 5] = {0};
    struct fixture f = make_fixture((const uint64_t[]){3, 4, 5}, 3, v, 20, 3);
    (void)state;
    screen(&f);
    assert_int_equal(f.cells.rows, 2);
    press(&f, SM_ACT_PAGE_DOWN, 2);
    assert_cursor(&f, 3 * 5);
    screen(&f);
    assert_int_equal(f.cells.top, 2);
    press(&f, SM_ACT_PAGE_DOWN, 1);
    assert_cursor(&f, 20);
    screen(&f);
    assert_int_equal(f.cells.top, 0);
    press(&f, SM_ACT_PAGE_UP, 1);
    assert_cursor(&f, 15);
    press(&f, SM_ACT_PLANE_NEXT, 7);
    assert_cursor(&f, 40 + 15);
    press(&f, SM_ACT_LAST, 1);
    assert_cursor(&f, 59);
    screen(&f);
    assert_int_equal(f.cells.left, 5 - f.cells.cols);
    press(&f, SM_ACT_PAGE_DOWN, 1);
    assert_cursor(&f, 59);
    press(&f, SM_ACT_FIRST, 1);
    assert_cursor(&f, 40);
    assert_false(sm_cells_act(&f.cells, &f.axes, SM_ACT_OPEN));
    clear_fixture(&f);
}

static void test_any_size(void **state)
{
    float v[6 * 7] = {0};
    (void)state;
    for (int w = 0; w < 40; w++)
        for (int h = 0; h < 8; h++) {
            struct fixture f = make_fixture((const uint64_t[]){6, 7}, 2, v, w, h);
            screen(&f);
            press(&f, SM_ACT_LAST, 1);
            screen(&f);
            clear_fixture(&f);
        }
}

static const char *text_of(enum sm_dtype dtype, const void *data, bool full)
{
    static struct sm_str text;
    struct sm_tensor *t;
    struct sm_stats s;
    assert_true(sm_tensor_new(dtype, 0, NULL, data, &t, NULL));
    struct sm_element_text_form form =
        sm_element_text_form(dtype, sm_stats_of(t, &s, NULL) ? &s : NULL);
    sm_str_clear(&text);
    if (full)
        sm_element_text_full(&text, t, 0);
    else
        sm_element_text_short(&text, t, 0, &form);
    sm_tensor_unref(t);
    return sm_str_text(&text);
}

static void test_elements_of_all_kinds(void **state)
{
    const float third = 1.0f / 3, large = 123456.7f, complex[] = {0.5f, -2};
    const double tenth = 0.1;
    const int64_t least = INT64_MIN;
    const uint64_t most = UINT64_MAX;
    const uint8_t yes = 1;
    (void)state;
    assert_string_equal(text_of(SM_DTYPE_FLOAT32, &third, false), "0.3333");
    assert_string_equal(text_of(SM_DTYPE_FLOAT32, &third, true), "0.33333334");
    assert_string_equal(text_of(SM_DTYPE_FLOAT64, &tenth, true), "0.1");
    assert_string_equal(text_of(SM_DTYPE_FLOAT32, &large, false), "1.23e+05");
    assert_string_equal(text_of(SM_DTYPE_INT64, &least, true), "-9223372036854775808");
    assert_string_equal(text_of(SM_DTYPE_UINT64, &most, false), "18446744073709551615");
    assert_string_equal(text_of(SM_DTYPE_BOOL, &yes, true), "True");
    assert_string_equal(text_of(SM_DTYPE_COMPLEX64, complex, false), "5.00e-01-2.00e+00j");
    assert_string_equal(text_of(SM_DTYPE_COMPLEX64, complex, true), "0.5-2j");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_and_columns_with_their_numbers),
        cmocka_unit_test(test_one_axis_is_wrapped),
        cmocka_unit_test(test_pages_continue_through_planes),
        cmocka_unit_test(test_any_size),
        cmocka_unit_test(test_elements_of_all_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
