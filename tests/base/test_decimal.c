/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As strtod; and taken at all. */
static void assert_same(const char *text)
{
    double got = 0, want = sm_parse_double(text, NULL);
    uint64_t got_bits, want_bits; /* the sign of 0 counts, too */
    bool taken = sm_parse_decimal(text, strlen(text), &got);
    memcpy(&got_bits, &got, sizeof got);
    memcpy(&want_bits, &want, sizeof want);
    if (!taken || got_bits != want_bits)
        fail_msg("%s: %.17g, not %.17g", text, got, want);
}

static void test_ordinary_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "0.0",
        "-0.0e5",
        "1",
        "-1",
        "+2.5",
        "0.1",
        ".5",
        "5.",
        "007",
        "1e5",
        "1E+5",
        "1e-05",
        "1.5e-26",
        "00000.001",
        "1e27",
        "1.0E0",
        "123456789012345678",
        "9007199254740993",
        "9007199254740992.5",
        "9007199254740991.5",
        "1795394920.3919752",
        "1.7953934094021928e+09",
        "0.00012345678901234567",
        "9999999999999999999",
        "9999999999999999999e27",
        "1e-27",
        "9007199254740993e22",
        "0.5000000000000000001",
        "4503599627370496.5",
        "4503599627370497.5",
        "1e22",
        "1e23",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_same(texts[i]);
}

static void test_others_are_left_to_strtod(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "-",
        ".",
        "-.",
        "e5",
        "1e",
        "1e+",
        "1 ",
        " 1",
        "1x",
        "0x10",
        "nan",
        "inf",
        "1e5x",
        "1.2.3",
        "1e99999999999999999999",
        "1e30",
        "1e-40",
        "--1",
        "12345678901234567890",
        "0.12345678901234567890",
        "1,5",
        "1e5.5",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double v;
        if (sm_parse_decimal(texts[i], strlen(texts[i]), &v))
            fail_msg("%s was taken", texts[i]);
    }
}

static uint64_t next_random(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static void test_random_digits(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 300000; i++) {
        char text[64];
        uint64_t m = next_random(&x) >> (next_random(&x) % 64);
        int power = (int)(next_random(&x) % 55) - 27;
        if (m >= 10000000000000000000u)
            m /= 10;
        snprintf(text, sizeof text, "%" PRIu64 "e%d", m, power);
        assert_same(text);
        snprintf(text, sizeof text, "0.%010" PRIu64, m % 10000000000u);
        assert_same(text);
    }
}

/* Half way between two doubles, and beside it: the hardest to round. */
static void test_halves(void **state)
{
    (void)state;
    uint64_t x = 362436069;
    for (int i = 0; i < 100000; i++) {
        char text[64];
        uint64_t m = (next_random(&x) >> 11 | 1ull << 52) * 2 + 1; /* 54 bits */
        for (int by = -1; by <= 1; by++) {
            snprintf(text, sizeof text, "%" PRIu64, m + (uint64_t)by);
            assert_same(text);
            snprintf(text, sizeof text, "%" PRIu64 ".%d", m, by + 1);
            assert_same(text);
            snprintf(text, sizeof text, "%" PRIu64 "e-%d", m + (uint64_t)by, i % 28);
            assert_same(text);
        }
    }
}

static void test_shortest_forms_read_back(void **state)
{
    (void)state;
    uint64_t x = 521288629;
    for (int i = 0; i < 20000; i++) {
        char text[32];
        double v = (double)(next_random(&x) >> 11) * 0x1p-53, got;
        sm_format_shortest(v * (i % 3 ? 1 : 1e9), false, text);
        assert_true(sm_parse_decimal(text, strlen(text), &got));
        assert_true(got == v * (i % 3 ? 1 : 1e9));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ordinary_numbers),
        cmocka_unit_test(test_others_are_left_to_strtod),
        cmocka_unit_test(test_random_digits),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_shortest_forms_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
