/* SPDX-License-Identifier: Apache-2.0 */
/* Converting JSON to a tree of result nodes. */
#include "tests/commands/printed.h"

#include "commands/answer/json_tree.h"

#include <string.h>

/* Converts the document and prints it; NULL with *err set on errors. */
static const char *reprint(const char *document, struct sm_err *err)
{
    const struct sm_print_options o = {.output = SM_OUTPUT_JSON};
    sm_result_clear(&result);
    sm_result_init(&result);
    sm_str_truncate(&text, 0);
    if (!sm_json_tree(&result, document, strlen(document), &result.root, err))
        return NULL;
    sm_print_json(&result, &o, &text);
    return sm_str_text(&text);
}

static void numbers_keep_their_value(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"[1,-2]", "[1,-2]\n"},
        {"[18446744073709551615]", "[18446744073709551615]\n"},
        {"[1e5,1E5,2.5]", "[100000,100000,2.5]\n"},
        {"[0,-0]", "[0,-0.0]\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(reprint(cases[i].in, NULL), cases[i].out);
}

static void other_documents_are_refused(void **state)
{
    (void)state;
    struct sm_err err = {0};
    assert_null(reprint("3", &err));
    assert_string_equal(err.msg, "expected a list or a map");
    assert_null(reprint("[1", &err));
    assert_int_equal(err.code, SM_ERR_DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_keep_their_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_documents_are_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
