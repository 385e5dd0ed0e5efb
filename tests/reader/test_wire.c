/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_fields(void **state)
{
    (void)state;
    static const uint8_t message[] = {
        0x08, 0x96, 0x01,                       /* 1: varint 150 */
        0x82, 0x01, 0x02, 'h', 'i',             /* 16: "hi" */
        0x19, 1,    2,    3,   4,   5, 6, 7, 8, /* 3: eight bytes */
        0x25, 1,    0,    0,   0,               /* 4: four bytes */
        0x2a, 0x00,                             /* 5: "" */
    };
    struct sm_bytes rest = {message, sizeof message};
    struct sm_wire_field f;
    assert_true(sm_wire_next(&rest, &f));
    assert_true(f.number == 1 && f.wire == 0 && f.value == 150);
    assert_true(sm_wire_next(&rest, &f));
    assert_true(f.number == 16 && f.wire == 2 && f.bytes.n == 2 && f.bytes.p == message + 6);
    assert_true(sm_wire_next(&rest, &f));
    assert_true(f.number == 3 && f.wire == 1 && f.value == 0x0807060504030201);
    assert_true(sm_wire_next(&rest, &f));
    assert_true(f.number == 4 && f.wire == 5 && f.value == 1);
    assert_true(sm_wire_next(&rest, &f));
    assert_true(f.number == 5 && f.wire == 2 && f.bytes.n == 0);
    assert_false(sm_wire_next(&rest, &f));
    assert_int_equal(rest.n, 0);
}

/* What is no field stays in the rest. */
static void test_invalid_fields(void **state)
{
    (void)state;
    static const struct {
        uint8_t bytes[12];
        size_t n;
    } bad[] = {
        {{0x80}, 1},            /* a key without an end */
        {{0x08}, 1},            /* no value */
        {{0x0a, 0x05, 'a'}, 3}, /* too short */
        {{0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, 11},
        {{0x09, 1, 2, 3}, 4}, /* of eight bytes */
        {{0x0d, 1, 2, 3}, 4}, /* of four */
        {{0x0b}, 1},          /* a group */
        {{0x0f, 1}, 2},       /* no wire type */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sm_bytes rest = {bad[i].bytes, bad[i].n};
        struct sm_wire_field f;
        assert_false(sm_wire_next(&rest, &f));
        assert_int_equal(rest.n, bad[i].n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_invalid_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
