/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/exact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static struct sm_integer whole(int64_t v)
{
    return sm_integer_of(v);
}

static void assert_integer(struct sm_integer got, uint64_t magnitude, bool negative)
{
    assert_true(got.magnitude == magnitude && got.negative == negative);
}

static void test_ends_of_the_range(void **state)
{
    (void)state;
    int64_t v;
    uint64_t u;
    assert_integer(whole(INT64_MIN), (uint64_t)1 << 63, true);
    assert_true(sm_integer_signed(whole(INT64_MIN), &v) && v == INT64_MIN);
    assert_true(sm_integer_signed(whole(INT64_MAX), &v) && v == INT64_MAX);
    assert_true(sm_integer_signed(whole(-1), &v) && v == -1);
    assert_false(sm_integer_signed(sm_integer_of_unsigned((uint64_t)1 << 63), &v));
    assert_true(sm_integer_unsigned(sm_integer_of_unsigned(UINT64_MAX), &u) && u == UINT64_MAX);
    assert_false(sm_integer_unsigned(whole(-1), &u));
    assert_true(sm_integer_double(sm_integer_of_unsigned(UINT64_MAX)) == 0x1p64);
}

static void test_arithmetic(void **state)
{
    (void)state;
    struct sm_integer x, most = sm_integer_of_unsigned(UINT64_MAX);
    assert_true(sm_integer_add(whole(-5), whole(3), &x));
    assert_integer(x, 2, true);
    assert_true(sm_integer_add(whole(-3), whole(3), &x));
    assert_integer(x, 0, false);
    assert_false(sm_integer_add(most, whole(1), &x));
    assert_true(sm_integer_subtract(most, most, &x));
    assert_integer(x, 0, false);
    assert_true(sm_integer_subtract(whole(0), most, &x));
    assert_integer(x, UINT64_MAX, true);
    assert_true(sm_integer_multiply(whole(-4), whole(0), &x));
    assert_integer(x, 0, false);
    assert_false(sm_integer_multiply(most, whole(2), &x));
    assert_true(sm_integer_power(whole(-3), whole(3), &x));
    assert_integer(x, 27, true);
    assert_true(sm_integer_power(whole(0), whole(0), &x));
    assert_integer(x, 1, false);
    assert_false(sm_integer_power(whole(2), whole(64), &x));
    assert_false(sm_integer_power(whole(2), whole(-1), &x));
}

/* As Python's: -7 % 3 is 2, 7 % -3 is -2. */
static void test_remainder(void **state)
{
    (void)state;
    static const struct {
        int64_t a, b, want;
    } rows[] = {{7, 3, 1},  {-7, 3, 2},        {7, -3, -2}, {-7, -3, -1},
                {6, -3, 0}, {-6, 3, 0},        {0, -5, 0},  {1, INT64_MIN, INT64_MIN + 1},
                {-1, 2, 1}, {INT64_MIN, -1, 0}};
    struct sm_integer x;
    int64_t v;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(sm_integer_remainder(whole(rows[i].a), whole(rows[i].b), &x));
        assert_true(sm_integer_signed(x, &v) && v == rows[i].want);
    }
    assert_false(sm_integer_remainder(whole(1), whole(0), &x));
}

static struct sm_exact parsed(const char *text)
{
    char *end;
    struct sm_exact x = sm_exact_parse(text, &end);
    assert_int_equal(*end, 0);
    return x;
}

static void assert_order(const char *a, const char *b, int want)
{
    struct sm_exact x = parsed(a), y = parsed(b);
    assert_int_equal(sm_exact_compare(&x, &y), want);
    assert_int_equal(sm_exact_compare(&y, &x), want == SM_UNORDERED ? want : -want);
}

static void test_comparing(void **state)
{
    (void)state;
    assert_order("9007199254740993", "9007199254740992", 1);
    assert_order("9007199254740993", "9007199254740992.0", 1);
    assert_order("-9007199254740993", "-9007199254740992.0", -1);
    assert_order("18446744073709551615", "18446744073709551616.0", -1);
    assert_order("18446744073709551615", "0xffffffffffffffff", 0);
    assert_order("-9223372036854775808", "-9223372036854775808.0", 0);
    assert_order("2", "2.5", -1);
    assert_order("-2", "-2.5", 1);
    assert_order("0", "-0.5", 1);
    assert_order("0", "-0.0", 0);
    assert_order("1", "inf", -1);
    assert_order("1", "-inf", 1);
    assert_order("1", "nan", SM_UNORDERED);
}

static void test_parsing(void **state)
{
    (void)state;
    struct sm_exact x = parsed("-0");
    assert_true(!x.is_int && signbit(x.real));
    x = parsed("1e3");
    assert_true(!x.is_int && x.real == 1000);
    x = parsed("18446744073709551616");
    assert_true(!x.is_int && x.real == 0x1p64);
    x = parsed("-18446744073709551615");
    assert_true(x.is_int && x.integer.negative && x.integer.magnitude == UINT64_MAX);
}

static void test_distance(void **state)
{
    (void)state;
    struct sm_exact a = parsed("9007199254740993"), b = parsed("9007199254740995"),
                    c = parsed("0.5");
    assert_true(sm_exact_distance(&a, &b) == 2 && sm_exact_distance(&b, &a) == 2);
    assert_true(sm_exact_distance(&c, &c) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_of_the_range), cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_remainder),         cmocka_unit_test(test_comparing),
        cmocka_unit_test(test_parsing),           cmocka_unit_test(test_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
