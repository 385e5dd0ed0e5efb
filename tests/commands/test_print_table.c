/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/commands/printed.h"

#include "commands/answer/print_cell.h"

#include <math.h>
#include <string.h>

static const char *table(enum sm_output output, const char *fields)
{
    struct sm_print_options o = {.output = output, .fields = fields};
    sm_str_truncate(&text, 0);
    sm_print_table(&result, &o, &text);
    return sm_str_text(&text);
}

static const struct sm_column columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "x", .header = "X", .format = SM_COL_NUMBER},
    {.key = "bytes", .header = "SIZE", .format = SM_COL_BYTES},
    {.key = "shape", .header = "SHAPE", .format = SM_COL_SHAPE, .hidden = true},
    {.key = "when", .header = "WHEN", .format = SM_COL_TIME},
    {.key = "trend", .header = "TREND", .format = SM_COL_SPARK},
    {.key = "eye", .header = "EYE", .text_only = true},
};

static struct sm_node *add_row(struct sm_node *list, const char *name, double x)
{
    static const uint64_t dims[] = {2, 3};
    struct sm_node *row = sm_node_map(&result, list, NULL);
    sm_node_text(&result, row, "name", name);
    sm_node_double(&result, row, "x", x, false);
    sm_node_uint(&result, row, "bytes", 1536);
    sm_node_dims(&result, row, "shape", dims, 2);
    sm_node_double(&result, row, "when", 1767323045.5, false);
    sm_node_list(&result, row, "trend");
    sm_node_text(&result, row, "eye", "candy");
    return row;
}

static void csv_is_rfc_4180(void **state)
{
    (void)state;
    struct sm_node *list = sm_node_list(&result, NULL, NULL);
    add_row(list, "a,\"b\"\nc", 0.1);
    add_row(list, NULL, (double)NAN);
    sm_result_listing(&result, list, columns, sizeof columns / sizeof *columns);
    assert_string_equal(table(SM_OUTPUT_CSV, NULL),
                        "name,x,bytes,shape,when\n"
                        "\"a,\"\"b\"\"\nc\",0.1,1536,\"(2, 3)\",2026-01-02T03:04:05.500000Z\n"
                        ",nan,1536,\"(2, 3)\",2026-01-02T03:04:05.500000Z\n");
    assert_string_equal(table(SM_OUTPUT_CSV, "eye,x"), "eye,x\ncandy,0.1\ncandy,nan\n");
}

static void tsv_has_one_line_per_row(void **state)
{
    (void)state;
    struct sm_node *list = sm_node_list(&result, NULL, NULL);
    add_row(list, "a\tb\nc\\d", 1);
    sm_result_listing(&result, list, columns, 2);
    assert_string_equal(table(SM_OUTPUT_TSV, NULL), "name\tx\na\\tb\\nc\\\\d\t1\n");
}

static void control_characters_are_escaped(void **state)
{
    (void)state;
    struct sm_node *list = sm_node_list(&result, NULL, NULL);
    add_row(list, "\x1b[2J\xff", 1);
    sm_result_listing(&result, list, columns, 1);
    assert_string_equal(table(SM_OUTPUT_CSV, NULL), "name\n\\x1b[2J\\xff\n");
    assert_string_equal(table(SM_OUTPUT_TSV, NULL), "name\n\\x1b[2J\\xff\n");
}

static void nul_values_are_raw(void **state)
{
    (void)state;
    struct sm_node *list = sm_node_list(&result, NULL, NULL);
    add_row(list, "a b\n", 1);
    add_row(list, "\x1b", 2);
    sm_result_listing(&result, list, columns, 2);
    table(SM_OUTPUT_NUL, NULL);
    assert_int_equal(text.len, 7);
    assert_memory_equal(text.data, "a b\n\0\x1b\0", 7);
    table(SM_OUTPUT_NUL, "x,name");
    assert_memory_equal(text.data, "1\0a b\n\0002\0\x1b\0", 11);
}

static void a_map_is_one_row(void **state)
{
    (void)state;
    struct sm_node *row = add_row(NULL, "w", 2);
    result.root = row;
    assert_string_equal(table(SM_OUTPUT_CSV, "name,x"), "name,x\nw,2\n");
    result.columns = columns;
    result.n_columns = 2;
    assert_string_equal(table(SM_OUTPUT_TSV, NULL), "name\tx\nw\t2\n");
}

static void keys_are_the_default_columns(void **state)
{
    (void)state;
    struct sm_node *list = sm_node_list(&result, NULL, NULL),
                   *row = sm_node_map(&result, list, NULL);
    sm_node_bool(&result, row, "a", true);
    sm_node_uint(&result, row, "b", UINT64_MAX);
    assert_string_equal(table(SM_OUTPUT_CSV, NULL), "a,b\ntrue,18446744073709551615\n");
}

static void empty_results(void **state)
{
    (void)state;
    assert_string_equal(table(SM_OUTPUT_CSV, NULL), "");
    sm_result_listing(&result, sm_node_list(&result, NULL, NULL), columns, 2);
    assert_string_equal(table(SM_OUTPUT_CSV, NULL), "name,x\n");
}

static const char *cell(const struct sm_node *v, enum sm_column_format format)
{
    const struct sm_column c = {.key = "x", .header = "X", .format = format};
    struct sm_print_options o = {.glyphs = sm_glyphs(SM_SYMBOLS_BLOCK)};
    sm_str_truncate(&text, 0);
    sm_cell_text(&text, v, &c, &o);
    return sm_str_text(&text);
}

/* A value that is not there leaves a gap; NaN is one that is there. */
static void gaps_of_sparklines_are_empty(void **state)
{
    (void)state;
    struct sm_node *list = sm_node_list(&result, NULL, NULL);
    for (int i = 0; i < 6; i++)
        if (i % 3 == 0)
            sm_node_null(&result, list, NULL);
        else
            sm_node_double(&result, list, NULL, i, false);
    const char *spark = cell(list, SM_COL_SPARK);
    assert_string_equal(spark, " ▁▃ ▆▇");
    sm_node_double(&result, list, NULL, (double)NAN, false);
    assert_string_equal(cell(list, SM_COL_SPARK), " ▁▃✕▆▇✕");
}

static void measures_may_be_bytes(void **state)
{
    (void)state;
    struct sm_node *map = sm_node_map(&result, NULL, NULL);
    sm_node_measure(&result, map, "a", 1536, true);
    sm_node_measure(&result, map, "b", 1536, false);
    sm_node_measure(&result, map, "c", -1, true);
    assert_string_equal(cell(sm_node_get(map, "a"), SM_COL_NUMBER), "1.5K");
    assert_string_equal(cell(sm_node_get(map, "b"), SM_COL_NUMBER), "1536");
    assert_string_equal(cell(sm_node_get(map, "c"), SM_COL_NUMBER), "-1");
    result.root = map;
    assert_string_equal(table(SM_OUTPUT_CSV, "a"), "a\n1536\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(csv_is_rfc_4180, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tsv_has_one_line_per_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(control_characters_are_escaped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nul_values_are_raw, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_map_is_one_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keys_are_the_default_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gaps_of_sparklines_are_empty, set_up, tear_down),
        cmocka_unit_test_setup_teardown(measures_may_be_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(empty_results, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
