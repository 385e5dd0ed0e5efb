/* SPDX-License-Identifier: Apache-2.0 */
/* The console keeps complete lines, up to its limit. */
#include "tui/panes/console.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_lines(void **state)
{
    struct sm_str c = {0};
    (void)state;
    sm_console_add(&c, "(smdbg) ", "step 3", 6);
    sm_console_add(&c, "", "one\ntwo\n", 8);
    sm_console_add(&c, "", "", 0);
    assert_string_equal(sm_str_text(&c), "(smdbg) step 3\none\ntwo\n\n");
    sm_str_clear(&c);
}

static void test_oldest_lines_are_dropped(void **state)
{
    struct sm_str c = {0};
    char line[16];
    (void)state;
    for (int i = 0; i < 100000; i++)
        sm_console_add(&c, "", line, (size_t)snprintf(line, sizeof line, "line %d", i));
    assert_true(c.len <= SM_CONSOLE_MAX);
    assert_memory_equal(c.data, "line ", 5);
    assert_string_equal(sm_str_text(&c) + c.len - 11, "line 99999\n");
    sm_str_clear(&c);
    char *long_line = malloc(SM_CONSOLE_MAX + 10);
    memset(long_line, 'x', SM_CONSOLE_MAX + 10);
    sm_console_add(&c, "", long_line, SM_CONSOLE_MAX + 10);
    assert_int_equal(c.len, 0);
    free(long_line);
    sm_str_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_oldest_lines_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
