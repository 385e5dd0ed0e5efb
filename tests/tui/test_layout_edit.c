/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of layouts by the user: sizes, hidden panes, and the text of the result. */
#include "tui/dashboard/layout_edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { W = 100, H = 40 };

static const struct sm_pane_ops a = {.name = "a", .min_w = 10, .min_h = 3},
                                b = {.name = "b", .min_w = 10, .min_h = 3},
                                c = {.name = "c", .min_w = 10, .min_h = 3};
static const struct sm_pane_ops *const table[] = {&a, &b, &c, NULL};

static struct sm_layout whole;
static struct sm_pane panes[3];
static struct sm_err err;

static void place_panes(void)
{
    struct sm_layout seen;
    for (size_t i = 0; i < 3; i++)
        panes[i].ops = table[i];
    sm_layout_visible(&whole, &seen);
    sm_layout_place(&seen, panes, 3, (struct sm_rect){0, 0, W, H});
}

static void parse_layout(const char *spec)
{
    assert_true(sm_layout_parse(spec, table, &whole, &err));
    place_panes();
}

static void assert_spec(const char *spec)
{
    struct sm_str text = {0}, second = {0};
    struct sm_layout again;
    sm_layout_write(&whole, table, &text);
    assert_string_equal(sm_str_text(&text), spec);
    assert_true(sm_layout_parse(sm_str_text(&text), table, &again, &err));
    sm_layout_write(&again, table, &second);
    assert_string_equal(sm_str_text(&second), spec);
    sm_str_clear(&text);
    sm_str_clear(&second);
}

static void assert_heights(int of_a, int of_b, int of_c)
{
    place_panes();
    assert_int_equal(panes[0].frame.h, of_a);
    assert_int_equal(panes[1].frame.h, of_b);
    assert_int_equal(panes[2].frame.h, of_c);
}

static void test_next_pane_shrinks_first(void **state)
{
    (void)state;
    parse_layout("a 1 b 1 c 2");
    assert_heights(10, 10, 20);
    assert_true(sm_layout_resize(&whole, panes, 0, false, 3, &err));
    assert_heights(13, 7, 20);
    assert_true(sm_layout_resize(&whole, panes, 0, false, 100, &err));
    assert_heights(30, 5, 5); /* the others keep what they need */
    assert_true(sm_layout_resize(&whole, panes, 2, false, 4, &err));
    assert_heights(26, 5, 9); /* no pane after the last: the panes before it */
    assert_true(sm_layout_resize(&whole, panes, 0, false, -100, &err));
    assert_heights(5, 26, 9);
    assert_spec(" a 5 b 26 c 9");
}

static void test_resize_in_nested_splits(void **state)
{
    (void)state;
    parse_layout("{-horizontal a 1 {b 1 c 1} 1} 1");
    assert_true(sm_layout_resize(&whole, panes, 1, true, -10, &err));
    place_panes();
    assert_int_equal(panes[0].frame.w, 60);
    assert_int_equal(panes[2].frame.w, 40);
    assert_true(sm_layout_resize(&whole, panes, 1, false, 5, &err));
    assert_heights(40, 25, 15);
    assert_spec(" { -horizontal a 60 { b 25 c 15 } 40 } 1");
    assert_false(sm_layout_resize(&whole, panes, 0, false, 5, &err));
    assert_string_equal(err.msg, "The pane \"a\" does not share its lines with another pane.");
    parse_layout("a 1");
    assert_false(sm_layout_resize(&whole, panes, 0, true, 5, &err));
    assert_false(sm_layout_resize(&whole, panes, 1, true, 5, &err));
}

static void test_hidden(void **state)
{
    (void)state;
    parse_layout("a 3 {-horizontal b 1 c 1} 1");
    assert_true(sm_layout_hide(&whole, 1, true, "b", &err));
    assert_heights(30, 0, 10);
    assert_int_equal(panes[2].frame.w, W);
    assert_spec(" a 3 { -horizontal b 1 -hidden c 1 } 1");
    assert_true(sm_layout_hide(&whole, 2, true, "c", &err));
    assert_heights(40, 0, 0); /* the split has nothing left */
    assert_false(sm_layout_hide(&whole, 0, true, "a", &err));
    assert_string_equal(err.msg, "The pane \"a\" is the last visible pane.");
    assert_true(sm_layout_hide(&whole, 2, false, "c", &err));
    assert_heights(30, 0, 10);
    parse_layout("a 1");
    assert_false(sm_layout_hide(&whole, 2, true, "c", &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_next_pane_shrinks_first),
        cmocka_unit_test(test_resize_in_nested_splits),
        cmocka_unit_test(test_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
