/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/commands/printed.h"

#include <math.h>
#include <string.h>

static const char *json(enum sm_output output, const char *fields)
{
    struct sm_print_options o = {
        .output = output, .fields = fields, .threshold = 10, .edgeitems = 2};
    sm_str_truncate(&text, 0);
    sm_print_json(&result, &o, &text);
    return sm_str_text(&text);
}

static void values(void **state)
{
    (void)state;
    struct sm_node *m = sm_node_map(&result, NULL, NULL);
    sm_node_null(&result, m, "null");
    sm_node_bool(&result, m, "bool", true);
    sm_node_int(&result, m, "int", INT64_MIN);
    sm_node_uint(&result, m, "uint", UINT64_MAX);
    sm_node_double(&result, m, "double", 0.1, false);
    sm_node_double(&result, m, "float", (double)0.1f, true);
    sm_node_double(&result, m, "zero", -0.0, false);
    sm_node_double(&result, m, "nan", (double)NAN, false);
    sm_node_double(&result, m, "inf", -(double)INFINITY, false);
    sm_node_list(&result, m, "empty");
    assert_string_equal(
        json(SM_OUTPUT_JSON, NULL),
        "{\"null\":null,\"bool\":true,\"int\":-9223372036854775808,\"uint\":18446744073709551615,"
        "\"double\":0.10000000000000001,\"float\":0.100000001,\"zero\":-0.0,\"nan\":\"nan\","
        "\"inf\":\"-inf\",\"empty\":[]}\n");
}

static void untrusted_names_read_back(void **state)
{
    (void)state;
    struct sm_node *m = sm_node_map(&result, NULL, NULL);
    sm_node_text(&result, m, "name", "a\"\\\x1b[2J\n\xe2\x80\xae\xc3\xa9");
    sm_node_text(&result, m, "absent", NULL);
    assert_string_equal(json(SM_OUTPUT_JSON, NULL),
                        "{\"name\":\"a\\\"\\\\\\u001B[2J\\n\\u202e\xc3\xa9\",\"absent\":null}\n");
}

static void invalid_utf8_has_raw_key(void **state)
{
    (void)state;
    struct sm_node *m = sm_node_map(&result, NULL, NULL);
    sm_node_textn(&result, m, "name", "a\xff", 2);
    sm_node_textn(&result, m, "worker", "\xfe\x00\x01", 3);
    assert_string_equal(json(SM_OUTPUT_JSON, NULL),
                        "{\"name\":\"a\\ufffd\",\"raw\":\"Yf8=\","
                        "\"worker\":\"\\ufffd\\u0000\\u0001\",\"raw_worker\":\"/gAB\"}\n");
}

static void rows_and_selected_fields(void **state)
{
    (void)state;
    struct sm_node *list = sm_node_list(&result, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        struct sm_node *m = sm_node_map(&result, list, NULL);
        sm_node_int(&result, m, "a", i);
        if (i)
            sm_node_int(&result, m, "b", 10 + i);
    }
    assert_string_equal(json(SM_OUTPUT_JSON, NULL), "[{\"a\":0},{\"a\":1,\"b\":11}]\n");
    assert_string_equal(json(SM_OUTPUT_JSONL, NULL), "{\"a\":0}\n{\"a\":1,\"b\":11}\n");
    assert_string_equal(json(SM_OUTPUT_JSON, "b,a"), "[{\"b\":null,\"a\":0},{\"b\":11,\"a\":1}]\n");
    assert_string_equal(json(SM_OUTPUT_JSONL, "b"), "{\"b\":null}\n{\"b\":11}\n");
}

static void empty_results(void **state)
{
    (void)state;
    assert_string_equal(json(SM_OUTPUT_JSON, NULL), "null\n");
    sm_node_list(&result, NULL, NULL);
    assert_string_equal(json(SM_OUTPUT_JSON, NULL), "[]\n");
    assert_string_equal(json(SM_OUTPUT_JSONL, NULL), "");
}

static void put_tensor(enum sm_dtype d, unsigned n_dims, const uint64_t *dims, const void *data,
                       bool whole)
{
    struct sm_tensor *t;
    assert_true(sm_tensor_new(d, n_dims, dims, data, &t, NULL));
    sm_result_reset(&result);
    sm_node_tensor(&result, sm_node_map(&result, NULL, NULL), "v", t, whole);
    sm_tensor_unref(t);
}

static void tensors(void **state)
{
    (void)state;
    const uint64_t two_by_three[] = {2, 3}, eleven[] = {11}, empty[] = {2, 0};
    const float f[] = {1, -0.0f, 0.1f, NAN, INFINITY, 3};
    put_tensor(SM_DTYPE_FLOAT32, 2, two_by_three, f, false);
    assert_string_equal(json(SM_OUTPUT_JSON, NULL),
                        "{\"v\":[[1,-0.0,0.100000001],[\"nan\",\"inf\",3]]}\n");
    put_tensor(SM_DTYPE_FLOAT32, 0, NULL, f + 2, false);
    assert_string_equal(json(SM_OUTPUT_JSON, NULL), "{\"v\":0.100000001}\n");
    put_tensor(SM_DTYPE_COMPLEX64, 0, NULL, f, false);
    assert_string_equal(json(SM_OUTPUT_JSON, NULL), "{\"v\":[1,-0.0]}\n");
    const uint8_t b[] = {0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1};
    put_tensor(SM_DTYPE_BOOL, 1, eleven, b, false);
    assert_string_equal(json(SM_OUTPUT_JSON, NULL), "{\"v\":[false,true,\"...\",false,true]}\n");
    put_tensor(SM_DTYPE_UINT8, 1, eleven, b, true);
    assert_string_equal(json(SM_OUTPUT_JSON, NULL), "{\"v\":[0,1,1,0,1,0,0,1,0,0,1]}\n");
    put_tensor(SM_DTYPE_INT8, 2, empty, NULL, false);
    assert_string_equal(json(SM_OUTPUT_JSON, NULL), "{\"v\":[[],[]]}\n");
    const uint64_t big = UINT64_MAX;
    put_tensor(SM_DTYPE_UINT64, 0, NULL, &big, false);
    assert_string_equal(json(SM_OUTPUT_JSON, NULL), "{\"v\":18446744073709551615}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(untrusted_names_read_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(invalid_utf8_has_raw_key, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_and_selected_fields, set_up, tear_down),
        cmocka_unit_test_setup_teardown(empty_results, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tensors, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
