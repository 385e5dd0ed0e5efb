/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/json.h"
#include "reader/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

/* ---- reading: every event becomes a few letters, so that a document can be compared with a text
 * ---- */

struct seen {
    struct sm_str text;
    int stop_after; /* the event whose handler returns false; 0: none */
    struct sm_err *err;
};

static bool note_event(struct seen *s, const char *kind, const char *p, size_t n)
{
    sm_str_add(&s->text, kind);
    sm_str_addn(&s->text, p, n);
    sm_str_addc(&s->text, ' ');
    if (s->stop_after && --s->stop_after == 0)
        return sm_err_set(s->err, SM_ERR_LIMIT, "enough");
    return true;
}

static bool on_null(void *ctx)
{
    return note_event(ctx, "null", "", 0);
}

static bool on_boolean(void *ctx, bool v)
{
    return note_event(ctx, v ? "true" : "false", "", 0);
}

static bool on_number(void *ctx, const char *digits, size_t n)
{
    return note_event(ctx, "#", digits, n);
}

static bool on_string(void *ctx, const char *p, size_t n)
{
    return note_event(ctx, "'", p, n);
}

static bool on_key(void *ctx, const char *p, size_t n)
{
    return note_event(ctx, ":", p, n);
}

static bool on_start_map(void *ctx)
{
    return note_event(ctx, "{", "", 0);
}

static bool on_end_map(void *ctx)
{
    return note_event(ctx, "}", "", 0);
}

static bool on_start_array(void *ctx)
{
    return note_event(ctx, "[", "", 0);
}

static bool on_end_array(void *ctx)
{
    return note_event(ctx, "]", "", 0);
}

static const struct sm_json_ops all_events = {
    .null = on_null,
    .boolean = on_boolean,
    .number = on_number,
    .string = on_string,
    .key = on_key,
    .start_map = on_start_map,
    .end_map = on_end_map,
    .start_array = on_start_array,
    .end_array = on_end_array,
};

static void assert_events_n(const char *p, size_t n, const char *want, size_t want_n)
{
    struct sm_err err = {0};
    struct seen s = {.err = &err};
    if (!sm_json_parse(p, n, &all_events, &s, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(s.text.len, want_n);
    assert_memory_equal(sm_str_text(&s.text), want, want_n);
    sm_str_clear(&s.text);
}

static void assert_events(const char *json, const char *want)
{
    assert_events_n(json, strlen(json), want, strlen(want));
}

static void test_events(void **state)
{
    (void)state;
    assert_events("{\"a\": [1, -2.5e+10, true, false, null], \"b\": {}}",
                  "{ :a [ #1 #-2.5e+10 true false null ] :b { } } ");
    assert_events(" \n[\t]\r\n ", "[ ] ");
    assert_events("7", "#7 ");
    assert_events("\"x\"", "'x ");
    assert_events("9223372036854775807", "#9223372036854775807 ");
    assert_events("123456789012345678901234567890", "#123456789012345678901234567890 ");
}

static void test_strings(void **state)
{
    (void)state;
    assert_events("\"a\\\"b\\\\c\\/d\\n\\u00e9\\ud83d\\ude00\"", "'a\"b\\c/d\n\u00e9\U0001f600 ");
    assert_events_n("\"a\\u0000b\"", 10, "'a\0b ", 5);
    assert_events("{\"\\u0061\": 1}", "{ :a #1 } ");
    /* invalid UTF-8 is passed on: old files contain it */
    assert_events("\"\xff\xfe\"", "'\xff\xfe ");
}

static void test_members_may_be_missing(void **state)
{
    (void)state;
    static const struct sm_json_ops keys_only = {.key = on_key};
    struct seen s = {0};
    const char *json = "{\"a\": [null, true, 1, \"x\"], \"b\": {\"c\": []}}";
    assert_true(sm_json_parse(json, strlen(json), &keys_only, &s, NULL));
    assert_string_equal(sm_str_text(&s.text), ":a :b :c ");
    sm_str_clear(&s.text);
}

static void assert_bad(const char *json, size_t offset)
{
    struct sm_err err = {0};
    struct seen s = {.err = &err};
    assert_false(sm_json_parse(json, strlen(json), &all_events, &s, &err));
    assert_int_equal(err.code, SM_ERR_DATA);
    assert_null(strchr(err.msg, '\n'));
    struct sm_str want = {0};
    sm_str_printf(&want, "offset %zu", offset);
    const char *at = strstr(err.msg, sm_str_text(&want));
    if (!at || (at[want.len] >= '0' && at[want.len] <= '9'))
        fail_msg("%s: '%s' without '%s'", json, err.msg, sm_str_text(&want));
    sm_str_clear(&want);
    sm_str_clear(&s.text);
}

static void test_bad_documents_say_where(void **state)
{
    (void)state;
    assert_bad("", 0);
    assert_bad("   ", 3);
    assert_bad("{\"a\": [1, 2", 11); /* truncated: the offset is its end */
    assert_bad("{\"a\": \"xyz", 10);
    assert_bad("tru", 3);
    assert_bad("[1] x", 5);
    assert_bad("[1][2]", 4);
    assert_bad("[1,]", 4);
    assert_bad("{\"a\" 1}", 6);
    assert_bad("[nope]", 2);
}

static void test_depth_is_bounded(void **state)
{
    (void)state;
    char json[2 * SM_JSON_DEPTH_MAX + 3] = "";
    struct sm_err err = {0};
    static const struct sm_json_ops none = {0};
    memset(json, '[', SM_JSON_DEPTH_MAX);
    memset(json + SM_JSON_DEPTH_MAX, ']', SM_JSON_DEPTH_MAX);
    assert_true(sm_json_parse(json, strlen(json), &none, NULL, &err));
    memset(json, '[', SM_JSON_DEPTH_MAX + 1);
    memset(json + SM_JSON_DEPTH_MAX + 1, ']', SM_JSON_DEPTH_MAX + 1);
    assert_false(sm_json_parse(json, strlen(json), &none, NULL, &err));
    assert_int_equal(err.code, SM_ERR_DATA);
    assert_non_null(strstr(err.msg, "offset 65"));
    char deep[100000];
    static const char open[5] = {'{', '"', 'a', '"', ':'};
    for (size_t i = 0; i < sizeof deep; i += sizeof open)
        memcpy(deep + i, open, sizeof open);
    assert_false(sm_json_parse(deep, sizeof deep, &none, NULL, &err));
    struct sm_str wide = {0};
    sm_str_addc(&wide, '[');
    for (int i = 0; i < 1000; i++)
        sm_str_add(&wide, "[],{},");
    sm_str_add(&wide, "0]");
    assert_true(sm_json_parse(wide.data, wide.len, &none, NULL, &err));
    sm_str_clear(&wide);
}

static void test_a_handler_may_stop(void **state)
{
    (void)state;
    const char *json = "{\"a\": [1, true, null, \"x\"], \"b\": 2}";
    for (int at = 1; at <= 10; at++) {
        struct sm_err err = {0};
        struct seen s = {.stop_after = at, .err = &err};
        assert_false(sm_json_parse(json, strlen(json), &all_events, &s, &err));
        assert_int_equal(err.code, SM_ERR_LIMIT);
        assert_string_equal(err.msg, "enough");
        assert_int_equal(s.stop_after, 0);
        sm_str_clear(&s.text);
    }
}

static void test_no_memory_is_an_error(void **state)
{
    (void)state;
    static const struct sm_json_ops none = {0};
    static const char *const documents[] = {"[\"\\u00e9scaped\", {\"a\": 1}]", "[1,]", "[\"cut"};
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        unsigned long at = 1;
        for (;; at++) {
            struct sm_err err = {0};
            unsigned long before = sm_mem_count();
            sm_mem_fail_at(at);
            bool ok = sm_json_parse(documents[i], strlen(documents[i]), &none, NULL, &err);
            sm_mem_fail_at(0);
            if (sm_mem_count() - before < at) { /* there are fewer allocations than that */
                assert_int_equal(ok, i == 0);
                break;
            }
            assert_false(ok);
            assert_int_equal(err.code, SM_ERR_MEMORY);
        }
        assert_true(at > 2);
    }
}

static void test_integers(void **state)
{
    (void)state;
    static const struct {
        const char *digits;
        bool ok;
        int64_t v;
    } want[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"42", true, 42},
        {"-9223372036854775808", true, INT64_MIN},
        {"9223372036854775807", true, INT64_MAX},
        {"9223372036854775808", false, 0},
        {"-9223372036854775809", false, 0},
        {"1.0", false, 0},
        {"1e3", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {" 1", false, 0},
        {"+1", false, 0},
        {"1 ", false, 0},
        {"00000000000000000000000000000000000000001", false, 0},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        int64_t v = 77;
        assert_int_equal(sm_json_int(want[i].digits, strlen(want[i].digits), &v), want[i].ok);
        assert_int_equal(v, want[i].ok ? want[i].v : 77);
    }
    int64_t v;
    assert_true(sm_json_int("123", 2, &v)); /* not 0-terminated */
    assert_int_equal(v, 12);
}

/* ---- writing ---- */

static void test_writer(void **state)
{
    (void)state;
    struct sm_str out = {0};
    struct sm_json_writer *w = sm_json_writer_new(&out);
    sm_json_start_map(w);
    sm_json_key(w, "a");
    sm_json_start_array(w);
    sm_json_null(w);
    sm_json_bool(w, true);
    sm_json_i64(w, INT64_MIN);
    sm_json_u64(w, UINT64_MAX);
    sm_json_end_array(w);
    sm_json_key(w, "b");
    sm_json_start_map(w);
    sm_json_end_map(w);
    sm_json_end_map(w);
    sm_json_writer_free(w);
    sm_json_writer_free(NULL);
    assert_string_equal(out.data,
                        "{\"a\":[null,true,-9223372036854775808,18446744073709551615],\"b\":{}}");
    sm_str_clear(&out);
}

static void test_writer_takes_document_after_document(void **state)
{
    (void)state;
    struct sm_str out = {0};
    struct sm_json_writer *w = sm_json_writer_new(&out);
    for (int i = 0; i < 3; i++) {
        sm_json_start_array(w);
        sm_json_i64(w, i);
        sm_json_end_array(w);
        sm_str_addc(&out, '\n');
    }
    sm_json_i64(w, 3);
    sm_json_writer_free(w);
    assert_string_equal(out.data, "[0]\n[1]\n[2]\n3");
    sm_str_clear(&out);
}

static void assert_double(double v, bool single, const char *want)
{
    struct sm_str out = {0};
    struct sm_json_writer *w = sm_json_writer_new(&out);
    sm_json_double(w, v, single);
    sm_json_writer_free(w);
    assert_string_equal(sm_str_text(&out), want);
    sm_str_clear(&out);
}

static void test_doubles(void **state)
{
    (void)state;
    assert_double(0.1, false, "0.10000000000000001");
    assert_double((double)0.1f, true, "0.100000001");
    assert_double(-0.0, false, "-0.0");
    assert_double(3, true, "3");
    assert_double((double)NAN, false, "\"nan\"");
    assert_double((double)INFINITY, true, "\"inf\"");
    assert_double(-(double)INFINITY, false, "\"-inf\"");
}

static void assert_literal(const char *p, size_t n, const char *want)
{
    struct sm_str out = {0};
    struct sm_json_writer *w = sm_json_writer_new(&out);
    sm_json_text(w, p, n);
    sm_json_writer_free(w);
    assert_string_equal(sm_str_text(&out), want);
    sm_str_clear(&out);
}

static void test_texts_are_escaped(void **state)
{
    (void)state;
    assert_literal("a\"b\\c/d", 7, "\"a\\\"b\\\\c/d\"");
    assert_literal("\0\x1b\x7f\n", 4, "\"\\u0000\\u001B\\u007f\\n\"");
    assert_literal("\xc2\x9b\u202e\u200b", 8, "\"\\u009b\\u202e\\u200b\"");
    assert_literal("\U000e0041", 4, "\"\\udb40\\udc41\"");
    assert_literal("\u00e9e\u0301\U0001f600", 9, "\"\u00e9e\u0301\U0001f600\"");
    assert_literal("\xff\xc3", 2, "\"\\ufffd\\ufffd\"");
    /* split by one of yajl's escapes */
    assert_literal("\xe2\n\x82\xac", 4, "\"\\ufffd\\n\\ufffd\\ufffd\"");
    assert_literal(NULL, 0, "\"\"");
}

static void test_keys_are_escaped(void **state)
{
    (void)state;
    struct sm_str out = {0};
    struct sm_json_writer *w = sm_json_writer_new(&out);
    sm_json_start_map(w);
    sm_json_key(w, "\u202e\x7f\xff");
    sm_json_null(w);
    sm_json_end_map(w);
    sm_json_writer_free(w);
    assert_string_equal(out.data, "{\"\\u202e\\u007f\\ufffd\":null}");
    sm_str_clear(&out);
}

/* Every valid character survives writing and reading. */
static void test_round_trip(void **state)
{
    (void)state;
    struct sm_str text = {0}, out = {0}, want = {0};
    for (uint32_t r = 0; r <= 0x10ffff; r += r < 0x3000 ? 1 : 97) {
        char bytes[4];
        if (r < 0xd800 || r >= 0xe000)
            sm_str_addn(&text, bytes, sm_utf8_encode(r, bytes));
    }
    struct sm_json_writer *w = sm_json_writer_new(&out);
    sm_json_text(w, text.data, text.len);
    sm_json_writer_free(w);
    sm_str_printf(&want, "'");
    sm_str_addn(&want, text.data, text.len);
    sm_str_addc(&want, ' ');
    assert_events_n(out.data, out.len, want.data, want.len);
    sm_str_clear(&text);
    sm_str_clear(&out);
    sm_str_clear(&want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_members_may_be_missing),
        cmocka_unit_test(test_bad_documents_say_where),
        cmocka_unit_test(test_depth_is_bounded),
        cmocka_unit_test(test_a_handler_may_stop),
        cmocka_unit_test(test_no_memory_is_an_error),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_writer),
        cmocka_unit_test(test_writer_takes_document_after_document),
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_texts_are_escaped),
        cmocka_unit_test(test_keys_are_escaped),
        cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
