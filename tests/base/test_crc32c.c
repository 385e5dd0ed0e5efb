/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/crc32c.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

/* RFC 3720, B.4, and the check value of the CRC catalogue. */
static void test_published_values(void **state)
{
    (void)state;
    uint8_t bytes[32];
    assert_int_equal(sm_crc32c("123456789", 9), 0xe3069283);
    assert_int_equal(sm_crc32c("", 0), 0);
    memset(bytes, 0, 32);
    assert_int_equal(sm_crc32c(bytes, 32), 0x8a9136aa);
    assert_int_equal(sm_crc32c_table(bytes, 32), 0x8a9136aa);
    memset(bytes, 0xff, 32);
    assert_int_equal(sm_crc32c(bytes, 32), 0x62a8ab43);
    for (uint8_t i = 0; i < 32; i++)
        bytes[i] = i;
    assert_int_equal(sm_crc32c(bytes, 32), 0x46dd794e);
    for (uint8_t i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(31 - i);
    assert_int_equal(sm_crc32c_table(bytes, 32), 0x113fdb5c);
}

/* The definition, one bit at a time. */
static uint32_t crc_bitwise(const uint8_t *p, size_t n)
{
    uint32_t c = 0xffffffff;
    for (; n; p++, n--) {
        c ^= *p;
        for (int i = 0; i < 8; i++)
            c = c >> 1 ^ (c & 1 ? 0x82f63b78 : 0);
    }
    return ~c;
}

static void test_all_ways_agree(void **state)
{
    (void)state;
    enum { N = 3 * 4096 * 3 + 64 };
    uint8_t *p = malloc(N);
    uint32_t x = 1;
    for (size_t i = 0; i < N; i++)
        p[i] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
    for (size_t n = 0; n < 70; n++)
        for (size_t at = 0; at < 9; at++) {
            assert_int_equal(sm_crc32c_table(p + at, n), crc_bitwise(p + at, n));
            assert_int_equal(sm_crc32c_hardware(p + at, n), crc_bitwise(p + at, n));
        }
    for (size_t n = 3 * 4096 - 9; n <= N - 8; n += n % 4096 < 16 || n % 4096 > 4080 ? 1 : 509) {
        assert_int_equal(sm_crc32c_hardware(p + n % 8, n), sm_crc32c_table(p + n % 8, n));
        assert_int_equal(sm_crc32c(p, n), sm_crc32c_table(p, n));
    }
    assert_int_equal(sm_crc32c_table(p, N), crc_bitwise(p, N));
    for (size_t cut = 0; cut <= N; cut += 997)
        assert_int_equal(sm_crc32c_more(sm_crc32c(p, cut), p + cut, N - cut), sm_crc32c(p, N));
    free(p);
}

static void test_mask(void **state)
{
    (void)state;
    assert_int_equal(sm_crc32c_mask(0), 0xa282ead8);
    assert_int_equal(sm_crc32c_mask(0xe3069283), 0xc78ab0e5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_values),
        cmocka_unit_test(test_all_ways_agree),
        cmocka_unit_test(test_mask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
