/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/logs/log_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static bool note_number(void *ctx, const char *p, size_t n)
{
    sm_str_addn(ctx, p, n);
    sm_str_addc(ctx, ' ');
    return true;
}

static bool note_text(void *ctx, const char *p, size_t n)
{
    sm_str_addc(ctx, '\'');
    return note_number(ctx, p, n);
}

/* The numbers and texts of a document, or its error. */
static const char *numbers(const char *text)
{
    static struct sm_str out;
    static const struct sm_json_ops ops = {
        .number = note_number, .string = note_text, .key = note_text};
    struct sm_err err;
    sm_str_truncate(&out, 0);
    sm_str_add(&out, "");
    if (!sm_log_json_parse(text, strlen(text), &ops, &out, &err))
        return sm_str_truncate(&out, 0), sm_str_add(&out, err.msg), out.data;
    return sm_str_text(&out);
}

static void test_words(void **state)
{
    (void)state;
    assert_string_equal(numbers("[1, 2.5e3]"), "1 2.5e3 ");
    assert_string_equal(numbers("[NaN, Infinity, -Infinity,-NaN]"), "NaN Infinity -Infinity -NaN ");
    assert_string_equal(numbers("NaN"), "NaN ");
    assert_string_equal(numbers("{\"NaN\":\"Infinity\",\"a\\\"NaN\":NaN}"),
                        "'NaN 'Infinity 'a\"NaN NaN ");
    assert_non_null(strstr(numbers("[Nan]"), "invalid JSON at offset"));
    assert_non_null(strstr(numbers("[NaN"), "invalid JSON at offset"));
    assert_non_null(strstr(numbers("[\"a\\"), "invalid JSON"));
    assert_non_null(strstr(numbers("[NaN, \"a\\"), "invalid JSON"));
    assert_non_null(strstr(numbers("{} {}"), "invalid JSON at offset"));
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {
        {"0", 0},
        {" 1.5 ", 1.5},
        {"-2e3", -2000},
        {"+7", 7},
        {".5", 0.5},
        {"5.", 5},
        {"1E-2", 0.01},
        {"inf", INFINITY},
        {"-Inf", -INFINITY},
        {"\t1\r", 1},
        {"1e999", INFINITY},
        {"-Infinity", -INFINITY},
        {"0.10000000000000001", 0.1},
        {"9007199254740993", 9007199254740992.0},
    };
    static const char *bad[] = {"",     " ",    "-",   ".",    "e5",   "1e",      "1e+",
                                "0x10", "1,5",  "1 2", "nano", "in",   "infinit", "1_000",
                                "NaN1", "1NaN", "--1", "True", "1.2.3"};
    double v;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(sm_log_number(good[i].text, strlen(good[i].text), &v));
        assert_true(v == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(sm_log_number(bad[i], strlen(bad[i]), &v));
    assert_true(sm_log_number("-nan", 4, &v) && isnan(v));
    assert_true(sm_log_number("15", 1, &v) && v == 1);
}

static void note_leaf(void *ctx, const struct sm_log_value *v)
{
    struct sm_str *out = ctx;
    assert_int_equal(strlen(v->name), v->name_n);
    sm_str_printf(out, "%s:%c", v->name, "#bs0a"[v->type]);
    if (v->type == SM_LOG_NUMBER || v->type == SM_LOG_BOOL)
        sm_str_printf(out, "%g=", v->number);
    sm_str_addn(out, v->text, v->text_n);
    sm_str_addc(out, '\n');
}

static const char *leaves_of(const char *p, size_t n)
{
    static struct sm_str out;
    struct sm_err err;
    sm_str_truncate(&out, 0);
    sm_str_add(&out, "");
    if (!sm_log_json_leaves(p, n, '/', note_leaf, &out, &err))
        sm_str_printf(&out, "error %s", err.msg);
    return sm_str_text(&out);
}

static const char *leaves(const char *text)
{
    return leaves_of(text, strlen(text));
}

static void test_leaves(void **state)
{
    (void)state;
    assert_string_equal(leaves("{}"), "");
    assert_string_equal(
        leaves("{\"a\":1,\"b\":{\"c\":{\"d\":NaN},\"e\":true},\"f\":null,\"g\":\"x\\ny\"}"),
        "a:#1=1\nb/c/d:#nan=NaN\nb/e:b1=true\nf:0null\ng:sx\ny\n");
    assert_string_equal(
        leaves("{\"[\":[],\"a\":[1,\"]\\\"\",{\"b\":[2,{}]}], \"c\":{\"d\":[ ]},\"e\":-2}"),
        "[:a[]\na:a[1,\"]\\\"\",{\"b\":[2,{}]}]\nc/d:a[ ]\ne:#-2=-2\n");
    assert_string_equal(leaves("{\"a\":{},\"b\":{\"\":3}}"), "b/:#3=3\n");
    assert_string_equal(leaves("{\"a\\u0000b\":1}"), "a?b:#1=1\n");
}

static void test_no_leaves(void **state)
{
    (void)state;
    assert_string_equal(leaves("[1]"), ":a[1]\n");
    assert_string_equal(leaves("3"), ":#3=3\n");
    assert_string_equal(leaves("NaN"), ":#nan=NaN\n");
    assert_non_null(strstr(leaves(""), "error "));
    assert_non_null(strstr(leaves("{\"a\":1"), "error "));
    assert_non_null(strstr(leaves("{\"a\":1NaN}"), "not a number: 1NaN"));
    assert_non_null(strstr(leaves("{\"a\":[1,[2}"), "error "));
}

/* Names are bounded, so that many leaves below a long name cost no more than the document. */
static void test_hostile(void **state)
{
    (void)state;
    struct sm_str s = {0};
    sm_str_add(&s, "{\"");
    sm_str_fill(&s, 'k', SM_LOG_NAME_MAX + 1);
    sm_str_add(&s, "\":1}");
    assert_non_null(strstr(leaves_of(s.data, s.len), "a name of more than"));
    sm_str_truncate(&s, 0);
    for (int i = 0; i < 100000; i++)
        sm_str_add(&s, "{\"a\":");
    assert_non_null(strstr(leaves_of(s.data, s.len), "nested deeper"));
    sm_str_truncate(&s, 0);
    sm_str_add(&s, "{\"a\":");
    sm_str_fill(&s, '[', 100000);
    assert_non_null(strstr(leaves_of(s.data, s.len), "nested deeper"));
    sm_str_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),   cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_leaves),  cmocka_unit_test(test_no_leaves),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
