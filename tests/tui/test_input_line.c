/* SPDX-License-Identifier: Apache-2.0 */
/* The line of a filter or a search, key by key. */
#include "tui/dashboard/input_line.h"
#include "tui/terminal/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { CTRL_U = 21, CTRL_W = 23 };

static void assert_edited(const char *text, int key, const char *want)
{
    struct sm_str line = {0};
    sm_str_add(&line, text);
    assert_true(sm_input_edit(&line, key));
    assert_string_equal(sm_str_text(&line), want);
    sm_str_clear(&line);
}

static void test_keys_of_a_shell(void **state)
{
    (void)state;
    assert_edited("lr > 1e-4", SM_KEY_BACKSPACE, "lr > 1e-");
    assert_edited("caf\xc3\xa9", SM_KEY_BACKSPACE, "caf");
    assert_edited("", SM_KEY_BACKSPACE, "");
    assert_edited("lr > 1e-4  ", CTRL_W, "lr > ");
    assert_edited("lr", CTRL_W, "");
    assert_edited("  ", CTRL_W, "");
    assert_edited("lr > 1e-4", CTRL_U, "");
}

static void test_other_keys_are_not_taken(void **state)
{
    (void)state;
    struct sm_str line = {0};
    assert_false(sm_input_edit(&line, 'a'));
    assert_false(sm_input_edit(&line, SM_KEY_ENTER));
    assert_int_equal(line.len, 0);
    sm_str_clear(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_of_a_shell),
        cmocka_unit_test(test_other_keys_are_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
