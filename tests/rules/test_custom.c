/* SPDX-License-Identifier: Apache-2.0 */
/* .rule files and the service's JSON lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rules/custom.h"

#include <stdio.h>
#include <string.h>

static void test_rule_file(void **state)
{
    struct sm_custom_rule *c;
    struct sm_err err = {0};
    static const char text[] =
        "# a comment\nname = big_one\n\nparam threshold = 2.5\n param word=abc\nregex = ^w\n"
        "when = max(x) > $threshold\nmode = train\n";
    (void)state;
    if (!sm_custom_parse(text, sizeof text - 1, &c, &err))
        fail_msg("%s", err.msg);
    assert_string_equal(c->rule.name, "big_one");
    assert_string_equal(c->mode, "mode=train");
    assert_int_equal(c->rule.group, SM_RULE_CUSTOM);
    assert_string_equal(c->rule.params[0].name, "threshold");
    assert_int_equal(c->rule.params[0].type, SM_RULE_NUMBER);
    assert_int_equal(c->rule.params[1].type, SM_RULE_TEXT);
    assert_string_equal(c->rule.params[2].initial, "max(x) > $threshold");
    sm_custom_free(c);
}

static void test_bad_files(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"name = a\nwhen = 1 +", "line 2, column 11: unexpected end of the expression"},
        {"name = a\n  what = 1\n",
         "line 2, column 3: expected name, summary, param, collection, regex, "
         "when, message, advice or mode"},
        {"name = a b\n", "line 1, column 8: a name may contain only letters, digits and _"},
        {"name = a\nname = b\n", "line 2, column 1: duplicate key"},
        {"just words\n", "line 1, column 1: expected KEY = VALUE"},
        {"when = 1\n", "line 1, column 1: the file has no name"},
        {"name = a\n", "line 1, column 1: the file has no condition (when)"},
        {"name =\n", "line 1, column 7: missing value"},
        {"param a = 1\nparam a = 2\n", "line 2, column 7: duplicate parameter"},
        {"", "line 0, column 1: the file has no name"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_custom_rule *c;
        struct sm_err err = {0};
        assert_false(sm_custom_parse(rows[i].text, strlen(rows[i].text), &c, &err));
        assert_string_equal(err.msg, rows[i].message);
    }
}

static void test_service_list(void **state)
{
    static const char text[] =
        "[{\"RuleConfigurationName\": \"mine\", \"RuleEvaluatorImage\": \"x\", \"VolumeSizeInGB\": "
        "0,"
        "  \"RuleParameters\": {\"rule_to_invoke\": \"Overfit\", \"patience\": \"2\", "
        "\"base_trial\": \"s3://b\","
        "                     \"action_json\": \"[{\\\"name\\\":\\\"sms\\\"}]\", \"x\": "
        "{\"rule_to_invoke\": \"no\"}}},"
        " {\"RuleParameters\": {\"threshold\": 1e-3, \"only_nan\": true}, \"LocalPath\": \"p\"}]";
    struct sm_arena a = {0};
    struct sm_err err = {0};
    struct sm_service_rule *rules;
    size_t n;
    (void)state;
    assert_true(sm_service_parse(text, sizeof text - 1, &a, &rules, &n, &err));
    assert_int_equal(n, 2);
    assert_string_equal(rules[0].instance, "mine");
    assert_string_equal(rules[0].rule, "Overfit");
    assert_int_equal(rules[0].n_args, 2);
    assert_string_equal(rules[0].args[0], "patience=2");
    assert_string_equal(rules[0].args[1], "action=[{\"name\":\"sms\"}]");
    assert_null(rules[1].rule);
    assert_null(rules[1].instance);
    assert_string_equal(rules[1].args[0], "threshold=1e-3");
    assert_string_equal(rules[1].args[1], "only_nan=True");
    assert_false(sm_service_parse("[{]", 3, &a, &rules, &n, &err));
    assert_int_equal(err.code, SM_ERR_DATA);
    sm_arena_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule_file),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_service_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
