/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing: precedence, errors with their column, and limits. */
#include "tests/rules/evaluate.h"

#include "rules/expr/ast.h"
#include "rules/expr/funcs.h"

static void print_name(const struct sm_ast *e, struct sm_str *out)
{
    static const char *const places[] = {"", "@N", "@+N", "@~N", "@ago", "@first", "@last", "@all"};
    sm_str_printf(out, "%.*s%s", (int)e->text.n, e->text.p, places[e->place.kind]);
    bool span = e->place.kind == SM_STEP_ALL && e->place.n >= 0;
    bool counted = e->place.kind >= SM_STEP_NUMBER && e->place.kind <= SM_STEP_AGO;
    if (counted || span)
        sm_str_printf(out, "=%lld", (long long)e->place.n);
    if (span)
        sm_str_printf(out, "..%lld", (long long)e->place.to);
    if (e->place.mode)
        sm_str_printf(out, "~%d", (int)e->place.mode);
    if (e->place.worker.n)
        sm_str_printf(out, "~%.*s", (int)e->place.worker.n, e->place.worker.p);
}

/* Prints the tree with all brackets. */
static void print_tree(const struct sm_ast *e, struct sm_str *out)
{
    static const char *const ops[SM_TOK_TYPES] = {
        [SM_TOK_OR] = "||",     [SM_TOK_AND] = "&&",  [SM_TOK_EQ] = "==",  [SM_TOK_NE] = "!=",
        [SM_TOK_LT] = "<",      [SM_TOK_LE] = "<=",   [SM_TOK_GT] = ">",   [SM_TOK_GE] = ">=",
        [SM_TOK_PLUS] = "+",    [SM_TOK_MINUS] = "-", [SM_TOK_STAR] = "*", [SM_TOK_SLASH] = "/",
        [SM_TOK_PERCENT] = "%", [SM_TOK_POWER] = "^", [SM_TOK_NOT] = "!",
    };
    if (e->type == SM_AST_CONSTANT && e->constant.type == SM_STRING)
        sm_str_printf(out, "'%.*s'", (int)e->constant.text.n, e->constant.text.p);
    else if (e->type == SM_AST_CONSTANT)
        sm_str_printf(out, "%g", e->constant.number);
    else if (e->type == SM_AST_VARIABLE)
        sm_str_printf(out, "$%.*s", (int)e->text.n, e->text.p);
    else if (e->type == SM_AST_NAME)
        print_name(e, out);
    else {
        const char *op = e->type == SM_AST_CALL      ? e->func->public.name
                         : e->type == SM_AST_TERNARY ? "?:"
                         : e->type == SM_AST_RANGE   ? ".."
                         : e->type == SM_AST_SLICE   ? "[]"
                                                     : ops[e->op];
        sm_str_printf(out, "(%s", op);
        for (unsigned i = 0; i < e->n_args; i++) {
            sm_str_add(out, " ");
            print_tree(e->args[i], out);
        }
        sm_str_add(out, ")");
    }
}

static const char *tree(const char *text)
{
    static struct sm_str s;
    struct sm_arena arena = {0};
    struct sm_expr *e;
    struct sm_err err = {0};
    sm_str_truncate(&s, 0);
    if (sm_expr_parse(text, strlen(text), &arena, &e, &err))
        print_tree(e->tree, &s);
    else
        sm_str_printf(&s, "error: %s", err.msg);
    sm_arena_clear(&arena);
    return sm_str_text(&s);
}

static void check(const struct case_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_string_equal(tree(rows[i].text), rows[i].expected);
}
#define CHECK(rows) check(rows, sizeof(rows) / sizeof *(rows))

static void test_precedence(void **state)
{
    (void)state;
    static const struct case_row rows[] = {
        {"1+2*3", "(+ 1 (* 2 3))"},
        {"(1+2)*3", "(* (+ 1 2) 3)"},
        {"1-2-3", "(- (- 1 2) 3)"},
        {"8 / 4 % 3", "(% (/ 8 4) 3)"},
        {"2^3^2", "(^ 2 (^ 3 2))"},
        {"2**3", "(^ 2 3)"},
        {"-2^2", "(- (^ 2 2))"},
        {"2^-1", "(^ 2 (- 1))"},
        {"2^-1*3", "(* (^ 2 (- 1)) 3)"},
        {"-1+2", "(+ (- 1) 2)"},
        {"!$a && $b", "(&& (! $a) $b)"},
        {"!-+$a", "(! (- (+ $a)))"},
        {"1 || 2 && 3", "(|| 1 (&& 2 3))"},
        {"1 < 2 == 3 > 4", "(== (< 1 2) (> 3 4))"},
        {"1+1 <= 2*3", "(<= (+ 1 1) (* 2 3))"},
        {"1 ? 2 : 3", "(?: 1 2 3)"},
        {"1 ? 2 : 3 ? 4 : 5", "(?: 1 2 (?: 3 4 5))"},
        {"1 ? 2 ? 3 : 4 : 5", "(?: 1 (?: 2 3 4) 5)"},
        {"1 ? (2:3) : 4", "(?: 1 (.. 2 3) 4)"},
        {"1:2+3", "(.. 1 (+ 2 3))"},
        {"true && false", "(&& 1 0)"},
        {"nan + inf", "(+ nan inf)"},
        {"min(1) + max(2)", "(+ (min 1) (max 2))"},
        {"q($t, 0.5)", "(q $t 0.5)"},
        {"mean (max($t > 1))", "(mean (max (> $t 1)))"},
        {"'a b' == \"c\"", "(== 'a b' 'c')"},
    };
    CHECK(rows);
}

static void test_suffixes(void **state)
{
    (void)state;
    static const struct case_row rows[] = {
        {"loss@100", "loss@N=100"},
        {"loss@100-5", "(- loss@N=100 5)"},
        {"loss@-5", "loss@+N=-5"},
        {"loss@+5*2", "(* loss@+N=5 2)"},
        {"loss@first", "loss@first"},
        {"loss@last/2", "(/ loss@last 2)"},
        {"loss@all", "loss@all"},
        {"loss@0:40", "loss@all=0..39"},
        {"loss@eval:0..40", "loss@all=0..40~2"},
        {"loss@~40+1", "(+ loss@~N=40 1)"},
        {"loss@-10m", "loss@ago=600000000"},
        {"loss@-10*m", "(* loss@+N=-10 m)"},
        {"1 ? loss@10 : 3", "(?: 1 loss@N=10 3)"},
        {"loss@.", "loss"},
        {"loss@eval:12", "loss@N=12~2"},
        {"loss@TRAIN:12", "loss@N=12~1"},
        {"loss@eval:all", "loss@all~2"},
        {"loss@100/worker_1", "loss@N=100~worker_1"},
        {"loss@all/worker_1", "loss@all~worker_1"},
        {"loss@eval:3/worker_1 + 1", "(+ loss@N=3~2~worker_1 1)"},
        {"loss@100/2", "(/ loss@N=100 2)"},
        {"loss@100/mean($t)", "(/ loss@N=100 (mean $t))"},
        {"w[0, :]@100", "([] w@N=100)"},
        {"w@100[0][1]", "([] ([] w@N=100))"},
        {"`a b`[0]@100", "([] a b@N=100)"},
        {"(1 ? w@5:2)", "(?: 1 w@N=5 2)"},
        {"-w[1]^2", "(- (^ ([] w) 2))"},
        {"a/b:0[1]", "([] a/b:0)"},
        {"c?a:b", "(?: c a b)"},
    };
    CHECK(rows);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct case_row rows[] = {
        {"", "error: unexpected end of the expression at column 1"},
        {"1 +", "error: unexpected end of the expression at column 4"},
        {"1 + * 2", "error: expected a value at column 5"},
        {"(1", "error: expected \")\" at column 3"},
        {"1)", "error: expected an operator at column 2"},
        {"1 2", "error: expected an operator at column 3"},
        {"1 ? 2", "error: expected \":\" at column 6"},
        {"nosuch(1)", "error: no function \"nosuch\" at column 1; \"help expressions\" lists them"},
        {"1 + min()", "error: too few arguments for min(x) at column 5"},
        {"q($t)", "error: too few arguments for q(x, p) at column 1"},
        {"min(1, 2)", "error: too many arguments at column 8"},
        {"min(1,)", "error: too many arguments at column 7"},
        {"q(1,)", "error: expected a value at column 5"},
        {"min(1", "error: expected \",\" or \")\" at column 6"},
        {"loss@", "error: expected a step such as 100, -1, ~100, -10m, 0:40, last, all or eval:12 "
                  "at column 6"},
        {"loss@nosuch",
         "error: expected a step such as 100, -1, ~100, -10m, 0:40, last, all or eval:12 "
         "at column 6"},
        {"loss@99999999999999999999",
         "error: expected a step such as 100, -1, ~100, -10m, 0:40, last, all "
         "or eval:12 at column 6"},
        {"loss@eval:",
         "error: expected a step such as 100, -1, ~100, -10m, 0:40, last, all or eval:12 "
         "at column 6"},
        {"3@5", "error: only the name of a tensor can have a step at column 2"},
        {"$t = 3", "error: unexpected \"=\" at column 4"},
    };
    CHECK(rows);
    assert_non_null(strstr(tree("w[0"), "slice at column 2: "));
    assert_non_null(strstr(tree("w[]"), "slice at column 2: "));
}

static void fill(char *text, const char *piece, size_t n, const char *end)
{
    *text = 0;
    for (size_t i = 0; i < n; i++)
        memcpy(text + i * strlen(piece), piece, strlen(piece) + 1);
    strcat(text, end);
}

static void test_limits(void **state)
{
    (void)state;
    static char text[70000];
    fill(text, "(", 150, "1");
    for (int i = 0; i < 150; i++)
        strcat(text, ")");
    assert_string_equal(tree(text), "1");
    fill(text, "(", 300, "1");
    assert_string_equal(tree(text), "error: nested too deeply at column 201");
    fill(text, "!", 60000, "1");
    assert_string_equal(tree(text), "error: nested too deeply at column 201");
    fill(text, "1?", 30000, "1");
    assert_non_null(strstr(tree(text), "nested too deep"));
    fill(text, "1+", 900, "1");
    assert_null(strstr(tree(text), "error"));
    fill(text, "1+", 30000, "1");
    assert_non_null(strstr(tree(text), "too many operators"));
    fill(text, "a/", 30000, "1");
    assert_non_null(strstr(tree(text), "a/a/a"));
    fill(text, "w", 1, "");
    fill(text + 1, "[0]", 20000, "");
    assert_non_null(strstr(tree(text), "too many operators"));
    memset(text, ' ', 65 * 1024);
    text[65 * 1024] = 0;
    assert_string_equal(tree(text), "error: the expression has 66560 bytes, the limit is 65536");
}

/* The text may go away after parsing. */
static void test_text_is_copied(void **state)
{
    (void)state;
    struct sm_arena arena = {0};
    struct sm_str s = {0};
    struct sm_expr *e;
    char text[] = "'abc' == name";
    assert_true(sm_expr_parse(text, strlen(text), &arena, &e, NULL));
    memset(text, '!', sizeof text - 1);
    print_tree(e->tree, &s);
    assert_string_equal(sm_str_text(&s), "(== 'abc' name)");
    sm_str_clear(&s);
    sm_arena_clear(&arena);
}

static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sm_expr_func_count(); i++) {
        const struct sm_expr_func *f = sm_expr_func(i);
        assert_true(f->min_args >= 1 && f->min_args <= f->max_args && f->max_args <= 3);
        assert_true(strlen(f->help) > 0 && strlen(f->help) <= 70);
        assert_true(i == 0 || strcmp(sm_expr_func(i - 1)->name, f->name) < 0);
        assert_non_null(sm_expr_func_find(sm_text(f->name))->run);
    }
    assert_null(sm_expr_func_find(sm_text("nosuch")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence), cmocka_unit_test(test_suffixes),
        cmocka_unit_test(test_errors),     cmocka_unit_test(test_text_is_copied),
        cmocka_unit_test(test_limits),     cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
