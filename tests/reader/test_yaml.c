/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/logs/yaml.h"

#include "reader/base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const char *json_of(const char *p, size_t n)
{
    static struct sm_str out;
    struct sm_err err;
    sm_str_truncate(&out, 0);
    if (!sm_yaml_to_json(p, n, &out, &err)) {
        sm_str_truncate(&out, 0);
        sm_str_printf(&out, "error: %s", err.msg);
    }
    return out.data;
}

static const char *json(const char *text)
{
    return json_of(text, strlen(text));
}

static void test_scalars(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *json;
    } rows[] = {
        {"a: 1", "1"},
        {"a: -2.5e-3", "-2.5e-3"},
        {"a: 1e-3", "1e-3"},
        {"a: +.5", "0.5"},
        {"a: 1.", "1"},
        {"a: 1.e5", "1e5"},
        {"a: 007", "7"},
        {"a: .nan", "NaN"},
        {"a: -.inf", "-Infinity"},
        {"a: inf", "\"inf\""},
        {"a: nan", "\"nan\""},
        {"a: true", "true"},
        {"a: False", "false"},
        {"a: off", "false"},
        {"a: null", "null"},
        {"a: ~", "null"},
        {"a:", "null"},
        {"a: 1.2.3", "\"1.2.3\""},
        {"a: 0x10", "\"0x10\""},
        {"a: text:no key", "\"text:no key\""},
        {"a: !!str 5", "\"5\""},
        {"a: 0o17", "\"0o17\""},
        {"a: x # comment", "\"x\""},
        {"a: x#y", "\"x#y\""},
        {"a: 'it''s'", "\"it's\""},
        {"a: \"t\\t\\u00e9\\\"\"", "\"t\\u0009\xc3\xa9\\\"\""},
        {"a: http://x/y", "\"http://x/y\""},
        {"a: !!python/object:m.C 5", "5"},
        {"a: &id001 7", "7"},
        {"a: *id001", "\"*id001\""},
        {"a: !!python/name:torch.optim.Adam ''", "\"\""},
        {"a: long\n  text\n  of lines", "\"long text of lines\""},
        {"a: 'quoted\n  lines'", "\"quoted lines\""},
        {"a: |\n  one\n   two\n\n  three\n", "\"one\\u000a two\\u000a\\u000athree\\u000a\""},
        {"a: >-\n  one\n  two\n", "\"one two\""},
        {"a: []", "[]"},
        {"a: [1, two, 'x, y', [3], {b: 4, c: }]", "[1,\"two\",\"x, y\",[3],{\"b\":4,\"c\":null}]"},
        {"a: [1,\n  # c\n  2,\n]", "[1,2]"},
        {"a: {}", "{}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char want[128];
        snprintf(want, sizeof want, "{\"a\":%s}", rows[i].json);
        assert_string_equal(json(rows[i].yaml), want);
    }
}

static void test_blocks(void **state)
{
    (void)state;
    assert_string_equal(json("%YAML 1.2\n---\n# c\na: 1\r\nb:\n  c: 2\n\n  d:\n    e: x\nf: 3\n"),
                        "{\"a\":1,\"b\":{\"c\":2,\"d\":{\"e\":\"x\"}},\"f\":3}");
    assert_string_equal(json("a:\n- 1\n- b: 2\n  c: 3\n-\n  - 4\n- - 5\n  - 6\nd: 7\n"),
                        "{\"a\":[1,{\"b\":2,\"c\":3},[4],[5,6]],\"d\":7}");
    assert_string_equal(json("a: !!python/tuple\n- 1\n- 2\nb: !!python/object:m.C\n  x: 1\n"),
                        "{\"a\":[1,2],\"b\":{\"x\":1}}");
    assert_string_equal(json("\"a b\": 1\n'c': 2\n"), "{\"a b\":1,\"c\":2}");
    assert_string_equal(json("a: 1\n---\nb: 2\n"), "{\"a\":1}");
    assert_string_equal(json("a: |\n  x: 1\nb: 2\n"), "{\"a\":\"x: 1\\u000a\",\"b\":2}");
    assert_string_equal(json(""), "{}");
    assert_string_equal(json("# nothing\n"), "{}");
    assert_string_equal(json("\xef\xbb\xbf"
                             "a: 1"),
                        "{\"a\":1}");
    assert_string_equal(json("- 1\n- 2\n"), "[1,2]");
}

static void test_bad(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *error;
    } rows[] = {
        {"a: 1\nnonsense\n", "line 3: could not find expected ':'"},
        {"a: \"x\n", "line 2: found unexpected end of stream"},
        {"a: [1, 2\nb: 3\n", "line 2: did not find expected ',' or ']'"},
        {"a: [1] 2\n", "line 1: did not find expected key"},
        {"a: text with: a key\n", "line 1: mapping values are not allowed in this context"},
        {"a: 1\n\tb: 2\n", "line 2: found a tab character that violates indentation"},
        {"a: 1\n[b]: 2\n", "line 2: a key that is no text"},
        {"a: \xff\n", "offset 3: invalid leading UTF-8 octet"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char want[128];
        snprintf(want, sizeof want, "error: %s", rows[i].error);
        assert_string_equal(json(rows[i].yaml), want);
    }
}

static void test_deep(void **state)
{
    (void)state;
    struct sm_str s = {0};
    sm_str_fill(&s, '[', 100000);
    assert_non_null(strstr(json_of(s.data, s.len), "nested too deep"));
    sm_str_truncate(&s, 0);
    for (size_t i = 0; i < 1000; i++) {
        sm_str_fill(&s, ' ', i);
        sm_str_add(&s, "a:\n");
    }
    assert_non_null(strstr(json_of(s.data, s.len), "nested too deep"));
    sm_str_truncate(&s, 0);
    for (size_t i = 0; i < 1000; i++)
        sm_str_add(&s, "- ");
    assert_non_null(strstr(json_of(s.data, s.len), "nested too deep"));
    sm_str_clear(&s);
}

/* Whatever is read is JSON. */
static void test_is_json(void **state)
{
    (void)state;
    static const char text[] =
        "a: 1\nb:\n  c: [1, {d: 'x', e: \"y\\n\"}]\n  f: |\n   t\n- g\nh: >\n i";
    static const struct sm_json_ops none = {0};
    for (size_t n = 0; n < sizeof text; n++)
        for (int c = 0; c < 128; c += 7) {
            char copy[sizeof text];
            struct sm_str out = {0};
            struct sm_err err;
            memcpy(copy, text, sizeof text);
            copy[n] = (char)c;
            if (sm_yaml_to_json(copy, sizeof text - 1, &out, &err))
                assert_true(sm_json_parse(out.data, out.len, &none, NULL, &err));
            sm_str_clear(&out);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars), cmocka_unit_test(test_blocks),  cmocka_unit_test(test_bad),
        cmocka_unit_test(test_deep),    cmocka_unit_test(test_is_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
