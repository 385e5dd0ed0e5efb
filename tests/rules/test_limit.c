/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of elements with a number: statistics and counting in float32 give the same result as
 * comparing each element. */
#include "tests/rules/evaluate.h"

static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};

static bool truth(struct bench *b, const char *text)
{
    if (!bench_eval(b, text))
        fail_msg("%s: %s", text, b->err.msg);
    return sm_expr_is_true(&b->value);
}

/* Evaluated as for a breakpoint. */
static bool light_truth(struct bench *b, const char *text)
{
    struct sm_expr *e;
    struct sm_value v;
    assert_true(sm_expr_parse(text, strlen(text), &b->arena, &e, &b->err));
    assert_true(sm_expr_needs_stats_only(e, &b->env));
    if (!sm_expr_eval_stats(e, &b->env, &v, &b->err)) {
        assert_int_equal(b->err.code, SM_ERR_WAIT);
        while (sm_pool_pending(b->pool) || !sm_expr_eval_stats(e, &b->env, &v, &b->err)) {
            sm_fetch_flush(b->fetch);
            sm_pool_collect(b->pool, 100);
            sm_fetch_pump(b->fetch);
        }
    }
    bool yes = sm_expr_is_true(&v);
    sm_value_clear(&v);
    return yes;
}

static double counted(struct bench *b, const char *text)
{
    return truth(b, text) ? b->value.number : 0;
}

/* $t + 0 is float64 and not a name, so each element is compared. */
static void expect_same(struct bench *b, const char *op, double c)
{
    char text[120], reference[120], other[120];
    snprintf(reference, sizeof reference, "count($t + 0 %s %.17g)", op, c);
    double n = counted(b, reference), all = counted(b, "size($t)");
    snprintf(text, sizeof text, "count($t %s %.17g)", op, c);
    if (counted(b, text) != n)
        fail_msg("%s is %.17g, not %.17g", text, b->value.number, n);
    snprintf(text, sizeof text, "any($t %s %.17g)", op, c);
    snprintf(other, sizeof other, "all($t %s %.17g)", op, c);
    if (truth(b, text) != (n > 0) || truth(b, other) != (n == all))
        fail_msg("%s, %s: %g of %g", text, other, n, all);
    bool range = *op == '<' || *op == '>';
    snprintf(other, sizeof other, "$t %s %.17g", op, c);
    if (range && (light_truth(b, text) != (n > 0) || light_truth(b, other) != (n > 0)))
        fail_msg("at once: %s, %s: %g of %g", text, other, n, all);
}

static void expect_same_from_the_left(struct bench *b, const char *op, double c)
{
    char text[120], reference[120];
    snprintf(reference, sizeof reference, "count(%.17g %s $t + 0)", c, op);
    double n = counted(b, reference);
    snprintf(text, sizeof text, "count(%.17g %s $t)", c, op);
    assert_true(counted(b, text) == n);
    snprintf(text, sizeof text, "any(%.17g %s $t)", c, op);
    assert_int_equal(truth(b, text), n > 0);
}

static void expect_tensor(struct bench *b)
{
    double numbers[] = {0,       -1,    0.1,    0.10000000149011612,   1e-300,
                        -1e-300, 1e300, -1e300, 3.4028234663852886e38, 3.4028235e38,
                        0,       0};
    size_t n = sizeof numbers / sizeof *numbers;
    truth(b, "max($t)");
    numbers[n - 2] = b->value.number;
    truth(b, "min($t)");
    numbers[n - 1] = b->value.number;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(numbers[i]))
            continue;
        for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
            expect_same(b, operators[k], numbers[i]);
            expect_same_from_the_left(b, operators[k], numbers[i]);
        }
    }
}

/* All tensors of numbers at one step. */
static void expect_step(struct bench *b, int64_t step)
{
    b->env.step = (struct sm_step){step};
    for (size_t i = 0; i < sm_trial_tensor_count(b->trial); i++) {
        size_t from, to;
        b->env.of = sm_trial_tensor(b->trial, i);
        if (sm_trial_entries_at(b->trial, b->env.of, b->env.step, &from, &to) &&
            bench_eval(b, "max($t)"))
            expect_tensor(b);
    }
}

static void test_of_floats_with_nan_and_infinities(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mlp_exploding_tensor");
    size_t n = sm_trial_step_count(b.trial);
    expect_step(&b, sm_trial_step(b.trial, 0)->step.n);
    expect_step(&b, sm_trial_step(b.trial, n - 1)->step.n);
    bench_close(&b);
}

static void test_of_every_type(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "dtypes");
    expect_step(&b, sm_trial_step(b.trial, 0)->step.n);
    expect_step(&b, sm_trial_step(b.trial, 1)->step.n);
    bench_close(&b);
}

/* Comparisons of two tensors, and of none. */
static void test_other_comparisons(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mlp_exploding_tensor");
    b.env.step = sm_trial_step(b.trial, 0)->step;
    b.env.of = sm_trial_tensor(b.trial, 0);
    assert_true(counted(&b, "count($t == $t)") == counted(&b, "size($t)") - counted(&b, "nan($t)"));
    assert_false(truth(&b, "any($t < $t)"));
    assert_false(bench_eval(&b, "any(`no such tensor` > 1)"));
    b.env.of = NULL;
    assert_true(bench_eval(&b, "any(2 > 1)") && sm_expr_is_true(&b.value));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_floats_with_nan_and_infinities),
        cmocka_unit_test(test_of_every_type),
        cmocka_unit_test(test_other_comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
