/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/json_scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum sm_scan_result value(const char *text, struct sm_scan_value *v)
{
    struct sm_scan s = {text, text + strlen(text)};
    return sm_scan_value(&s, v);
}

static int64_t decimal(const char *text, int scale)
{
    struct sm_scan_value v = {.type = SM_SCAN_NUMBER, .text = sm_text(text)};
    int64_t out = -1;
    return sm_scan_decimal(&v, scale, &out) ? out : -99;
}

static void decimals_do_not_go_through_double(void **state)
{
    (void)state;
    assert_int_equal(decimal("1591748109.2321954", 9), 1591748109232195400);
    assert_int_equal(decimal("1591748109.23219541234567", 9), 1591748109232195412);
    assert_int_equal(decimal("1591748109.2321954128", 9), 1591748109232195413);
    assert_int_equal(decimal("1795229339084906", 3), 1795229339084906000);
    assert_int_equal(decimal("1.5e9", 9), 1500000000000000000);
    assert_int_equal(decimal("-0.25", 3), -250);
    assert_int_equal(decimal("123.4567", 3), 123457);
    assert_int_equal(decimal("0.0000000000000000000000001", 9), 0);
    assert_int_equal(decimal("9.9999999999999995e-07", 3), 0); /* the last digit is shifted out */
    assert_int_equal(decimal("0.0005", 3), 1);
    assert_int_equal(decimal("9223372036854775807", 0), INT64_MAX);
}

static void what_is_no_decimal_is_refused(void **state)
{
    static const char *const bad[] = {
        "",    "-",    ".",    "1e",          "1.2.3",
        "NaN", "0x10", "1e99", "99999999999", "9223372036854775808000000000"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(decimal(bad[i], 9), -99);
}

static void doubles_take_what_json_lacks(void **state)
{
    struct sm_scan_value v;
    double d = 0;
    (void)state;
    assert_int_equal(value("NaN,", &v), SM_SCAN_ITEM);
    assert_true(sm_scan_double(&v, &d) && isnan(d));
    assert_int_equal(value("-Infinity}", &v), SM_SCAN_ITEM);
    assert_true(sm_scan_double(&v, &d) && isinf(d) && d < 0);
    assert_int_equal(value("1.36 ", &v), SM_SCAN_ITEM);
    assert_true(sm_scan_double(&v, &d) && d == 1.36);
    assert_int_equal(value("null ", &v), SM_SCAN_ITEM);
    assert_int_equal(v.type, SM_SCAN_WORD);
}

static void a_map_is_walked(void **state)
{
    static const char text[] =
        " {\"a\" : 1, \"b\":{\"c\":[1,\"}\"]},, \"d\":\"x\x01\\\"y\", } rest";
    struct sm_scan s = {text, text + sizeof text - 1};
    struct sm_scan_value v;
    struct sm_text key;
    (void)state;
    assert_int_equal(sm_scan_enter(&s, '{'), SM_SCAN_ITEM);
    assert_int_equal(sm_scan_key(&s, &key, &v), SM_SCAN_ITEM);
    assert_true(sm_text_is(key, "a") && sm_text_is(v.text, "1"));
    assert_int_equal(sm_scan_key(&s, &key, &v), SM_SCAN_ITEM);
    assert_true(sm_text_is(key, "b") && sm_text_is(v.text, "{\"c\":[1,\"}\"]}"));
    assert_int_equal(sm_scan_key(&s, &key, &v), SM_SCAN_ITEM);
    assert_true(v.escaped && sm_text_is(v.text, "x\x01\\\"y"));
    assert_int_equal(sm_scan_key(&s, &key, &v), SM_SCAN_DONE);
    assert_string_equal(s.p, " rest");
}

/* Every beginning of a map is torn, none is read as another. */
static void each_beginning_is_torn(void **state)
{
    static const char text[] = "{\"a\":[1,{\"b\":\"\\\"\"}],\"c\":-1.5e3,\"d\":true}";
    (void)state;
    for (size_t n = 0; n < sizeof text - 1; n++) {
        struct sm_scan s = {text, text + n};
        struct sm_scan_value v;
        struct sm_text key;
        enum sm_scan_result r = sm_scan_enter(&s, '{');
        while (r == SM_SCAN_ITEM)
            r = sm_scan_key(&s, &key, &v);
        assert_int_equal(r, SM_SCAN_TORN);
    }
}

static void depth_is_bounded(void **state)
{
    char text[200];
    struct sm_scan_value v;
    (void)state;
    memset(text, '[', 100);
    memset(text + 100, ']', 100);
    struct sm_scan s = {text, text + sizeof text};
    assert_int_equal(sm_scan_value(&s, &v), SM_SCAN_BAD);
}

static void escapes_are_decoded(void **state)
{
    struct sm_scan_value v;
    struct sm_str out = {0};
    (void)state;
    assert_int_equal(value("\"a\\n\\u00e9\\ud83d\\ude00\\ud83d\\q\\u12\"", &v), SM_SCAN_ITEM);
    sm_scan_text(&v, &out);
    assert_string_equal(sm_str_text(&out), "a\n\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbdqu12");
    sm_str_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_do_not_go_through_double),
        cmocka_unit_test(what_is_no_decimal_is_refused),
        cmocka_unit_test(doubles_take_what_json_lacks),
        cmocka_unit_test(a_map_is_walked),
        cmocka_unit_test(each_beginning_is_torn),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(escapes_are_decoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
