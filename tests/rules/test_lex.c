/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens: numbers, quotes, names with and without knowing the tensors. */
#include "tests/rules/evaluate.h"

#include "rules/expr/ast.h"

static struct sm_arena arena;

static struct sm_expr_token lex(const char *text, size_t at, struct sm_expr_names *names)
{
    struct sm_expr_token t;
    struct sm_err err = {0};
    struct sm_expr_names none = {0};
    if (!sm_expr_lex(sm_text(text), at, names ? names : &none, &arena, &t, &err))
        fail_msg("%s: %s", text, err.msg);
    return t;
}

static const char *lex_message(const char *text)
{
    static struct sm_err err;
    struct sm_expr_token t;
    struct sm_expr_names none = {0};
    assert_false(sm_expr_lex(sm_text(text), 0, &none, &arena, &t, &err));
    assert_int_equal(err.code, SM_ERR_USAGE);
    return err.msg;
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double number;
        bool is_int;
        size_t end;
    } rows[] = {
        {"12", 12, true, 2},
        {"  12+1", 12, true, 4},
        {"1.5", 1.5, false, 3},
        {".5", 0.5, false, 2},
        {"1e3", 1000, false, 3},
        {"1e-3", 0.001, false, 4},
        {"0x1F", 31, true, 4},
        {"010", 10, true, 3},
        {"4k", 4000, true, 2},
        {"1.5k", 1500, true, 4},
        {"2m", 2e6, true, 2},
        {"3g", 3e9, true, 2},
        {"4Ki", 4096, true, 3},
        {"2Mi", 2097152, true, 3},
        {"1Gi", 1073741824, true, 3},
        {"1kg", 1, true, 1},
        {"9007199254740993", 9007199254740992.0, true, 16},
        {"9223372036854775807", 9223372036854775808.0, true, 19},
        {"18446744073709551615", 18446744073709551616.0, true, 20},
        {"99999999999999999999", 1e20, false, 20},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_expr_token t = lex(rows[i].text, 0, NULL);
        if (t.type != SM_TOK_NUMBER || t.number.real != rows[i].number ||
            t.number.is_int != rows[i].is_int || t.end != rows[i].end)
            fail_msg("%s: %.17g int %d end %zu", rows[i].text, t.number.real, t.number.is_int,
                     t.end);
    }
    assert_int_equal(lex("9007199254740993", 0, NULL).number.integer.magnitude, 9007199254740993);
    char digits[1000];
    memset(digits, '1', sizeof digits - 1);
    digits[sizeof digits - 1] = 0;
    assert_string_equal(lex_message(digits), "number too long at column 1");
}

static void test_quotes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
        enum sm_expr_token_type type;
    } rows[] = {
        {"'a b'", "a b", SM_TOK_STRING},
        {"'a\\n'", "a\\n", SM_TOK_STRING},
        {"\"a\\n\\\"\\x41\\\\\"", "a\n\"A\\", SM_TOK_STRING},
        {"`a/b:0 c`", "a/b:0 c", SM_TOK_QUOTED_NAME},
        {"`a\\b`", "a\\b", SM_TOK_QUOTED_NAME},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_expr_token t = lex(rows[i].text, 0, NULL);
        assert_int_equal(t.type, rows[i].type);
        assert_int_equal(t.text.n, strlen(rows[i].expected));
        assert_memory_equal(t.text.p, rows[i].expected, t.text.n);
        assert_int_equal(t.end, strlen(rows[i].text));
    }
    assert_string_equal(lex_message("  \"abc"), "no closing quote for the one at column 3");
    assert_string_equal(lex_message("`abc"), "no closing backtick for the one at column 1");
    assert_string_equal(lex_message("\"abc\\"), "no closing quote for the one at column 1");
}

static void test_operators(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum sm_expr_token_type type;
    } rows[] = {
        {"**", SM_TOK_POWER}, {"^", SM_TOK_POWER}, {"*", SM_TOK_STAR},     {"<=", SM_TOK_LE},
        {"<", SM_TOK_LT},     {"!=", SM_TOK_NE},   {"!", SM_TOK_NOT},      {"||", SM_TOK_OR},
        {"&&", SM_TOK_AND},   {"==", SM_TOK_EQ},   {"?", SM_TOK_QUESTION}, {":", SM_TOK_COLON},
        {"@", SM_TOK_AT},     {"", SM_TOK_END},    {" \t", SM_TOK_END},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(lex(rows[i].text, 0, NULL).type, rows[i].type);
    assert_string_equal(lex_message("="), "unexpected \"=\" at column 1");
    assert_string_equal(lex_message(" &x"), "unexpected \"&\" at column 2");
}

static void test_variables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } rows[] = {{"$", ""},   {"$$", "$"},     {"$$12+1", "$12"},
                {"$3", "3"}, {"$lr*2", "lr"}, {"$_exitcode)", "_exitcode"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_expr_token t = lex(rows[i].text, 0, NULL);
        assert_int_equal(t.type, SM_TOK_VARIABLE);
        assert_true(sm_text_is(t.text, rows[i].expected));
    }
}

/* Without a trial: the longest text that can be a name, unless `split` is set. */
static void test_guessed_names(void **state)
{
    (void)state;
    static const struct {
        const char *text, *whole, *split;
    } rows[] = {
        {"loss", "loss", "loss"},
        {"CNN_conv0.weight*2", "CNN_conv0.weight", "CNN_conv0.weight"},
        {"gradient/conv0:0 + 1", "gradient/conv0:0", "gradient"},
        {"a/b/mean(c)", "a/b", "a"},
        {"loss / b", "loss", "loss"},
        {"loss-1", "loss", "loss"},
        {"a.", "a", "a"},
        {"a/", "a", "a"},
        {"nan:a", "nan", "nan"},
        {"\xe5\xb1\x82/x", "\xe5\xb1\x82/x", "\xe5\xb1\x82"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_expr_names split = {.split = true};
        struct sm_expr_token whole = lex(rows[i].text, 0, NULL),
                             part = lex(rows[i].text, 0, &split);
        if (!sm_text_is(whole.text, rows[i].whole) || !sm_text_is(part.text, rows[i].split))
            fail_msg("%s: \"%.*s\" \"%.*s\"", rows[i].text, (int)whole.text.n, whole.text.p,
                     (int)part.text.n, part.text.p);
    }
    struct sm_expr_names names = {0};
    lex("loss / 2", 0, &names);
    assert_false(names.ambiguous);
    lex("loss/2", 0, &names);
    assert_true(names.ambiguous);
}

static void test_known_names(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "dtypes");
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"a:b:c", "a:b:c"},
        {"a:b:c:2", "a:b:c"},
        {"a:b:c/scope/inner/leaf", "a:b:c"},
        {"scope/inner/leaf/2", "scope/inner/leaf"},
        {"UPPER_lower-123-4", "UPPER_lower-123"},
        {"dense/kernel:0:4", "dense/kernel:0"},
        {"MLP_fc0.bias-1", "MLP_fc0.bias"},
        {"scope/inner/nothing", "scope/inner/nothing"},
        {"scope/inner/leafs", "scope/inner/leafs"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_expr_names names = {.trial = b.trial};
        struct sm_expr_token t = lex(rows[i].text, 0, &names);
        if (!sm_text_is(t.text, rows[i].expected))
            fail_msg("%s: \"%.*s\"", rows[i].text, (int)t.text.n, t.text.p);
    }
    bench_close(&b);
}

static int clear(void **state)
{
    (void)state;
    sm_arena_clear(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),       cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_operators),     cmocka_unit_test(test_variables),
        cmocka_unit_test(test_guessed_names), cmocka_unit_test(test_known_names),
    };
    return cmocka_run_group_tests(tests, NULL, clear);
}
