/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/grid_print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_ansi(const struct sm_grid *g, enum sm_color_depth depth, const char *want)
{
    struct sm_str s = {0};
    sm_print_ansi(g, depth, false, &s);
    assert_string_equal(sm_str_text(&s), want);
    sm_str_clear(&s);
}

static void test_plain(void **state)
{
    (void)state;
    struct sm_grid g;
    struct sm_str s = {0};
    sm_grid_init(&g, 6, 3);
    sm_grid_text(&g, 1, 0, 5, SM_ROLE_OK, SM_ATTR_BOLD, "a b");
    sm_grid_text(&g, 0, 2, 6, SM_ROLE_TEXT, 0, "\u6f22e\u0301");
    sm_str_add(&s, "before\n");
    sm_print_plain(&g, &s);
    assert_string_equal(sm_str_text(&s), "before\n a b\n\n\u6f22e\u0301\n");
    sm_str_clear(&s);
    sm_grid_clear(&g);
}

static void test_style_is_written_where_it_changes(void **state)
{
    (void)state;
    struct sm_grid g;
    sm_grid_init(&g, 8, 2);
    sm_grid_text(&g, 0, 0, 8, SM_ROLE_SERIES_0, 0, "ab");
    /* the default blank between shows no colour */
    sm_grid_text(&g, 3, 0, 8, SM_ROLE_SERIES_0, 0, "c");
    sm_grid_text(&g, 4, 0, 8, SM_ROLE_TEXT, 0, "d");
    sm_grid_text(&g, 0, 1, 8, SM_ROLE_DIM, 0, "e");
    assert_ansi(&g, SM_COLOR_256, "\033[0;38;5;74mab c\033[0md\n\033[0;38;5;245me\033[0m\n");
    assert_ansi(&g, SM_COLOR_MONO, "ab cd\ne\n");
    sm_grid_clear(&g);
}

static void test_reverse_blanks_are_seen(void **state)
{
    (void)state;
    struct sm_grid g;
    sm_grid_init(&g, 5, 1);
    sm_grid_text(&g, 0, 0, 5, SM_ROLE_TEXT, 0, "a");
    sm_grid_attr(&g, (struct sm_rect){0, 0, 3, 1}, SM_ATTR_REVERSE);
    sm_grid_text(&g, 4, 0, 1, SM_ROLE_TEXT, 0, "b");
    assert_ansi(&g, SM_COLOR_MONO, "\033[0;7ma  \033[0m b\n");
    sm_grid_blank(&g, (struct sm_rect){3, 0, 2, 1});
    assert_ansi(&g, SM_COLOR_16, "\033[0;7ma  \033[0m\n");
    sm_grid_clear(&g);
}

static void test_mono_keeps_what_attributes_stand_for(void **state)
{
    (void)state;
    struct sm_grid g;
    sm_grid_init(&g, 4, 1);
    sm_grid_text(&g, 0, 0, 4, SM_ROLE_PROBLEM, 0, "x");
    sm_grid_text(&g, 1, 0, 4, SM_ROLE_SERIES_0, 0, "y");
    assert_ansi(&g, SM_COLOR_MONO, "\033[0;1mx\033[0my\n");
    sm_grid_clear(&g);
}

static void assert_in_svg(const struct sm_str *svg, const char *part)
{
    if (!strstr(sm_str_text(svg), part))
        fail_msg("no %s in %s", part, sm_str_text(svg));
}

static void test_shapes_of_a_picture_are_drawn_and_signs_stand_alone(void **state)
{
    (void)state;
    struct sm_grid g;
    struct sm_str s = {0};
    sm_grid_init(&g, 9, 1);
    sm_grid_text(&g, 0, 0, 9, SM_ROLE_TEXT, 0, "\u250c\u2500\u2584\u2801ab\u2713c");
    sm_print_svg(&g, false, &s);
    /* a corner: right and down from the centre */
    assert_in_svg(&s, "<path d=\"M4 9h5v1h-5zM4 9h1v10h-1z"
                      "M9 9h9v1h-9z"   /* a line through the whole cell */
                      "M18 10h9v9h-9z" /* a block of four eighths at the bottom */
                      /* the upper left dot */
                      "M28.3 2.6a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0\"");
    assert_in_svg(&s, "<text x=\"36\" y=\"14\" textLength=\"18\" fill=\"#d0d0d0\" "
                      "xml:space=\"preserve\">ab</text>");
    assert_in_svg(&s, "<text x=\"54\" y=\"14\" textLength=\"9\" fill=\"#d0d0d0\" "
                      "xml:space=\"preserve\">\u2713</text>");
    assert_in_svg(&s, "<text x=\"63\"");
    sm_str_clear(&s);
    sm_grid_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_style_is_written_where_it_changes),
        cmocka_unit_test(test_reverse_blanks_are_seen),
        cmocka_unit_test(test_mono_keeps_what_attributes_stand_for),
        cmocka_unit_test(test_shapes_of_a_picture_are_drawn_and_signs_stand_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
