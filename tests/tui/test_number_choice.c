/* SPDX-License-Identifier: Apache-2.0 */
/* Cores that are chosen by typing their numbers. */
#include "tui/profile_panes/number_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <string.h>

static struct sm_number_set numbers_below(int n)
{
    struct sm_number_set s = {0};
    for (int i = 0; i < n; i++)
        sm_number_set_flip(&s, i);
    return s;
}

/* Types digits, '\r' for the end. Returns the chosen ones as "1 12". */
static const char *typed(int cores, const char *keys)
{
    static char text[64];
    struct sm_number_set there = numbers_below(cores);
    struct sm_number_choice c = {0};
    for (; *keys; keys++)
        if (*keys == '\r')
            sm_number_choice_end(&c, &there);
        else
            sm_number_choice_type(&c, &there, *keys - '0');
    text[0] = '\0';
    int n = 0;
    for (int i = 0; i < SM_NUMBERS_MOST; i++)
        if (sm_number_set_has(&c.chosen, i))
            snprintf(text + strlen(text), sizeof text - strlen(text), n++ ? " %d" : "%d", i);
    assert_int_equal(n, c.n);
    if (c.digits)
        snprintf(text + strlen(text), sizeof text - strlen(text), "?");
    return text;
}

static void test_one_digit_is_enough_below_ten(void **state)
{
    (void)state;
    assert_string_equal(typed(8, "3"), "3");
    assert_string_equal(typed(8, "303"), "0");
    assert_string_equal(typed(2, "10"), "0 1");
    assert_string_equal(typed(8, "9"), "");
    assert_string_equal(typed(0, "0"), "");
}

static void test_more_digits_where_there_are_more(void **state)
{
    (void)state;
    assert_string_equal(typed(32, "12"), "12");
    assert_string_equal(typed(32, "4"), "4"); /* there is no 40 */
    assert_string_equal(typed(32, "03"), "3");
    assert_string_equal(typed(32, "3"), "?");
    assert_string_equal(typed(32, "3\r"), "3");
    assert_string_equal(typed(32, "35"), "");
    assert_string_equal(typed(32, "355"), "5");
    assert_string_equal(typed(32, "1212"), "");
    assert_string_equal(typed(256, "12\r120"), "12 120");
    assert_string_equal(typed(256, "007"), "7");
    assert_string_equal(typed(256, "26"), "26");
    assert_string_equal(typed(11, "10"), "10");
    assert_string_equal(typed(10, "10"), "0 1");
}

static void test_numbers_of_names(void **state)
{
    (void)state;
    assert_int_equal(sm_number_of_name("cpu3"), 3);
    assert_int_equal(sm_number_of_name("cpu012"), 12);
    assert_int_equal(sm_number_of_name("gpu"), -1);
    assert_int_equal(sm_number_of_name(""), -1);
    assert_int_equal(sm_number_of_name("cpu4095"), 4095);
    assert_int_equal(sm_number_of_name("cpu4096"), -1);
    assert_int_equal(sm_number_of_name("cpu99999999999999999999"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_digit_is_enough_below_ten),
        cmocka_unit_test(test_more_digits_where_there_are_more),
        cmocka_unit_test(test_numbers_of_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
