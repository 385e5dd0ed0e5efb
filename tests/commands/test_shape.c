/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of answers as JSON Schema. */
#include "commands/answer/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_schema(const char *shape, const char *want)
{
    struct sm_str out = {0};
    assert_true(sm_shape_schema(shape, &out));
    assert_string_equal(sm_str_text(&out), want);
    sm_str_clear(&out);
}

static void shapes_become_schemas(void **state)
{
    (void)state;
    expect_schema("int", "{\"type\":\"integer\"}");
    expect_schema("text?", "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}");
    expect_schema("'a'|'b'", "{\"anyOf\":[{\"const\":\"a\"},{\"const\":\"b\"}]}");
    expect_schema("[[int]]", "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":"
                             "{\"type\":\"integer\"}}}");
    expect_schema("{a:int,b?:bool}",
                  "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{"
                  "\"type\":\"boolean\"}},\"required\":[\"a\"],\"additionalProperties\":false}");
    expect_schema("{*:int}",
                  "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\"}}");
    expect_schema("{name:name,tensor:name?}",
                  "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"raw\":{"
                  "\"type\":\"string\"},\"tensor\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":"
                  "\"null\"}]},\"raw_tensor\":{\"type\":\"string\"}},\"required\":[\"name\","
                  "\"tensor\"],\"additionalProperties\":false}");
}

static void what_is_no_shape_is_refused(void **state)
{
    static const char *const bad[] = {"",
                                      "nosuch",
                                      "int ",
                                      "[int",
                                      "{a:int",
                                      "{a}",
                                      "{:int}",
                                      "{a:int,}",
                                      "int|",
                                      "'open",
                                      "int??",
                                      "{*int}",
                                      "[[[[[[[[[[[[[[[[[[[[int]]]]]]]]]]]]]]]]]]]]"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sm_str out = {0};
        if (sm_shape_schema(bad[i], &out))
            fail_msg("%s is taken", bad[i]);
        sm_str_clear(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_become_schemas),
        cmocka_unit_test(what_is_no_shape_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
