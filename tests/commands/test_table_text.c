/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that a logger saved as JSON, as lines of text. */
#include "commands/answer/table_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void expect(const char *json, const char *text)
{
    const struct sm_text strings[] = {sm_text("a table"), sm_text(json)};
    struct sm_tensor t = {.dtype = SM_DTYPE_STRING, .n = 2, .strings = strings, .table = true};
    struct sm_str out = {0};
    assert_true(sm_table_text(&t, &out));
    assert_string_equal(sm_str_text(&out), text);
    sm_str_clear(&out);
    t.table = false;
    assert_false(sm_table_text(&t, &out));
    assert_int_equal(out.len, 0);
}

static void test_columns(void **state)
{
    (void)state;
    expect("{\"columns\":[\"name\",\"x\"],\"data\":[[\"long name\",1],[\"b\",-0.5]],\"n\":[[3]]}",
           "a table\nname       x\nlong name  1\nb          -0.5\n");
    expect("{\"data\":[[true,null],[]],\"columns\":[1,2]}", "a table\ntrue  -\n\n1     2\n");
    expect("{}", "a table\n");
}

/* What is not a text or a number is shown by what it holds. */
static void test_cells(void **state)
{
    (void)state;
    expect("{\"data\":[[{\"_type\":\"image-file\",\"size\":[1,2]},[],\"a\\nb\\u001b[1m\"]]}",
           "a table\nimage-file 1 2    a\\x0ab\\x1b[1m\n");
    expect("{\"data\":[[\"0123456789012345678901234567890123456789012345678901234567890\",2]]}",
           "a table\n0123456789012345678901234567890123456789  2\n");
}

/* What was read before the fault is shown. */
static void test_damaged(void **state)
{
    (void)state;
    const struct sm_text strings[] = {sm_text("a table"), sm_text("{\"data\":[[1,2],[3")};
    struct sm_tensor t = {.dtype = SM_DTYPE_STRING, .n = 2, .strings = strings, .table = true};
    struct sm_str out = {0};
    assert_true(sm_table_text(&t, &out));
    assert_int_equal(strncmp(sm_str_text(&out), "a table\n1  2\n", 13), 0);
    assert_non_null(strstr(sm_str_text(&out), "offset"));
    sm_str_clear(&out);
}

static void test_many_rows(void **state)
{
    (void)state;
    struct sm_str json = {0}, out = {0};
    sm_str_add(&json, "{\"columns\":[\"i\"],\"data\":[");
    for (int i = 0; i < 300; i++)
        sm_str_printf(&json, "%s[%d]", i ? "," : "", i);
    sm_str_add(&json, "]}");
    const struct sm_text strings[] = {sm_text("a table"), {json.data, json.len}};
    struct sm_tensor t = {.dtype = SM_DTYPE_STRING, .n = 2, .strings = strings, .table = true};
    assert_true(sm_table_text(&t, &out));
    assert_non_null(strstr(sm_str_text(&out), "\n199\nthe first 200 rows\n"));
    sm_str_clear(&json);
    sm_str_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_many_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
