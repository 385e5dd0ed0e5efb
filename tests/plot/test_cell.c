/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

#include <limits.h>

static void test_sizes(void **state)
{
    (void)state;
    struct sm_grid g;
    sm_grid_init(&g, -3, 5);
    assert_int_equal(g.w, 0);
    assert_null(sm_grid_at(&g, 0, 0));
    assert_screen(&g, "\n\n\n\n\n");
    sm_grid_resize(&g, 3, 2);
    sm_grid_text(&g, 0, 0, 3, SM_ROLE_OK, SM_ATTR_BOLD, "abc");
    sm_grid_resize(&g, 2, 2);
    assert_int_equal(sm_grid_at(&g, 1, 1)->rune, ' ');
    assert_screen(&g, "\n\n");
    sm_grid_clear(&g);
    assert_null(g.cells);
}

static void test_put_is_clipped(void **state)
{
    (void)state;
    struct sm_grid g;
    sm_grid_init(&g, 2, 1);
    const int outside[][2] = {{-1, 0}, {2, 0}, {0, -1}, {0, 1}, {INT_MIN, 0}, {INT_MAX, INT_MAX}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        sm_grid_put(&g, outside[i][0], outside[i][1], 'x', SM_ROLE_TEXT, 0);
    sm_grid_put(&g, 1, 0, 'y', SM_ROLE_WARN, SM_ATTR_UNDERLINE);
    assert_screen(&g, " y\n");
    assert_int_equal(sm_grid_at(&g, 1, 0)->role, SM_ROLE_WARN);
    assert_int_equal(sm_grid_at(&g, 1, 0)->attr, SM_ATTR_UNDERLINE);
    sm_grid_clear(&g);
}

static void test_text_keeps_to_its_width(void **state)
{
    (void)state;
    struct sm_grid g;
    sm_grid_init(&g, 8, 3);
    assert_int_equal(sm_grid_text(&g, 1, 0, 3, SM_ROLE_TEXT, 0, "abcdef"), 3);
    /* columns used are counted although clipped */
    assert_int_equal(sm_grid_text(&g, 6, 1, 9, SM_ROLE_TEXT, 0, "xyz"), 3);
    assert_int_equal(sm_grid_text(&g, -2, 2, 9, SM_ROLE_TEXT, 0, "12345"), 5);
    assert_int_equal(sm_grid_text(&g, 0, 0, 0, SM_ROLE_TEXT, 0, "no"), 0);
    assert_int_equal(sm_grid_text(&g, 0, 0, -1, SM_ROLE_TEXT, 0, "no"), 0);
    assert_screen(&g, " abc\n      xy\n345\n");
    assert_int_equal(sm_grid_printf(&g, 0, 0, 8, SM_ROLE_TEXT, 0, "%d of %d", 24, 61), 8);
    assert_screen(&g, "24 of 61\n      xy\n345\n");
    sm_grid_clear(&g);
}

static void test_hostile_text(void **state)
{
    (void)state;
    struct sm_grid g;
    sm_grid_init(&g, 8, 1);
    assert_int_equal(sm_grid_text(&g, 0, 0, 8, SM_ROLE_TEXT, 0, "a\033[2J\n\u202eb\xff"), 6);
    assert_screen(&g, "a[2Jb?\n");
    sm_grid_put(&g, 0, 0, 0x1b, SM_ROLE_TEXT, 0);
    sm_grid_put(&g, 1, 0, 0x301, SM_ROLE_TEXT, 0);
    sm_grid_put(&g, 2, 0, 0, SM_ROLE_TEXT, 0);
    assert_screen(&g, "???Jb?\n");
    sm_grid_clear(&g);
}

static void test_combining_marks_stay_with_their_base(void **state)
{
    (void)state;
    struct sm_grid g;
    sm_grid_init(&g, 6, 1);
    assert_int_equal(
        sm_grid_text(&g, 0, 0, 6, SM_ROLE_TEXT, 0, "\u0301e\u0301\u6f22\u0300x\u0302\u0303"), 4);
    assert_int_equal(sm_grid_at(&g, 0, 0)->mark, 0x301);
    assert_int_equal(sm_grid_at(&g, 1, 0)->mark, 0x300);
    assert_screen(&g, "e\u0301\u6f22\u0300x\u0302\n");
    sm_grid_clear(&g);
}

static void test_wide_runes_are_whole_or_absent(void **state)
{
    (void)state;
    struct sm_grid g;
    sm_grid_init(&g, 5, 1);
    /* no room for the second */
    assert_int_equal(sm_grid_text(&g, 0, 0, 4, SM_ROLE_TEXT, 0, "a\u6f22\u6f22"), 3);
    assert_screen(&g, "a\u6f22\n");
    sm_grid_put(&g, 4, 0, 0x6f22, SM_ROLE_TEXT, 0);
    assert_int_equal(sm_grid_at(&g, 4, 0)->rune, ' ');
    sm_grid_put(&g, 2, 0, 'x', SM_ROLE_TEXT, 0); /* over its right half */
    assert_screen(&g, "a x\n");
    sm_grid_put(&g, 3, 0, 0x6f22, SM_ROLE_TEXT, 0);
    sm_grid_put(&g, 2, 0, 0x6f22, SM_ROLE_TEXT, 0); /* over its left half */
    assert_screen(&g, "a \u6f22\n");
    assert_int_equal(sm_grid_at(&g, 4, 0)->rune, ' ');
    sm_grid_blank(&g, (struct sm_rect){3, 0, 9, 9});
    assert_screen(&g, "a\n");
    sm_grid_clear(&g);
}

static void test_blank_and_attr_are_clipped(void **state)
{
    (void)state;
    struct sm_grid g;
    sm_grid_init(&g, 4, 2);
    sm_grid_text(&g, 0, 0, 4, SM_ROLE_TEXT, 0, "abcd");
    sm_grid_text(&g, 0, 1, 4, SM_ROLE_TEXT, SM_ATTR_BOLD, "efgh");
    sm_grid_attr(&g, (struct sm_rect){2, -1, INT_MAX, 3}, SM_ATTR_REVERSE);
    assert_int_equal(sm_grid_at(&g, 1, 1)->attr, SM_ATTR_BOLD);
    assert_int_equal(sm_grid_at(&g, 3, 1)->attr, SM_ATTR_BOLD | SM_ATTR_REVERSE);
    sm_grid_blank(&g, (struct sm_rect){-2, 1, 4, INT_MAX});
    sm_grid_blank(&g, (struct sm_rect){1, 0, -2, 1});
    assert_screen(&g, "abcd\n  gh\n");
    sm_grid_blank(&g, (struct sm_rect){INT_MIN, INT_MIN, INT_MAX, INT_MAX});
    assert_screen(&g, "abcd\n  gh\n");
    sm_grid_clear(&g);
}

static void test_copy_is_clipped(void **state)
{
    (void)state;
    struct sm_grid g, from;
    sm_grid_init(&g, 5, 2);
    sm_grid_init(&from, 4, 2);
    sm_grid_text(&from, 0, 0, 4, SM_ROLE_TEXT, 0, "\u6f22\u6f22");
    sm_grid_text(&from, 0, 1, 4, SM_ROLE_OK, 0, "wxyz");
    sm_grid_copy(&g, -1, 0, &from);
    assert_screen(&g, " \u6f22\nxyz\n");
    assert_int_equal(sm_grid_at(&g, 0, 1)->role, SM_ROLE_OK);
    sm_grid_copy(&g, 2, 1, &from);
    assert_screen(&g, " \u6f22\nxy\u6f22\n");
    sm_grid_copy(&g, 9, 9, &from);
    sm_grid_clear(&g);
    sm_grid_clear(&from);
}

static void test_clip(void **state)
{
    (void)state;
    struct sm_grid g;
    sm_grid_init(&g, 10, 5);
    struct sm_rect r = sm_grid_clip(&g, (struct sm_rect){-3, 2, 20, 20});
    assert_true(r.x == 0 && r.y == 2 && r.w == 10 && r.h == 3);
    r = sm_grid_clip(&g, (struct sm_rect){12, 0, 3, -1});
    assert_true(r.w == 0 && r.h == 0);
    sm_grid_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_put_is_clipped),
        cmocka_unit_test(test_text_keeps_to_its_width),
        cmocka_unit_test(test_hostile_text),
        cmocka_unit_test(test_combining_marks_stay_with_their_base),
        cmocka_unit_test(test_wide_runes_are_whole_or_absent),
        cmocka_unit_test(test_blank_and_attr_are_clipped),
        cmocka_unit_test(test_copy_is_clipped),
        cmocka_unit_test(test_clip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
