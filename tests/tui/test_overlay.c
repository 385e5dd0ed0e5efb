/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/overlay.h"

#include "plot/grid/grid_print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { W = 24, H = 6 }; /* 20 columns and 4 lines of text */

static struct sm_overlay over;
static struct sm_str shown;

static int tear_down(void **state)
{
    (void)state;
    sm_overlay_clear(&over);
    sm_str_clear(&shown);
    return 0;
}

static void open_text(const char *text)
{
    sm_overlay_open(&over, "title", text, strlen(text));
}

static void assert_shown(const char *const *lines, size_t n)
{
    struct sm_grid g;
    const char *p;
    sm_grid_init(&g, W, H);
    sm_overlay_draw(&over, &g, (struct sm_rect){0, 0, W, H}, sm_glyphs(SM_SYMBOLS_ASCII));
    sm_str_truncate(&shown, 0);
    sm_print_plain(&g, &shown);
    sm_grid_clear(&g);
    p = strchr(sm_str_text(&shown), '\n') + 1;
    for (size_t i = 0; i < n; i++, p = strchr(p, '\n') + 1)
        if (strncmp(p + 2, lines[i], strlen(lines[i])) != 0 ||
            strspn(p + 2 + strlen(lines[i]), " ") + strlen(lines[i]) < W - 3)
            fail_msg("line %zu: expected \"%s\" in\n%s", i, lines[i], sm_str_text(&shown));
}
#define ASSERT_SHOWN(...)                                                                          \
    assert_shown((const char *const[]){__VA_ARGS__},                                               \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void act(enum sm_key_action a, int times)
{
    for (int i = 0; i < times; i++)
        assert_true(sm_overlay_act(&over, a));
}

static void test_prose_is_wrapped(void **state)
{
    (void)state;
    open_text("A sentence that does not fit.\n\n  so with an indentation\n");
    ASSERT_SHOWN("A sentence that does", "not fit.", "", "  so with an");
    act(SM_ACT_DOWN, 1);
    ASSERT_SHOWN("not fit.", "", "  so with an", "  indentation");
}

static void test_a_long_word_is_panned(void **state)
{
    (void)state;
    open_text("see 0123456789012345678901 here\n");
    ASSERT_SHOWN("see", "01234567890123456789", "here", "");
    act(SM_ACT_RIGHT, 5);
    ASSERT_SHOWN("e", "23456789012345678901", "re", "");
}

static void test_tables_are_panned(void **state)
{
    (void)state;
    open_text("NAME  0123456789 0123456789 end\nx     \xc3\x97\xe4\xb8\xad"
              "123456789012345678901234 z\n");
    ASSERT_SHOWN("NAME  0123456789 012");
    act(SM_ACT_RIGHT, 1); /* the left edge cuts a wide character */
    ASSERT_SHOWN("23456789 0123456789", " 1234567890123456789");
    act(SM_ACT_RIGHT, 9); /* not beyond the widest line */
    ASSERT_SHOWN("9 0123456789 end", "789012345678901234 z");
    act(SM_ACT_LEFT, 1);
    ASSERT_SHOWN("123456789 0123456789");
    act(SM_ACT_FIRST, 1);
    ASSERT_SHOWN("NAME  0123456789 012");
}

static void test_scrolling_ends(void **state)
{
    (void)state;
    open_text("1\n2\n3\n4\n5\n6\n7\n");
    ASSERT_SHOWN("1", "2", "3", "4");
    act(SM_ACT_LAST, 1);
    ASSERT_SHOWN("4", "5", "6", "7");
    act(SM_ACT_HALF_UP, 1);
    ASSERT_SHOWN("2", "3", "4", "5");
    act(SM_ACT_PAGE_UP, 2);
    ASSERT_SHOWN("1", "2", "3", "4");
    act(SM_ACT_DOWN, 20);
    ASSERT_SHOWN("7", "");
}

static void test_closing(void **state)
{
    (void)state;
    open_text("1\n");
    assert_false(sm_overlay_act(&over, SM_ACT_STEP_NEXT));
    assert_true(over.shown);
    act(SM_ACT_CLOSE, 1);
    assert_false(over.shown);
}

static void test_any_size(void **state)
{
    (void)state;
    open_text("some words  and a table\nprose that is long enough to be wrapped\n\xff\xfe\n");
    for (int w = 0; w < 12; w++)
        for (int h = 0; h < 5; h++) {
            struct sm_grid g;
            sm_grid_init(&g, w, h);
            sm_overlay_draw(&over, &g, (struct sm_rect){0, 0, w, h}, sm_glyphs(SM_SYMBOLS_BRAILLE));
            sm_grid_clear(&g);
        }
    assert_true(over.fold.n >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_prose_is_wrapped, tear_down),
        cmocka_unit_test_teardown(test_a_long_word_is_panned, tear_down),
        cmocka_unit_test_teardown(test_tables_are_panned, tear_down),
        cmocka_unit_test_teardown(test_scrolling_ends, tear_down),
        cmocka_unit_test_teardown(test_closing, tear_down),
        cmocka_unit_test_teardown(test_any_size, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
