/* What is bound: asked for at once, independent of the trial, told only if needed, and stoppable.
 */
#include "tests/rules/evaluate.h"

#include <pthread.h>

static void take_answers(struct bench *b)
{
    do
        sm_fetch_pump(b->fetch);
    while (sm_pool_collect(b->pool, 1));
}

/* Asks until everything is there; false: an error, in b->err. *waits: how often it was not. */
static struct sm_bound *bind(struct bench *b, const char *text, unsigned *waits)
{
    struct sm_expr *e;
    struct sm_bound *bound = NULL;
    assert_true(sm_expr_parse(text, strlen(text), &b->arena, &e, &b->err));
    for (*waits = 0; !sm_expr_bind(e, &b->env, &bound, &b->err); ++*waits) {
        if (b->err.code != SM_ERR_WAIT)
            return NULL;
        take_answers(b);
    }
    return bound;
}

static void test_all_is_asked_at_once(void **state)
{
    (void)state;
    struct bench b;
    unsigned waits;
    bench_open(&b, "cnn_healthy");
    sm_bound_free(
        bind(&b,
             "exists(CNN_conv0.bias@0) && max(CNN_conv0.weight@30) > 0 ? CNN_conv0.bias@0 * 2 "
             ": cos(CNN_conv0.weight@0, CNN_conv0.weight@40)",
             &waits));
    assert_int_equal(waits, 1);
    bench_close(&b);
}

static void test_asked_before_it_is_bound(void **state)
{
    (void)state;
    struct bench b;
    struct sm_expr *e;
    unsigned waits;
    const char *text = "count(CNN_conv0.weight@0 > nosuch) + sum(CNN_conv0.bias@0)";
    bench_open(&b, "cnn_healthy");
    assert_true(sm_expr_parse(text, strlen(text), &b.arena, &e, &b.err));
    assert_false(sm_expr_ask(e, &b.env));
    take_answers(&b);
    assert_true(sm_expr_ask(e, &b.env));
    sm_bound_free(bind(&b, text, &waits));
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
        bind(&b, "sum(a:b:c) > 100 ? 'large' : shape(shape/transposed[:2] * 2)", &waits);
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

static void test_told_only_if_needed(void **state)
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
        struct sm_bound *bound = bind(&b, rows[i].text, &waits);
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
        struct sm_bound *bound = bind(&b, texts[i], &waits);
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
        cmocka_unit_test(test_all_is_asked_at_once),
        cmocka_unit_test(test_outlives_the_trial),
        cmocka_unit_test(test_asked_before_it_is_bound),
        cmocka_unit_test(test_outlives_the_trial),
        cmocka_unit_test(test_told_only_if_needed),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
