/* SPDX-License-Identifier: Apache-2.0 */
/* The cursor of a list stays within its rows and visible. */
#include "tui/panes/listing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_at(const struct sm_rows *l, size_t cursor, size_t top)
{
    assert_int_equal(l->cursor, cursor);
    assert_int_equal(l->top, top);
}

static void test_moves(void **state)
{
    struct sm_rows l = {0};
    (void)state;
    sm_rows_show(&l, 20, 6);
    assert_true(sm_rows_act(&l, 20, SM_ACT_UP));
    sm_rows_show(&l, 20, 6);
    assert_at(&l, 0, 0);
    assert_true(sm_rows_act(&l, 20, SM_ACT_PAGE_DOWN));
    sm_rows_show(&l, 20, 6);
    assert_at(&l, 6, 1);
    assert_true(sm_rows_act(&l, 20, SM_ACT_HALF_DOWN));
    assert_true(sm_rows_act(&l, 20, SM_ACT_LAST));
    sm_rows_show(&l, 20, 6);
    assert_at(&l, 19, 14);
    assert_true(sm_rows_act(&l, 20, SM_ACT_HALF_UP));
    sm_rows_show(&l, 20, 6);
    assert_at(&l, 16, 14);
    assert_true(sm_rows_act(&l, 20, SM_ACT_FIRST));
    sm_rows_show(&l, 20, 6);
    assert_at(&l, 0, 0);
    assert_false(sm_rows_act(&l, 20, SM_ACT_ZOOM));
}

static void test_fewer_rows_and_more_lines(void **state)
{
    struct sm_rows l = {.cursor = 19, .top = 14};
    (void)state;
    sm_rows_show(&l, 10, 6);
    assert_at(&l, 9, 4);
    sm_rows_show(&l, 10, 8);
    assert_at(&l, 9, 2);
    sm_rows_show(&l, 10, 30);
    assert_at(&l, 9, 0);
    sm_rows_show(&l, 0, 30);
    assert_at(&l, 0, 0);
    assert_true(sm_rows_act(&l, 0, SM_ACT_LAST));
    assert_at(&l, 0, 0);
    sm_rows_show(&l, 5, 0);
    sm_rows_show(&l, 5, -1);
    assert_true(sm_rows_act(&l, 5, SM_ACT_PAGE_DOWN));
    assert_int_equal(l.cursor, 1);
}

static void test_note(void **state)
{
    struct sm_rows l = {0};
    struct sm_str note = {0};
    (void)state;
    sm_rows_show(&l, 6, 6);
    sm_rows_note(&l, 6, &note);
    assert_string_equal(sm_str_text(&note), "");
    sm_rows_act(&l, 7, SM_ACT_LAST);
    sm_rows_show(&l, 7, 6);
    sm_rows_note(&l, 7, &note);
    assert_string_equal(sm_str_text(&note), "2-7 of 7");
    sm_str_clear(&note);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_fewer_rows_and_more_lines),
        cmocka_unit_test(test_note),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
