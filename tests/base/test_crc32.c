/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/crc32.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The check value of the CRC catalogue, and zlib's of "W&B". */
static void test_published_values(void **state)
{
    (void)state;
    assert_int_equal(sm_crc32("123456789", 9), 0xcbf43926);
    assert_int_equal(sm_crc32("Weights & Biases", 16) & 0xffff, 0xbee1);
    assert_int_equal(sm_crc32("", 0), 0);
}

/* The definition, one bit at a time. */
static uint32_t crc_bitwise(const uint8_t *p, size_t n)
{
    uint32_t c = 0xffffffff;
    for (; n; p++, n--) {
        c ^= *p;
        for (int i = 0; i < 8; i++)
            c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
    }
    return ~c;
}

static void test_as_defined(void **state)
{
    (void)state;
    uint8_t p[200];
    for (size_t i = 0; i < sizeof p; i++)
        p[i] = (uint8_t)(i * 37 + i / 7);
    for (size_t n = 0; n < 100; n++)
        for (size_t at = 0; at < 17; at++)
            assert_int_equal(sm_crc32(p + at, n), crc_bitwise(p + at, n));
    for (size_t cut = 0; cut <= sizeof p; cut++)
        assert_int_equal(sm_crc32_more(sm_crc32(p, cut), p + cut, sizeof p - cut),
                         sm_crc32(p, sizeof p));
}

/* With and without multiplications, at all lengths and places. */
static void test_same(void **state)
{
    (void)state;
    static uint8_t p[5000];
    for (size_t i = 0; i < sizeof p; i++)
        p[i] = (uint8_t)(i * i * 131 + i / 3);
    for (size_t n = 0; n < 600; n++)
        for (size_t at = 0; at < 17; at++) {
            assert_int_equal(sm_crc32(p + at, n), sm_crc32_table(p + at, n));
            assert_int_equal(sm_crc32_more(sm_crc32(p, at), p + at, n), sm_crc32_table(p, at + n));
        }
    assert_int_equal(sm_crc32(p, sizeof p), crc_bitwise(p, sizeof p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_values),
        cmocka_unit_test(test_as_defined),
        cmocka_unit_test(test_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
