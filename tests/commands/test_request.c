/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing requests and converting them to command lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "commands/features.h"
#include "commands/language/cmd_set.h"
#include "commands/language/request.h"

#include <string.h>

/* The built-in commands; kept until the program ends. */
static struct sm_cmd_set *command_set(void)
{
    static struct sm_cmd_set *set;
    if (!set)
        set = sm_cmd_set_new(sm_command_features);
    return set;
}

static struct sm_request request;
static struct sm_err err;

static bool parse(const char *text)
{
    sm_request_clear(&request);
    return sm_request_parse(text, strlen(text), &request, &err);
}

static void expect_line(const char *text, const char *want)
{
    struct sm_str line = {0};
    assert_true(parse(text));
    assert_true(sm_request_line(command_set(), &request, &line, &err));
    assert_string_equal(sm_str_text(&line), want);
    sm_str_clear(&line);
    sm_request_clear(&request);
}

static void arguments_become_words(void **state)
{
    (void)state;
    expect_line("{\"cmd\":\"tensor\",\"args\":{\"step\":100,\"a\":true,\"s\":false,\"name\":\"w\","
                "\"where\":null}}",
                "tensor \"w\" step 100 -a");
    expect_line("{\"cmd\":\"tensor\",\"args\":{\"name\":\"a b\",\"slice\":\"[0,:]\"}}",
                "tensor \"a b\"[0,:]");
    expect_line("{\"cmd\":\"stat\",\"args\":{\"name\":[\"*.w\",\"a b\"],\"mode\":\"train\"}}",
                "stat *.w \"a b\" mode \"train\"");
    expect_line("{\"cmd\":\"info  steps\",\"args\":{\"field\":\"step\",\"jsonl\":true}}",
                "info steps -jsonl -field \"step\"");
    expect_line("{\"cmd\":\"x\",\"args\":{\"format\":\"4g\",\"name\":\"w\"}}", "x/4g \"w\"");
    expect_line("{\"cmd\":\"info tensor\",\"args\":[\"w\"]}", "info tensor \"w\"");
    expect_line("{\"cmd\":\"tensor\",\"args\":[\"w\",\"last\"]}", "tensor \"w\" last");
    expect_line("{\"cmd\":\"trial\",\"args\":{\"no-baseline\":true}}", "trial -no-baseline");
    expect_line("{\"cmd\":\"trial\",\"args\":{\"no_baseline\":true}}", "trial -no-baseline");
    expect_line("{\"cmd\":\"info steps\",\"args\":{\"0\":true}}", "info steps -0");
}

static void integers_and_minus_zero_stay(void **state)
{
    (void)state;
    expect_line("{\"cmd\":\"goto\",\"args\":{\"step\":9223372036854775807}}",
                "goto 9223372036854775807");
    expect_line("{\"cmd\":\"ignore\",\"args\":{\"n\":1,\"count\":18446744073709551615}}",
                "ignore 1 18446744073709551615");
    expect_line("{\"cmd\":\"find\",\"args\":{\"value\":-0}}", "find \"-0\"");
    expect_line("{\"cmd\":\"print\",\"args\":{\"expr\":-0}}", "print -0.0");
    expect_line("{\"cmd\":\"print\",\"args\":[-0.0]}", "print -0.0");
    expect_line("{\"cmd\":\"set\",\"args\":{\"name\":\"confirm\",\"value\":false}}",
                "set confirm off");
    expect_line("{\"cmd\":\"set\",\"args\":{\"name\":\"$x\",\"value\":true}}", "set $x true");
}

static void raw_commands_get_unquoted_text(void **state)
{
    (void)state;
    expect_line("{\"cmd\":\"print\",\"args\":{\"expr\":\"mean(w) > 1\"}}", "print mean(w) > 1");
    expect_line("{\"cmd\":\"assert\",\"args\":{\"message\":\"too large\",\"expr\":\"w < 1\"}}",
                "assert w < 1, too large");
    expect_line("{\"cmd\":\"alias\",\"args\":{\"a\":true,\"name_command\":\"m = stat\"}}",
                "alias -a m = stat");
}

static void expect_refused(const char *text)
{
    struct sm_str line = {0};
    assert_true(parse(text));
    if (sm_request_line(command_set(), &request, &line, &err))
        fail_msg("%s becomes %s", text, sm_str_text(&line));
    sm_str_clear(&line);
    sm_request_clear(&request);
}

static void arguments_are_quoted(void **state)
{
    (void)state;
    expect_line(
        "{\"cmd\":\"stat\",\"args\":{\"name\":[\"-json\",\"step\",\"a\\u0000b\"],\"step\":-5}}",
        "stat \"-json\" \"step\" \"a\\x00b\" step -5");
    expect_line("{\"cmd\":\"goto\",\"args\":{\"step\":\"-5\"}}", "goto -5");
    expect_line("{\"cmd\":\"snapshot save\",\"args\":{\"file\":\"f\",\"pattern\":\"-f\"}}",
                "snapshot save \"f\" \"-f\"");
    expect_line("{\"cmd\":\"tensor\",\"args\":{\"name\":\"a\\nquit\"}}", "tensor \"a\\x0aquit\"");
    expect_refused("{\"cmd\":\"print\",\"args\":{\"expr\":\"1\\nquit 7\"}}");
    expect_refused("{\"cmd\":\"print\",\"args\":[\"1\\u0000\"]}");
    expect_refused("{\"cmd\":\"tensor\",\"args\":{\"name\":\"w\",\"slice\":\"[0]\\nquit 7\"}}");
    expect_refused("{\"cmd\":\"tensor\",\"args\":{\"name\":\"w\",\"slice\":\"[0] > /f\"}}");
    expect_refused("{\"cmd\":\"x\",\"args\":{\"name\":\"w\",\"format\":\"2g\\nquit 7\"}}");
    expect_refused("{\"cmd\":\"print\",\"args\":{\"expr\":\"1 > /f\"}}");
    expect_refused("{\"cmd\":\"echo\",\"args\":[\"x | cat\"]}");
}

static void expect_error(const char *text, enum sm_err_kind kind, const char *message)
{
    expect_refused(text);
    assert_int_equal(err.kind, kind);
    if (strncmp(err.msg, message, strlen(message)) != 0)
        fail_msg("%s: %s", text, err.msg);
}

static void unknown_arguments_are_refused(void **state)
{
    (void)state;
    expect_error("{\"cmd\":\"break\",\"args\":{\"loc\":\"*w\",\"cond\":\"$v > 1\"}}",
                 SM_ERR_IS_NO_ARGUMENT,
                 "\"break\" has no argument \"cond\".  Did you mean \"if\"?  It has: loc, rule, "
                 "mode, if");
    expect_error("{\"cmd\":\"break\",\"args\":{\"condition\":\"1\"}}", SM_ERR_IS_NO_ARGUMENT,
                 "\"break\" has no argument \"condition\".  Did you mean \"if\"?");
    expect_error("{\"cmd\":\"series\",\"args\":{\"name\":\"w\",\"reduction\":\"max\"}}",
                 SM_ERR_IS_NO_ARGUMENT,
                 "\"series\" has no argument \"reduction\".  Did you mean \"reduce\"?");
    expect_error("{\"cmd\":\"tensor\",\"args\":{\"nmae\":\"w\"}}", SM_ERR_IS_NO_ARGUMENT,
                 "\"tensor\" has no argument \"nmae\".  Did you mean \"name\"?");
    expect_error("{\"cmd\":\"tensor\",\"args\":{\"zzzzz\":1}}", SM_ERR_IS_NO_ARGUMENT,
                 "\"tensor\" has no argument \"zzzzz\".  It has: name, ");
    expect_error("{\"cmd\":\"close\",\"args\":{\"name\":1}}", SM_ERR_IS_NO_ARGUMENT,
                 "\"close\" has no argument \"name\".");
    expect_error("{\"cmd\":\"hist\",\"args\":{\"format\":\"20g\"}}", SM_ERR_IS_NO_ARGUMENT,
                 "\"hist\" has no argument \"format\".");
    expect_error("{\"cmd\":\"tensor\",\"args\":{\"name\\u001b[2J\":1}}", SM_ERR_IS_NO_ARGUMENT,
                 "\"tensor\" has no argument \"name\\x1b[2J\".");
}

static void wrong_types_are_refused(void **state)
{
    static const char *const wrong[] = {
        "{\"cmd\":\"tensor\",\"args\":{\"name\":true}}",
        "{\"cmd\":\"tensor\",\"args\":{\"name\":false}}",
        "{\"cmd\":\"tensor\",\"args\":{\"name\":[\"a\",\"b\"]}}",
        "{\"cmd\":\"tensor\",\"args\":{\"name\":\"a\",\"step\":[1,2]}}",
        "{\"cmd\":\"tensor\",\"args\":{\"name\":\"a\",\"mode\":1}}",
        "{\"cmd\":\"tensor\",\"args\":{\"name\":\"a\",\"a\":1}}",
        "{\"cmd\":\"tensor\",\"args\":{\"name\":\"a\",\"a\":\"yes\"}}",
        "{\"cmd\":\"tensor\",\"args\":{\"name\":\"a\",\"slice\":0}}",
        "{\"cmd\":\"tensor\",\"args\":{\"name\":\"a\",\"slice\":\"[0] [1]\"}}",
        "{\"cmd\":\"x\",\"args\":{\"name\":\"a\",\"format\":\"4g b\"}}",
        "{\"cmd\":\"open\",\"args\":{\"path\":false}}",
        "{\"cmd\":\"rule add\",\"args\":{\"name\":7}}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_error(wrong[i], SM_ERR_IS_PLAIN, "The argument \"");
}

/* A large request costs time in proportion to its size. */
static void many_values(void **state)
{
    enum { MANY = 100000 };
    struct sm_str text = {0}, line = {0};
    (void)state;
    sm_str_add(&text, "{\"cmd\":\"stat\",\"args\":{\"name\":[1");
    for (size_t i = 1; i < MANY; i++)
        sm_str_add(&text, ",1");
    sm_str_add(&text, "]}}");
    assert_true(parse(text.data));
    assert_true(sm_request_line(command_set(), &request, &line, &err));
    assert_int_equal(line.len, strlen("stat") + 2 * MANY);
    sm_str_clear(&text);
    sm_str_clear(&line);
    sm_request_clear(&request);
}

static void a_place_is_read(void **state)
{
    (void)state;
    assert_true(
        parse("{\"cli\":\"x\",\"trial\":2,\"step\":\"last\",\"mode\":\"eval\",\"worker\":null}"));
    assert_true(sm_request_has_place(&request));
    assert_string_equal(request.trial, "2");
    assert_string_equal(request.step, "last");
    assert_string_equal(request.mode, "eval");
    assert_null(request.worker);
    sm_request_clear(&request);
    assert_false(parse("{\"cancel\":true,\"step\":1}"));
}

static void the_id_is_found_after_an_error(void **state)
{
    static const char *const late[] = {
        "{\"cmd\":\"x\",\"cmd\":\"y\",\"id\":5}",
        "{\"cmd\":\"x\",\"args\":{\"a\":1,\"a\":2},\"id\":5}",
        "{\"cmd\":\"x\",\"args\":{\"a\":[[1]]},\"id\":5}",
        "{\"cmd\":\"x\",\"args\":[{\"a\":1}],\"id\":5}",
        "{\"cmd\":\"x\",\"args\":{\"a\":{\"id\":7}},\"id\":5}",
        "{\"cmd\":\"x\",\"step\":true,\"id\":5}",
        "{\"now\":1,\"cli\":\"x\",\"id\":5}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
        assert_false(parse(late[i]));
        assert_string_equal(request.id, "5");
    }
    sm_request_clear(&request);
}

static void ids_are_json_text(void **state)
{
    (void)state;
    assert_true(parse("{\"id\":12.50,\"cli\":\"x\"}"));
    assert_string_equal(request.id, "12.50");
    assert_true(parse("{\"id\":\"a\\\"\\u0007\",\"cli\":\"x\"}"));
    assert_string_equal(request.id, "\"a\\\"\\u0007\"");
    assert_true(parse("{\"cli\":\"x\",\"other\":{\"id\":3,\"cmd\":\"y\"}}"));
    assert_string_equal(request.id, "null");
    assert_null(request.cmd);
    assert_false(parse("{\"id\":5,\"cmd\":\"x\",\"cli\":\"y\"}"));
    assert_string_equal(request.id, "5");
    sm_request_clear(&request);
}

static void cancel_one_or_all(void **state)
{
    (void)state;
    assert_true(parse("{\"id\":5,\"cancel\":true,\"now\":false}"));
    assert_true(request.cancel);
    assert_null(request.target);
    assert_false(request.now);
    sm_request_clear(&request);
    assert_true(parse("{\"cancel\":7}"));
    assert_string_equal(request.target, "7");
    sm_request_clear(&request);
    assert_true(parse("{\"cancel\":\"a\\nb\"}"));
    assert_string_equal(request.target, "\"a\\nb\"");
    sm_request_clear(&request);
    assert_true(parse("{\"cli\":\"info\",\"now\":true}"));
    assert_true(request.now && !request.cancel);
    sm_request_clear(&request);
}

static void invalid_requests_are_refused(void **state)
{
    static const char *const bad[] = {"",
                                      "7",
                                      "[]",
                                      "[{\"cli\":\"x\"}]",
                                      "{\"cli\":\"x\"}{}",
                                      "{\"cli\":\"x\\u0000y\"}",
                                      "{\"id\":1}",
                                      "{\"cancel\":false}",
                                      "{\"cli\":7}",
                                      "{\"id\":true,\"cli\":\"x\"}",
                                      "{\"id\":{\"a\":1},\"cli\":\"x\"}",
                                      "{\"id\":1,\"cmd\":\"print\",\"args\":\"x\"}",
                                      "{\"now\":1,\"cli\":\"x\"}"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err.msg[0] = 0;
        if (parse(bad[i]) || !err.msg[0] || err.kind != SM_ERR_IS_BAD_REQUEST)
            fail_msg("%s is taken", bad[i]);
    }
    sm_request_clear(&request);
}

static void unknown_commands_are_reported(void **state)
{
    struct sm_str line = {0};
    (void)state;
    assert_true(parse("{\"cmd\":\"info nosuch\"}"));
    assert_false(sm_request_line(command_set(), &request, &line, &err));
    assert_string_equal(err.msg, "Undefined info command: \"nosuch\".  Try \"help info\".");
    assert_true(parse("{\"cmd\":\"print x\"}"));
    assert_false(sm_request_line(command_set(), &request, &line, &err));
    assert_true(parse("{\"cmd\":\"\"}"));
    assert_false(sm_request_line(command_set(), &request, &line, &err));
    sm_str_clear(&line);
    sm_request_clear(&request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_become_words),
        cmocka_unit_test(raw_commands_get_unquoted_text),
        cmocka_unit_test(arguments_are_quoted),
        cmocka_unit_test(integers_and_minus_zero_stay),
        cmocka_unit_test(unknown_arguments_are_refused),
        cmocka_unit_test(wrong_types_are_refused),
        cmocka_unit_test(many_values),
        cmocka_unit_test(a_place_is_read),
        cmocka_unit_test(the_id_is_found_after_an_error),
        cmocka_unit_test(ids_are_json_text),
        cmocka_unit_test(cancel_one_or_all),
        cmocka_unit_test(invalid_requests_are_refused),
        cmocka_unit_test(unknown_commands_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
