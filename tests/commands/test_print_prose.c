/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "commands/answer/print_cell.h"

static void assert_prose(const char *text, size_t hang, int width, const char *want)
{
    struct sm_str s = {0};
    sm_print_prose(&s, text, hang, width);
    assert_string_equal(sm_str_text(&s), want);
    sm_str_clear(&s);
}

static void test_paragraphs_are_filled(void **state)
{
    (void)state;
    static const char two[] = "\nOne line that is\nbroken here, and\n\nanother.";
    assert_prose(two, 0, 0, "\nOne line that is\nbroken here, and\n\nanother.\n");
    assert_prose(two, 0, 24, "\nOne line that is broken\nhere, and\n\nanother.\n");
    assert_prose(two, 0, 80, "\nOne line that is broken here, and\n\nanother.\n");
    assert_prose("", 0, 80, "\n");
}

static void test_columns_stay_columns(void **state)
{
    (void)state;
    assert_prose("a  b     the first of all of them\nccc      the second", 0, 27,
                 "a  b     the first of all\n         of them\nccc      the second\n");
    assert_prose("  -a   short", 0, 80, "  -a   short\n");
}

static void test_lines_hang(void **state)
{
    (void)state;
    assert_prose("Usage: tensor NAME [step STEP]", 7, 28,
                 "Usage: tensor NAME [step\n       STEP]\n");
    assert_prose("Usage: tensor NAME", 7, 12, "Usage:\ntensor NAME\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paragraphs_are_filled),
        cmocka_unit_test(test_columns_stay_columns),
        cmocka_unit_test(test_lines_hang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
