/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a tensor on the screen: the axes of rows and columns, the place on the others, and
 * its text. */
#include "tui/tensor_pane/axes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const uint64_t dims[] = {8, 3, 5, 4};

static struct sm_tensor_axes axes_of(const char *slice, const uint64_t *of, unsigned n)
{
    struct sm_tensor_axes a;
    struct sm_slice s;
    size_t used;
    assert_true(!slice || sm_slice_parse(slice, strlen(slice), &s, &used, NULL));
    assert_true(sm_tensor_axes_set(&a, of, n, slice ? &s : NULL, NULL));
    return a;
}

static void assert_text(const struct sm_tensor_axes *a, const struct sm_tensor_axes_at *at,
                        const char *plane, const char *element)
{
    struct sm_str text = {0};
    sm_tensor_axes_text(&text, a, at);
    assert_string_equal(sm_str_text(&text), plane);
    sm_str_truncate(&text, 0);
    sm_tensor_axes_element(&text, a, at);
    assert_string_equal(sm_str_text(&text), element);
    sm_str_clear(&text);
}

static void test_last_two_axes_are_rows_and_columns(void **state)
{
    struct sm_tensor_axes a = axes_of(NULL, dims, 4);
    struct sm_tensor_axes_at at = {{0}};
    (void)state;
    assert_int_equal(a.row, 2);
    assert_int_equal(a.col, 3);
    assert_int_equal(sm_tensor_axes_planes(&a), 24);
    sm_tensor_axes_turn_to(&a, &at, 7);
    assert_int_equal(sm_tensor_axes_plane(&a, &at), 7);
    at.at[2] = 4;
    at.at[3] = 1;
    assert_text(&a, &at, "[2, 1, :, :]", "[2, 1, 4, 1]");
    assert_int_equal(sm_tensor_axes_flat(&a, &at), ((2 * 3 + 1) * 5 + 4) * 4 + 1);
    sm_tensor_axes_turn_to(&a, &at, 24);
    assert_int_equal(sm_tensor_axes_plane(&a, &at), 23);
}

static void test_slice_selects_a_part(void **state)
{
    struct sm_tensor_axes a = axes_of("[-1, :, 1:, ::-2]", dims, 4);
    struct sm_tensor_axes_at at = {{0}};
    (void)state;
    assert_int_equal(sm_tensor_axes_rows(&a), 4);
    assert_int_equal(sm_tensor_axes_cols(&a), 2);
    assert_int_equal(sm_tensor_axes_planes(&a), 3);
    sm_tensor_axes_turn_to(&a, &at, 2);
    at.at[3] = 1;
    assert_text(&a, &at, "[7, 2, 1:, ::-2]", "[7, 2, 1, 1]");
    a = axes_of("[0, 0, 1:3, 3:8]", dims, 4);
    memset(&at, 0, sizeof at);
    assert_int_equal(a.row, -1); /* one column is left, so the axis is not shown as columns */
    assert_int_equal(a.col, 2);
    assert_text(&a, &at, "[0, 0, 1:3, 3]", "[0, 0, 1, 3]");
    a = axes_of("[..., 2:2]", dims, 4);
    assert_true(sm_tensor_axes_empty(&a));
    sm_tensor_axes_clamp(&a, &at);
    assert_text(&a, &at, "[0, :, :, 2:2]", "[0, 0, 0, 2]");
}

static void test_axes_of_one_place_are_not_shown(void **state)
{
    const uint64_t column[] = {6, 1}, none[] = {0, 3};
    struct sm_tensor_axes a = axes_of(NULL, column, 2);
    struct sm_tensor_axes_at at = {{0}};
    (void)state;
    assert_int_equal(a.row, -1);
    assert_int_equal(a.col, 0);
    assert_text(&a, &at, "", "[0, 0]");
    a = axes_of(NULL, column, 0);
    assert_int_equal(a.col, -1);
    assert_int_equal(sm_tensor_axes_rows(&a), 1);
    assert_int_equal(sm_tensor_axes_planes(&a), 1);
    assert_int_equal(sm_tensor_axes_flat(&a, &at), 0);
    assert_text(&a, &at, "", "");
    assert_false(sm_tensor_axes_empty(&a));
    a = axes_of(NULL, none, 2);
    assert_true(sm_tensor_axes_empty(&a));
    sm_tensor_axes_turn_to(&a, &at, 1);
    assert_int_equal(at.at[0], 0);
}

static void test_moving_stops_at_the_ends(void **state)
{
    struct sm_tensor_axes a = axes_of(NULL, dims, 4);
    struct sm_tensor_axes_at at = {{0, 0, 2, 3}};
    (void)state;
    assert_true(sm_tensor_axes_move(&a, &at, a.row, -9));
    assert_int_equal(at.at[2], 0);
    assert_false(sm_tensor_axes_move(&a, &at, a.row, -1));
    assert_true(sm_tensor_axes_move(&a, &at, a.row, INT64_MAX));
    assert_int_equal(at.at[2], 4);
    assert_false(sm_tensor_axes_move(&a, &at, a.col, 1));
    assert_true(sm_tensor_axes_move(&a, &at, a.col, INT64_MIN));
    assert_int_equal(at.at[3], 0);
    assert_false(sm_tensor_axes_move(&a, &at, -1, 1));
}

static void test_clamp_to_another_shape(void **state)
{
    const uint64_t smaller[] = {2, 3, 3};
    struct sm_tensor_axes a = axes_of(NULL, smaller, 3);
    struct sm_tensor_axes_at at = {{7, 1, 2, 3}};
    (void)state;
    sm_tensor_axes_clamp(&a, &at);
    assert_text(&a, &at, "[1, :, :]", "[1, 1, 2]");
    assert_int_equal(at.at[3], 0);
}

static void test_a_slice_that_does_not_fit(void **state)
{
    struct sm_tensor_axes a;
    struct sm_slice s;
    struct sm_err err;
    size_t used;
    (void)state;
    assert_true(sm_slice_parse("[8]", 3, &s, &used, NULL));
    assert_false(sm_tensor_axes_set(&a, dims, 4, &s, &err));
    assert_string_equal(err.msg, "index 8 is out of bounds for axis 0 with size 8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_two_axes_are_rows_and_columns),
        cmocka_unit_test(test_slice_selects_a_part),
        cmocka_unit_test(test_axes_of_one_place_are_not_shown),
        cmocka_unit_test(test_moving_stops_at_the_ends),
        cmocka_unit_test(test_clamp_to_another_shape),
        cmocka_unit_test(test_a_slice_that_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
