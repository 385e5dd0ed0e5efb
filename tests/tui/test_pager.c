/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/pager.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

static int ends[2];

/* What was written since the last call. */
static const char *written(void)
{
    static char text[4096];
    size_t n = 0;
    assert_int_equal(write(ends[1], "\1", 1), 1);
    do
        n += (size_t)read(ends[0], text + n, sizeof text - n);
    while (text[n - 1] != '\1');
    text[n - 1] = 0;
    return text;
}

static void add(struct sm_pager *p, const char *text)
{
    sm_pager_add(p, text, strlen(text));
}

static int set_up(void **state)
{
    (void)state;
    return pipe(ends);
}

static int tear_down(void **state)
{
    (void)state;
    return close(ends[0]) + close(ends[1]);
}

static void test_a_page_then_a_question(void **state)
{
    (void)state;
    struct sm_pager p = {.out = ends[1], .width = 80, .height = 4};
    sm_pager_begin(&p);
    add(&p, "a\nb\n");
    assert_string_equal(written(), "a\nb\n");
    add(&p, "c\nd\ne\nf\ng");
    assert_string_equal(written(),
                        "c\n--Type <RET> for more, q to quit, c to continue without paging--");
    assert_true(p.asking);
    add(&p, "\n");
    assert_string_equal(written(), "");
    assert_int_equal(sm_pager_key(&p, 'x'), SM_PAGER_MORE);
    assert_true(p.asking);
    assert_int_equal(sm_pager_key(&p, '\n'), SM_PAGER_MORE);
    assert_non_null(strstr(written(), "\rd\ne\nf\n--Type"));
    assert_int_equal(sm_pager_key(&p, '\r'), SM_PAGER_MORE);
    assert_non_null(strstr(written(), "\rg\n"));
    assert_false(p.asking);
    sm_pager_clear(&p);
}

static void test_exactly_a_page_asks_nothing(void **state)
{
    (void)state;
    struct sm_pager p = {.out = ends[1], .width = 80, .height = 4};
    add(&p, "a\nb\nc\n");
    assert_string_equal(written(), "a\nb\nc\n");
    assert_false(p.asking);
    sm_pager_begin(&p);
    add(&p, "d\ne\nf\n");
    assert_string_equal(written(), "d\ne\nf\n");
    sm_pager_clear(&p);
}

static void test_quit_and_continue(void **state)
{
    (void)state;
    struct sm_pager p = {.out = ends[1], .width = 80, .height = 3};
    add(&p, "a\nb\nc\nd\ne\n");
    assert_int_equal(sm_pager_key(&p, 'q'), SM_PAGER_QUIT);
    assert_false(p.asking);
    written();
    sm_pager_begin(&p);
    add(&p, "1\n2\n3\n4\n5\n6\n7\n");
    written();
    assert_int_equal(sm_pager_key(&p, 'c'), SM_PAGER_MORE);
    assert_non_null(strstr(written(), "\r3\n4\n5\n6\n7\n"));
    add(&p, "8\n9\n10\n");
    assert_string_equal(written(), "8\n9\n10\n");
    sm_pager_begin(&p);
    add(&p, "a\nb\nc\n");
    assert_true(p.asking);
    sm_pager_clear(&p);
}

/* Wide characters and wrapped lines take their room, colours and pictures none; a line larger than
 * the screen is shown all the same. */
static void test_rows(void **state)
{
    (void)state;
    struct sm_pager p = {.out = ends[1], .width = 10, .height = 4};
    add(&p, "0123456789\n\033[31m0123456789\033[0m\n漢字漢字漢\n");
    assert_false(p.asking);
    written();
    sm_pager_begin(&p);
    add(&p, "0123456789\n\033P0;1;0q#0!500~mm!500~!500~!500~\033\\0123456789\n\033_Gm=1;"
            "AAAAAAAAAAAA\033\\\033_Gm=0;AAAAAAAAAA\033\\\n");
    assert_false(p.asking);
    written();
    add(&p, "01234567890\n");
    assert_true(p.asking);
    sm_pager_key(&p, ' ');
    written();
    sm_pager_drop(&p);
    sm_pager_begin(&p);
    add(&p, "0123456789012345678901234567890123456789012345678901234567890123456789\n");
    assert_false(p.asking);
    sm_pager_clear(&p);
}

static void test_no_height_no_question(void **state)
{
    (void)state;
    struct sm_pager p = {.out = ends[1], .width = 80};
    for (int i = 0; i < 200; i++)
        add(&p, "x\n");
    assert_false(p.asking);
    assert_int_equal(strlen(written()), 400);
    sm_pager_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_page_then_a_question, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_exactly_a_page_asks_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_quit_and_continue, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_height_no_question, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
