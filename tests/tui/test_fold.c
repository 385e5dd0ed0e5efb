/* SPDX-License-Identifier: Apache-2.0 */
/* Prose is folded, tables are not. */
#include "tui/terminal/fold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void assert_lines(const char *text, int w, const char *want)
{
    struct sm_fold f = {0};
    struct sm_str got = {0};
    sm_fold_text(&f, text, strlen(text), w, false);
    for (size_t i = 0; i < f.n; i++)
        sm_str_printf(&got, "%*s%.*s|", f.lines[i].indent, "", (int)f.lines[i].n,
                      text + f.lines[i].from);
    assert_string_equal(sm_str_text(&got), want);
    sm_str_clear(&got);
    sm_fold_clear(&f);
}

static void test_prose(void **state)
{
    (void)state;
    assert_lines("", 10, "");
    assert_lines("one two", 10, "one two|");
    assert_lines("one two three", 8, "one two|three|");
    assert_lines("one two three\n\nfour\n", 8, "one two|three||four|");
    assert_lines("  one two three", 8, "  one|  two|  three|");
    assert_lines("a/word/longer/than/the/line and", 8, "a/word/longer/than/the/line|and|");
    assert_lines("\xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa4", 4, "\xc3\xa4\xc3\xb6\xc3\xbc|\xc3\xa4|");
}

static void test_tables_keep_their_lines(void **state)
{
    struct sm_fold f = {0};
    (void)state;
    assert_lines("NAME  VALUE  WHERE\na b c d e f", 8, "NAME  VALUE  WHERE|a b c d|e f|");
    sm_fold_text(&f, "NAME  VALUE\n", 12, 5, false);
    assert_int_equal(f.widest, 11);
    sm_fold_text(&f, "short\n", 6, 5, false);
    assert_int_equal(f.widest, 5);
    assert_int_equal(f.n, 1);
    sm_fold_text(&f, "NAME  VALUE\n", 12, 7, true);
    assert_int_equal(f.n, 2);
    assert_int_equal(f.widest, 5);
    sm_fold_clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prose),
        cmocka_unit_test(test_tables_keep_their_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
