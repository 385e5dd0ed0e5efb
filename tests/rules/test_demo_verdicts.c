/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of each training of --demo, at its end and while it runs. */
#include "tests/rules/judge.h"

#include "reader/demo/train.h"
#include "rules/verdict/collect.h"
#include "rules/verdict/verdict.h"

#include <sys/wait.h>

static void end_process(void *ctx)
{
    (void)ctx;
    _exit(0);
}

/* In a process of its own, because one of them never ends. */
static void train(struct live *l, const char *name, int64_t steps)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct sm_demo_result result;
        struct sm_err err;
        const struct sm_demo_run run = {.demo = sm_demo_find(name),
                                        .seed = 1,
                                        .dir = l->path,
                                        .steps = steps,
                                        .stalled = end_process};
        _exit(!sm_demo_train(&run, &result, &err));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* early: nothing wrong found is right, too, but no other cause. */
static bool has_cause(struct live *l, const char *name, const char *cause, int64_t silent_us,
                      bool early)
{
    static const char *const all[] = {"workers=all"};
    struct sm_err err;
    struct sm_verdict v;
    live_open(l);
    sm_clock_freeze(sm_clock_mono_us(), sm_trial_newest_us(l->trial) + silent_us);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    const struct sm_rule_instance *i = sm_rules_add(r, &sm_rule_signals, NULL, all, 1, &err);
    settle_rules(l, r);
    sm_verdict_find(sm_signals_of(i), sm_clock_wall_us(), &v);
    bool right =
        strcmp(sm_verdict_id(&v), cause) == 0 || (early && strcmp(sm_verdict_id(&v), "none") == 0);
    if (!right)
        print_error("%s: expected %s, got %s\n", name, cause, sm_verdict_id(&v));
    sm_verdict_clear(&v);
    close_rules(l, r);
    live_close(l);
    return right;
}

/* A demo, its cause, and after how many steps it is known; 0: all of the demo. */
static const struct {
    const char *name, *cause;
    int64_t steps;
} demos[] = {
    {"healthy", "none", 400},
    {"vanishing_gradient", "vanishing_gradients", 200},
    {"exploding_tensor", "learning_rate_too_high", 100},
    {"dead_relu", "dead_relu", 100},
    {"poor_weight_initialization", "symmetric_initialization", 100},
    {"saturated_activation", "poor_weight_scale", 100},
    {"loss_not_decreasing", "labels_do_not_fit_inputs", 300},
    {"overfit", "overfitting", 500},
    {"class_imbalance", "class_imbalance", 0}, /* rare classes are not learned later, either */
    {"unnormalized_input", "unnormalized_input", 200},
    {"all_zero", "zero_initialization", 100},
    {"unchanged_tensor", "layer_not_trained", 200},
};
enum { DEMOS = sizeof demos / sizeof *demos, EARLY = 30 };

static void test_no_demo_is_missing(void **state)
{
    (void)state;
    size_t n = 0;
    for (const struct sm_demo *d = sm_demo_table; d->name; d++)
        n += !d->stall_at;
    assert_int_equal(n, DEMOS);
}

static void test_each_demo(void **state)
{
    struct live *l = *state;
    unsigned bad = 0;
    for (size_t i = 0; i < DEMOS; i++) {
        remove_tree(l->path);
        train(l, demos[i].name, demos[i].steps);
        bad += !has_cause(l, demos[i].name, demos[i].cause, 0, false);
    }
    assert_int_equal(bad, 0);
}

static void test_no_wrong_name_at_the_start(void **state)
{
    struct live *l = *state;
    unsigned bad = 0;
    for (size_t i = 0; i < DEMOS; i++) {
        remove_tree(l->path);
        train(l, demos[i].name, EARLY);
        bad += !has_cause(l, demos[i].name, demos[i].cause, 0, true);
    }
    assert_int_equal(bad, 0);
}

/* Silent for a little more than a minute, which is long for a run that saves in milliseconds. */
static void test_stalled(void **state)
{
    struct live *l = *state;
    train(l, "stalled", 0);
    assert_true(has_cause(l, "stalled", "stalled", 60 * (int64_t)1000000 + 1, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_demo, live_setup, live_teardown),
        cmocka_unit_test(test_no_demo_is_missing),
        cmocka_unit_test_setup_teardown(test_no_wrong_name_at_the_start, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_stalled, live_setup, live_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
