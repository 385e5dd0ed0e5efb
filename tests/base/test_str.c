/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/mem.h"
#include "reader/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void test_building(void **state)
{
    (void)state;
    struct sm_str s = {0};
    assert_string_equal(sm_str_text(&s), "");
    sm_str_add(&s, "ab");
    sm_str_addc(&s, 'c');
    sm_str_addn(&s, "d\0e", 3);
    sm_str_fill(&s, '-', 2);
    sm_str_printf(&s, "%d%s", 12, "z");
    assert_int_equal(s.len, 11);
    assert_memory_equal(s.data, "abcd\0e--12z", 12);
    sm_str_truncate(&s, 3);
    assert_string_equal(sm_str_text(&s), "abc");
    sm_str_truncate(&s, 99);
    assert_int_equal(s.len, 3);
    sm_str_clear(&s);
    assert_null(s.data);
    assert_int_equal(s.cap, 0);
}

static void test_growing_keeps_all(void **state)
{
    (void)state;
    struct sm_str s = {0};
    for (int i = 0; i < 20000; i++)
        sm_str_printf(&s, "%05d", i);
    assert_int_equal(s.len, 100000);
    assert_memory_equal(s.data + 5 * 12345, "12345", 5);
    assert_int_equal(strlen(s.data), s.len);
    sm_str_clear(&s);
}

static void test_failure_sticks_and_drops(void **state)
{
    (void)state;
    struct sm_str s = {0};
    sm_str_add(&s, "kept");
    sm_mem_fail_at(1);
    sm_str_fill(&s, 'x', 1000);
    assert_true(s.failed);
    sm_str_add(&s, "dropped");
    sm_str_printf(&s, "%d", 1);
    assert_string_equal(sm_str_text(&s), "kept");
    sm_str_clear(&s);
    assert_false(s.failed);
    sm_str_fill(&s, 'x', SIZE_MAX);
    assert_true(s.failed);
    assert_string_equal(sm_str_text(&s), "");
    sm_str_clear(&s);
}

static void test_borrowed_text(void **state)
{
    (void)state;
    assert_true(sm_text_is(SM_TEXT("step"), "step"));
    assert_false(sm_text_is((struct sm_text){"stepper", 4}, "stepper"));
    assert_true(sm_text_is((struct sm_text){"stepper", 4}, "step"));
    assert_true(sm_text_is((struct sm_text){NULL, 0}, ""));
    assert_int_equal(sm_text("abc").n, 3);
}

static void test_suffixes(void **state)
{
    (void)state;
    assert_true(sm_ends_with("a.tmp", ".tmp"));
    assert_false(sm_ends_with("a.tmpx", ".tmp"));
    assert_false(sm_ends_with(".tmp", ".tmp"));
    assert_false(sm_ends_with("mp", ".tmp"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_building),
        cmocka_unit_test(test_growing_keeps_all),
        cmocka_unit_test(test_failure_sticks_and_drops),
        cmocka_unit_test(test_borrowed_text),
        cmocka_unit_test(test_suffixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
