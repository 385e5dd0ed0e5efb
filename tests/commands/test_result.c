/* SPDX-License-Identifier: Apache-2.0 */
/* Building results, and their text output. */
#include "tests/commands/printed.h"

#include "plot/grid/glyphs.h"

#include <math.h>
#include <string.h>

static const char *shown(const char *fields)
{
    struct sm_print_options o = {.fields = fields,
                                 .glyphs = sm_glyphs(SM_SYMBOLS_ASCII),
                                 .threshold = 1000,
                                 .edgeitems = 3,
                                 .precision = 8,
                                 .linewidth = 75,
                                 .numpy_style = true};
    sm_str_truncate(&text, 0);
    sm_print_text(&result, &o, &text);
    return sm_str_text(&text);
}

static const struct sm_column columns[] = {
    {.key = "mark", .header = " ", .format = SM_COL_MARK},
    {.key = "name", .header = "NAME"},
    {.key = "n", .header = "N", .format = SM_COL_NUMBER},
    {.key = "x", .header = "X", .format = SM_COL_NUMBER},
    {.key = "size", .header = "SIZE", .format = SM_COL_BYTES},
    {.key = "shape", .header = "SHAPE", .format = SM_COL_SHAPE},
    {.key = "when", .header = "WHEN", .format = SM_COL_TIME},
    {.key = "in", .header = "IN", .format = SM_COL_LIST},
    {.key = "hidden", .header = "HIDDEN", .hidden = true},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void add_row(struct sm_node *list, bool mark, const char *name, int64_t n, double x)
{
    static const uint64_t dims[] = {8, 1, 3};
    struct sm_node *row = sm_node_map(&result, list, NULL);
    sm_node_bool(&result, row, "mark", mark);
    sm_node_text(&result, row, "name", name);
    sm_node_int(&result, row, "n", n);
    sm_node_double(&result, row, "x", x, false);
    sm_node_uint(&result, row, "size", 1536);
    sm_node_dims(&result, row, "shape", dims, mark ? 3 : 1);
    sm_node_double(&result, row, "when", 1767323045.75, false);
    struct sm_node *in = sm_node_list(&result, row, "in");
    if (mark) {
        sm_node_text(&result, in, NULL, "a");
        sm_node_text(&result, in, NULL, "b");
    }
    sm_node_text(&result, row, "hidden", "h");
}

static void table_as_text(void **state)
{
    (void)state;
    struct sm_node *list = sm_node_list(&result, NULL, NULL);
    add_row(list, true, "w", 421, 0.0132612345);
    add_row(list, false, NULL, -7, (double)NAN);
    sm_result_listing(&result, list, columns, N_COLUMNS);
    assert_string_equal(shown(NULL),
                        "   NAME    N         X     SIZE  SHAPE      WHEN                  IN\n"
                        "*  w     421  0.013261  1.5 KiB  (8, 1, 3)  2026-01-02T03:04:05Z  a,b\n"
                        "   -      -7       nan  1.5 KiB  (8,)       2026-01-02T03:04:05Z  -\n");
    assert_string_equal(shown("hidden,n"), "HIDDEN    N\nh       421\nh        -7\n");
}

static void fields_as_text(void **state)
{
    (void)state;
    static const struct sm_column few[] = {{.key = "name", .header = "name"},
                                           {.key = "absent", .header = "absent"},
                                           {.key = "n", .header = "number of them"}};
    struct sm_node *map = sm_node_map(&result, NULL, NULL);
    sm_node_text(&result, map, "name", "evil\x1b[2J");
    sm_node_int(&result, map, "n", 3);
    sm_result_text(&result, "head %d", 1);
    sm_result_fields(&result, map, few, 3);
    sm_result_dim(&result, "a hint");
    assert_string_equal(shown(NULL),
                        "head 1\nname            evil\\x1b[2J\nnumber of them  3\na hint\n");
    assert_ptr_equal(sm_node_get(map, "n"), map->last);
    assert_null(sm_node_get(map, "absent"));
}

static void empty_table_prints_nothing(void **state)
{
    (void)state;
    sm_result_listing(&result, sm_node_list(&result, NULL, NULL), columns, N_COLUMNS);
    assert_string_equal(shown(NULL), "");
}

static void elided_arrays_have_a_hint(void **state)
{
    (void)state;
    uint64_t n = 2000;
    struct sm_tensor *t;
    assert_true(sm_tensor_new(SM_DTYPE_INT32, 1, &n, NULL, &t, NULL));
    sm_result_array(&result, t, false, NULL);
    sm_tensor_unref(t);
    assert_string_equal(shown(NULL), "[0 0 0 ... 0 0 0]\n2,000 elements; use -a to show all.\n");
}

static void elements_stay_exact(void **state)
{
    (void)state;
    uint64_t big = UINT64_MAX;
    int64_t low = INT64_MIN;
    float z[2] = {1.5f, -2};
    struct sm_node *list = sm_node_list(&result, NULL, NULL);
    sm_node_element(&result, list, NULL, SM_DTYPE_UINT64, (const uint8_t *)&big);
    sm_node_element(&result, list, NULL, SM_DTYPE_INT64, (const uint8_t *)&low);
    sm_node_element(&result, list, NULL, SM_DTYPE_COMPLEX64, (const uint8_t *)z);
    sm_node_element(&result, list, NULL, SM_DTYPE_FLOAT32, (const uint8_t *)z);
    assert_int_equal(list->first->type, SM_NODE_UINT);
    assert_true(list->first->u == big);
    assert_true(list->first->next->i == low);
    assert_int_equal(list->first->next->next->type, SM_NODE_LIST);
    assert_int_equal(list->last->type, SM_NODE_FLOAT);
}

static void reset_releases_everything(void **state)
{
    (void)state;
    uint64_t n = 4;
    struct sm_tensor *t;
    assert_true(sm_tensor_new(SM_DTYPE_INT8, 1, &n, NULL, &t, NULL));
    sm_node_tensor(&result, sm_node_map(&result, NULL, NULL), "values", t, false);
    sm_result_array(&result, t, false, NULL);
    sm_result_grid(&result, 3, 3);
    result.quit = true;
    result.quit_status = 3;
    assert_int_equal(atomic_load(&t->refs), 3);
    sm_result_reset(&result);
    assert_int_equal(atomic_load(&t->refs), 1);
    assert_null(result.root);
    assert_null(result.first);
    assert_false(result.quit);
    assert_int_equal(result.quit_status, -1);
    sm_tensor_unref(t);
}

static void unknown_fields_are_reported(void **state)
{
    (void)state;
    struct sm_err err;
    struct sm_node *list = sm_node_list(&result, NULL, NULL);
    add_row(list, true, "w", 1, 1);
    sm_node_int(&result, list->first, "extra", 1);
    sm_result_listing(&result, list, columns, 3);
    assert_true(sm_print_check_fields(&result, NULL, &err));
    assert_true(sm_print_check_fields(&result, "n,extra,hidden", &err));
    assert_false(sm_print_check_fields(&result, "n,nosuch", &err));
    assert_string_equal(err.msg, "No field \"nosuch\".  Available fields: mark, name, n.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(table_as_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fields_as_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(empty_table_prints_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(elided_arrays_have_a_hint, set_up, tear_down),
        cmocka_unit_test_setup_teardown(elements_stay_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reset_releases_everything, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_fields_are_reported, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
