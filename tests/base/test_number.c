/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_shortest(double v, bool single, const char *want)
{
    char out[32];
    sm_format_shortest(v, single, out);
    assert_string_equal(out, want);
}

/* The expected texts are from Python 3.11's repr, without a final ".0". */
static void test_shortest_is_pythons_repr(void **state)
{
    (void)state;
    static const struct {
        double v;
        const char *want;
    } doubles[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {100, "100"},
        {-12.5, "-12.5"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1e15, "1000000000000000"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {1e16, "1e+16"},
        {1e22, "1e+22"},
        {9007199254740993.0, "9007199254740992"},
        {9999999999999998.0, "9999999999999998"},
        {0.0001, "0.0001"},
        {0.00001, "1e-05"},
        {0.00012345678901234567, "0.00012345678901234567"},
        {1.0 / 3, "0.3333333333333333"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {5e-324, "5e-324"},
        /* 2^-44: the nearest decimal of 16 digits reads back to another value */
        {5.684341886080802e-14, "5.684341886080802e-14"},
        {9.5, "9.5"},
        {99.99999999999999, "99.99999999999999"},
        {1e100, "1e+100"},
        {(double)NAN, "nan"},
        {(double)INFINITY, "inf"},
        {-(double)INFINITY, "-inf"},
    };
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        assert_shortest(doubles[i].v, false, doubles[i].want);
}

static void test_shortest_of_float32(void **state)
{
    (void)state;
    assert_shortest((double)0.1f, true, "0.1");
    assert_shortest((double)0.1f, false, "0.10000000149011612");
    assert_shortest((double)16777216.0f, true, "16777216");
    assert_shortest((double)FLT_MAX, true, "3.4028235e+38");
    assert_shortest((double)1e-45f, true, "1e-45");
    assert_shortest((double)FLT_MIN, true, "1.1754944e-38");
    assert_shortest((double)(1.0f / 3), true, "0.33333334");
    assert_shortest(1e300, true, "inf"); /* overflows as a float32 */
}

static uint64_t next_random(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static void test_shortest_reads_back(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = next_random(&x);
        if (i % 4 == 0)
            bits &= ~UINT64_C(0) << 52; /* powers of two */
        double v;
        float f;
        memcpy(&v, &bits, sizeof v);
        memcpy(&f, &bits, sizeof f);
        char out[32];
        sm_format_shortest(v, false, out);
        if (!isnan(v))
            assert_true(strtod(out, NULL) == v);
        sm_format_shortest((double)f, true, out);
        if (!isnan(f))
            assert_true(strtof(out, NULL) == f);
    }
}

static void test_double_with_digits(void **state)
{
    (void)state;
    char out[32];
    sm_format_double(1.0 / 3, 4, out);
    assert_string_equal(out, "0.3333");
    sm_format_double(-1.0 / 3, 17, out);
    assert_string_equal(out, "-0.33333333333333331");
    sm_format_double(-DBL_MIN, 99, out);
    assert_string_equal(out, "-2.2250738585072014e-308");
    sm_format_double(123, 0, out);
    assert_string_equal(out, "1e+02");
    sm_format_double(-(double)NAN, 3, out);
    assert_string_equal(out, "nan");
    sm_format_double(-(double)INFINITY, 3, out);
    assert_string_equal(out, "-inf");
    sm_format_double(-0.0, 3, out);
    assert_string_equal(out, "-0");
}

static void test_as_many_digits_as_fit(void **state)
{
    (void)state;
    char out[32];
    sm_format_fit(61558765, 5, 9, out);
    assert_string_equal(out, "6.156e+07");
    sm_format_fit(0.25, 5, 9, out);
    assert_string_equal(out, "0.25");
    sm_format_fit(-61558765, 5, 2, out);
    assert_string_equal(out, "-6e+07");
    sm_format_fit((double)INFINITY, 5, 1, out);
    assert_string_equal(out, "inf");
}

static void test_parse(void **state)
{
    (void)state;
    char *end;
    const char *text = "1.5e3kB";
    assert_true(sm_parse_double(text, &end) == 1500);
    assert_string_equal(end, "kB");
    assert_true(isinf(sm_parse_double("-inf", &end)) && *end == 0);
    assert_true(isnan(sm_parse_double("nan", NULL)));
    assert_true(sm_parse_double("0x1p-3", NULL) == 0.125);
    text = "x";
    sm_parse_double(text, &end);
    assert_ptr_equal(end, text);
}

/* A locale with a decimal comma must change nothing. It is searched for by its behaviour, not by
 * name; a machine without one skips the test with a message. */
static void test_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
                                        "nl_NL.UTF-8"};
    bool comma = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !comma; i++)
        comma = setlocale(LC_ALL, names[i]) && strcmp(localeconv()->decimal_point, ",") == 0;
    if (!comma) {
        setlocale(LC_ALL, "C");
        skip();
    }
    char out[32], small[16];
    sm_format_double(1.5, 3, out);
    assert_string_equal(out, "1.5");
    assert_shortest(0.25, false, "0.25");
    assert_shortest(1234.5, true, "1234.5");
    sm_format_bytes(1536, small);
    assert_string_equal(small, "1.5 KiB");
    sm_format_duration(800000, small);
    assert_string_equal(small, "0.8 s");
    assert_true(sm_parse_double("2.5", NULL) == 2.5);
    /* and the process's locale is unchanged */
    assert_string_equal(localeconv()->decimal_point, ",");
    setlocale(LC_ALL, "C");
}

static void assert_bytes(uint64_t n, const char *want)
{
    char out[16];
    sm_format_bytes(n, out);
    assert_string_equal(out, want);
}

static void test_bytes(void **state)
{
    (void)state;
    assert_bytes(0, "0 B");
    assert_bytes(512, "512 B");
    assert_bytes(1023, "1023 B");
    assert_bytes(1024, "1.0 KiB");
    assert_bytes(1536, "1.5 KiB");
    assert_bytes(1024 * 1024 - 1, "1.0 MiB"); /* not 1024.0 KiB */
    assert_bytes(UINT64_C(2) << 30, "2.0 GiB");
    assert_bytes(UINT64_MAX, "16.0 EiB");
}

static void assert_short(uint64_t n, const char *want)
{
    char out[16];
    sm_format_bytes_short(n, out);
    assert_string_equal(out, want);
}

static void test_short_bytes(void **state)
{
    (void)state;
    assert_short(0, "0");
    assert_short(1023, "1023");
    assert_short(1536, "1.5K");
    assert_short(1023 * 1024 + 511, "1023K");
    assert_short(1024 * 1024 - 1, "1.0M"); /* not 1024K */
    assert_short(102348, "99.9K");
    assert_short(102400, "100K");
    assert_short(UINT64_MAX, "16.0E");
}

static void assert_duration(int64_t us, const char *want)
{
    char out[16];
    sm_format_duration(us, out);
    assert_string_equal(out, want);
}

static void test_age(void **state)
{
    static const struct {
        int64_t s;
        const char *want;
    } rows[] = {{-3, "0 s"}, {59, "59 s"}, {60, "1 min"}, {3599, "59 min"}, {11100, "3h05m"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char out[16];
        sm_format_age(rows[i].s * 1000000 + 999999 * (rows[i].s > 0), out);
        assert_string_equal(out, rows[i].want);
    }
}

static void test_duration(void **state)
{
    (void)state;
    assert_duration(0, "0.0 s");
    assert_duration(-5, "0.0 s");
    assert_duration(800000, "0.8 s");
    assert_duration(9949999, "9.9 s");
    assert_duration(9960000, "10 s");
    assert_duration(42 * INT64_C(1000000), "42 s");
    assert_duration(252 * INT64_C(1000000), "4m12s");
    assert_duration(3599 * INT64_C(1000000), "59m59s");
    assert_duration(11100 * INT64_C(1000000), "3h05m");
    assert_duration((2 * 86400 + 4 * 3600) * INT64_C(1000000), "2d04h");
    assert_duration(INT64_MAX, "106751991d04h");
}

static void assert_rate(double per_second, const char *want)
{
    char out[16];
    sm_format_rate(per_second, out);
    assert_string_equal(out, want);
}

static void test_rate(void **state)
{
    (void)state;
    assert_rate(0, "0");
    assert_rate(0.0431, "0.043");
    assert_rate(0.5, "0.5");
    assert_rate(4, "4.0");
    assert_rate(9.94, "9.9");
    assert_rate(9.96, "10");
    assert_rate(123.4, "123");
    assert_rate(1e9, "1000000000");
}

static void assert_count(uint64_t n, const char *want)
{
    char out[32];
    sm_format_count(n, out);
    assert_string_equal(out, want);
}

static void test_count(void **state)
{
    (void)state;
    assert_count(0, "0");
    assert_count(999, "999");
    assert_count(1000, "1,000");
    assert_count(14210, "14,210");
    assert_count(UINT64_MAX, "18,446,744,073,709,551,615");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_many_digits_as_fit),
        cmocka_unit_test(test_shortest_is_pythons_repr),
        cmocka_unit_test(test_shortest_of_float32),
        cmocka_unit_test(test_shortest_reads_back),
        cmocka_unit_test(test_double_with_digits),
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_locale_does_not_matter),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_short_bytes),
        cmocka_unit_test(test_duration),
        cmocka_unit_test(test_age),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
