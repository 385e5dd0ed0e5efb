/* SPDX-License-Identifier: Apache-2.0 */
/* Bound expressions: values are requested together, the trial may go away, errors are reported only
 * if needed, and evaluation can be stopped. */
#include "tests/rules/evaluate.h"

#include <pthread.h>

static void run_jobs(struct bench *b)
{
    do
        sm_fetch_pump(b->fetch);
    while (sm_pool_collect(b->pool, 1));
}

/* Binds until all values are available; NULL on error, which is in b->err. *waits: number of waits.
 */
static struct sm_bound *bind_text(struct bench *b, const char *text, unsigned *waits)
{
    struct sm_expr *e;
    struct sm_bound *bound = NULL;
    assert_true(sm_expr_parse(text, strlen(text), &b->arena, &e, &b->err));
    for (*waits = 0; !sm_expr_bind(e, &b->env, &bound, &b->err); ++*waits) {
        if (b->err.code != SM_ERR_WAIT)
            return NULL;
        run_jobs(b);
    }
    return bound;
}

static void test_values_are_requested_together(void **state)
{
    (void)state;
    struct bench b;
    unsigned waits;
    bench_open(&b, "cnn_healthy");
    sm_bound_free(
        bind_text(&b,
                  "exists(CNN_conv0.bias@0) && max(CNN_conv0.weight@30) > 0 ? CNN_conv0.bias@0 * 2 "
                  ": cos(CNN_conv0.weight@0, CNN_conv0.weight@40)",
                  &waits));
    assert_int_equal(waits, 1);
    bench_close(&b);
}

static void test_requested_before_binding(void **state)
{
    (void)state;
    struct bench b;
    struct sm_expr *e;
    unsigned waits;
    const char *text = "count(CNN_conv0.weight@0 > nosuch) + sum(CNN_conv0.bias@0)";
    bench_open(&b, "cnn_healthy");
    assert_true(sm_expr_parse(text, strlen(text), &b.arena, &e, &b.err));
    assert_false(sm_expr_request(e, &b.env));
    run_jobs(&b);
    assert_true(sm_expr_request(e, &b.env));
    sm_bound_free(bind_text(&b, text, &waits));
    assert_int_equal(waits, 0);
    bench_close(&b);
}

struct task {
    const struct sm_bound *bound;
    struct sm_arena arena;
    struct sm_value value;
    struct sm_err err;
    bool ok;
};

static void *evaluate(void *arg)
{
    struct task *t = arg;
    t->ok = sm_expr_eval_bound(t->bound, &t->arena, NULL, &t->value, &t->err);
    return NULL;
}

static void test_outlives_the_trial(void **state)
{
    (void)state;
    struct bench b;
    struct task task = {0};
    pthread_t thread;
    unsigned waits;
    bench_open(&b, "dtypes");
    b.env.step.n = 2;
    struct sm_bound *bound =
        bind_text(&b, "sum(a:b:c) > 100 ? 'large' : shape(shape/transposed[:2] * 2)", &waits);
    assert_non_null(bound);
    bench_close(&b);
    task.bound = bound;
    assert_int_equal(pthread_create(&thread, NULL, evaluate, &task), 0);
    pthread_join(thread, NULL);
    sm_bound_free(bound);
    assert_true(task.ok);
    assert_int_equal(task.value.type, SM_STRING);
    assert_memory_equal(task.value.text.p, "(2, 3)", 6);
    sm_value_clear(&task.value);
    sm_arena_clear(&task.arena);
}

static void test_errors_only_if_needed(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "dtypes");
    b.env.step.n = 2;
    static const struct case_row rows[] = {
        {"1 ? 2 : nosuch", "2"},
        {"0 ? 2 : nosuch", "error: No tensor \"nosuch\"."},
        {"0 && mean(nosuch) > 1", "false"},
        {"1 || nosuch@5", "true"},
        {"exists(nosuch) ? nosuch : -1", "-1"},
        {"exists(nosuch) && nosuch > 1", "false"},
        {"exists(a:b:c) ? 'yes' : a:b:c@900", "\"yes\""},
    };
    BENCH_CHECK(&b, rows);
    bench_close(&b);
}

static void test_elements(void **state)
{
    (void)state;
    static const uint64_t dims[] = {100, 1, 50};
    static const struct {
        const char *text;
        uint64_t n;
    } rows[] = {
        {"x", 0},
        {"1 + 2", 1},
        {"x + 1", 5000},
        {"x * x + 1", 10000},
        {"mean(x)", 5000},
        {"x[0]", 50},
        {"x[:, :, 0] * x[0]", 100 + 50 + 5000},
        {"x[0] + 1", 100},
        {"x[500]", 1},
        {"0 && abs(x)", 10000},
    };
    struct bench b;
    unsigned waits;
    struct sm_value subject = {.type = SM_TENSOR};
    bench_open(&b, NULL);
    assert_true(sm_tensor_new(SM_DTYPE_FLOAT32, 3, dims, NULL, &subject.tensor, NULL));
    b.env.subject = &subject;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_bound *bound = bind_text(&b, rows[i].text, &waits);
        if (sm_bound_elements(bound) != rows[i].n)
            fail_msg("%s: %llu", rows[i].text, (unsigned long long)sm_bound_elements(bound));
        sm_bound_free(bound);
    }
    sm_value_clear(&subject);
    bench_close(&b);
}

static void test_stops(void **state)
{
    (void)state;
    static const char *const texts[] = {"x + 1",     "sqrt(x)",   "isnan(x)", "count(x)",
                                        "argmax(x)", "cos(x, x)", "!x"};
    static const uint64_t n = 300000;
    struct bench b;
    unsigned waits;
    atomic_bool stop = false;
    struct sm_value subject = {.type = SM_TENSOR};
    bench_open(&b, NULL);
    assert_true(sm_tensor_new(SM_DTYPE_FLOAT32, 1, &n, NULL, &subject.tensor, NULL));
    b.env.subject = &subject;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sm_bound *bound = bind_text(&b, texts[i], &waits);
        atomic_store(&stop, false);
        assert_true(sm_expr_eval_bound(bound, &b.arena, &stop, &b.value, &b.err));
        sm_value_clear(&b.value);
        atomic_store(&stop, true);
        if (sm_expr_eval_bound(bound, &b.arena, &stop, &b.value, &b.err) ||
            b.err.code != SM_ERR_CANCELLED)
            fail_msg("%s is not stopped", texts[i]);
        sm_bound_free(bound);
    }
    sm_value_clear(&subject);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_requested_together),
        cmocka_unit_test(test_outlives_the_trial),
        cmocka_unit_test(test_requested_before_binding),
        cmocka_unit_test(test_outlives_the_trial),
        cmocka_unit_test(test_errors_only_if_needed),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
