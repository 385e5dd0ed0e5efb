/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static int sign(int v)
{
    return (v > 0) - (v < 0);
}

/* Each name is before all that follow it in the list, and after none of them. */
static void test_natural_order(void **state)
{
    (void)state;
    static const char *const sorted[] = {
        "",
        "0",
        "00",
        "01",
        "1",
        "2",
        "9",
        "10",
        "99999999999999999999998",
        "99999999999999999999999",
        "A",
        "a",
        "a01",
        "a1",
        "a1b",
        "a2",
        "a10",
        "a10b2",
        "a10b10",
        "layer2.0",
        "layer2.0.w",
        "layer2.00",
        "layer2.1",
        "layer2.2",
        "layer2.10",
        "layer10.0",
        "layer10.0.w",
        "layer_",
        "lr0.0001-s0",
        "lr0.0001-s1/hp",
        "lr0.001-s0",
        "lr0.01-s0",
        "lr0.05",
        "lr0.1",
        "lr0.2",
        "lr1.0",
        "lr1.05",
        "lr1.5",
        "\xc3\xa9",
    };
    size_t n = sizeof sorted / sizeof *sorted;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            int want = i < k ? -1 : i > k;
            if (sign(sm_natural_cmp(sorted[i], sorted[k])) != want)
                fail_msg("'%s' and '%s': not %d", sorted[i], sorted[k], want);
        }
}

static void test_edit_distance(void **state)
{
    (void)state;
    assert_int_equal(sm_word_distance("tensro", "tensor"), 1);
    assert_int_equal(sm_word_distance("prnit", "print"), 1);
    assert_int_equal(sm_word_distance("rpint", "print"), 1);
    assert_int_equal(sm_word_distance("beakpints", "breakpoints"), 2);
    assert_int_equal(sm_word_distance("catch", "watch"), SM_NOT_NEAR);
    assert_int_equal(sm_word_distance("make", "pane"), SM_NOT_NEAR);
    assert_int_equal(sm_word_distance("no", "ni"), SM_NOT_NEAR);
    assert_int_equal(sm_edit_distance("tensor", "tensor", 3), 0);
    assert_int_equal(sm_edit_distance("tensr", "tensor", 3), 1);
    assert_int_equal(sm_edit_distance("tesnor", "tensor", 3), 2);
    assert_int_equal(sm_edit_distance("kitten", "sitting", 9), 3);
    assert_int_equal(sm_edit_distance("saturday", "sunday", 9), 3);
    assert_int_equal(sm_edit_distance("", "abc", 9), 3);
    assert_int_equal(sm_edit_distance("abc", "", 2), 3);
    assert_int_equal(sm_edit_distance("kitten", "sitting", 2), 3);
    assert_int_equal(sm_edit_distance("abcdef", "uvwxyz", 0), 1);
    assert_int_equal(sm_edit_distance("aaa", "aa", 5), 1); /* the ends overlap */
}

static void test_edit_distance_of_long_names(void **state)
{
    (void)state;
    char a[3000], b[3000];
    memset(a, 'a', sizeof a - 1);
    a[sizeof a - 1] = 0;
    memcpy(b, a, sizeof b);
    assert_int_equal(sm_edit_distance(a, b, 3), 0);
    b[1500] = 'b';
    assert_int_equal(sm_edit_distance(a, b, 3), 1);
    memset(b, 'b', sizeof b - 1);
    assert_int_equal(sm_edit_distance(a, b, 3), 4);
}

static void assert_glob(const char *pattern, const char *text, bool want)
{
    if (sm_glob_match(pattern, text) != want)
        fail_msg("'%s' and '%s': not %d", pattern, text, want);
}

static void test_glob_stars(void **state)
{
    (void)state;
    assert_glob("*", "", true);
    assert_glob("", "", true);
    assert_glob("", "a", false);
    assert_glob("a", "", false);
    assert_glob("*weight", "conv0/weight", true);
    assert_glob("*weight", "weight_0", false);
    assert_glob("conv*", "conv0/weight", true);
    assert_glob("*a*b*c", "xaxbxbxc", true);
    assert_glob("*ab", "aab", true);
    assert_glob("a**b", "ab", true);
    assert_glob("a*b", "ac", false);
    assert_glob("conv", "conv0", false);
}

static void test_glob_items(void **state)
{
    (void)state;
    assert_glob("conv?", "conv0", true);
    assert_glob("conv?", "conv", false);
    assert_glob("conv[0-3]", "conv3", true);
    assert_glob("conv[0-3]", "conv4", false);
    assert_glob("[!a-c]x", "dx", true);
    assert_glob("[!a-c]x", "bx", false);
    assert_glob("[]]", "]", true);
    assert_glob("[a-]", "-", true);
    assert_glob("[a-]", "b", false);
    assert_glob("a[", "a[", true);
    assert_glob("a[bc", "a[bc", true);
    assert_glob("\\*", "*", true);
    assert_glob("\\*", "a", false);
    assert_glob("\\?", "x", false);
    assert_glob("\\[a]", "[a]", true);
    assert_glob("a\\", "a\\", true);
}

static void test_glob_takes_characters(void **state)
{
    (void)state;
    assert_glob("?", "\u00e9", true);
    assert_glob("?", "\U0001f600", true);
    assert_glob("??", "\u00e9", false);
    assert_glob("[\u03b1-\u03c9]", "\u03b2", true);
    assert_glob("[!\u03b2]", "\u03b2", false);
    assert_glob("*\u03b2", "\u03b1\u03b2", true);
    assert_glob("*??bc", "\u20acbc", false); /* * matches whole characters only */
    assert_glob("?\xff", "\xfe\xff", true);  /* an invalid byte is one character */
    assert_glob("\xff", "\xfe", false);
}

/* Backtracks to the last star only: full backtracking would take longer than the age of the
 * universe. */
static void test_glob_stays_quick(void **state)
{
    (void)state;
    char pattern[101], text[5001];
    for (size_t i = 0; i < 100; i += 2)
        memcpy(pattern + i, "*a", 3);
    memset(text, 'a', 5000);
    text[5000] = 0;
    assert_glob(pattern, text, true);
    text[4999] = 'b';
    assert_glob(pattern, text, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_natural_order),
        cmocka_unit_test(test_edit_distance),
        cmocka_unit_test(test_edit_distance_of_long_names),
        cmocka_unit_test(test_glob_stars),
        cmocka_unit_test(test_glob_items),
        cmocka_unit_test(test_glob_takes_characters),
        cmocka_unit_test(test_glob_stays_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
