/* SPDX-License-Identifier: Apache-2.0 */
/* The trainings of --demo: what they save, that they learn, and that each fault makes its rule
 * fire. */
#include "tests/rules/judge.h"

#include "reader/demo/train.h"
#include "reader/hook/replay.h"

#include <math.h>
#include <sys/wait.h>

enum { LEARNT = 300 };

static struct sm_demo_result train(struct live *l, const char *name, uint64_t seed, int64_t steps)
{
    struct sm_demo_result result;
    struct sm_err err = {0};
    const struct sm_demo_run run = {
        .demo = sm_demo_find(name), .seed = seed, .dir = l->path, .steps = steps};
    assert_non_null(run.demo);
    remove_tree(l->path);
    if (!sm_demo_train(&run, &result, &err))
        fail_msg("%s: %s", name, err.msg);
    return result;
}

static bool fired(struct sm_rules *r, const char *class_name)
{
    for (size_t i = 0; i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *k = sm_rules_item(r, i);
        if (k->status == SM_RULE_ISSUES && strcmp(k->rule->class_name, class_name) == 0)
            return true;
    }
    return false;
}

/* Trains, opens the trial and judges it with all rules whose tensors exist. */
static struct sm_rules *judge(struct live *l, const char *name, int64_t steps)
{
    train(l, name, 1, steps);
    live_open(l);
    struct sm_rules *r = new_rules(l);
    sm_rules_auto(r, sm_rule_table);
    settle_rules(l, r);
    return r;
}

static const struct sm_stats *stats_of(struct live *l, const char *name, int64_t step)
{
    struct sm_err err;
    const struct sm_facts *facts;
    while (!sm_fetch_stats(l->fetch, l->trial, (struct sm_entry[]){value_at(l, name, step)}, &facts,
                           &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
    }
    return &facts->stats;
}

static void test_learns(void **state)
{
    struct live *l = *state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct sm_demo_result r = train(l, "healthy", seed, LEARNT);
        assert_int_equal(r.steps, LEARNT);
        assert_true(r.accuracy > 0.9);
        assert_true(r.loss < 0.4);
    }
}

static void test_seed_decides(void **state)
{
    struct live *l = *state;
    struct sm_demo_result a = train(l, "healthy", 5, 200), b = train(l, "healthy", 5, 200),
                          c = train(l, "healthy", 6, 200);
    assert_true(a.loss == b.loss);
    assert_true(a.accuracy == b.accuracy);
    assert_true(a.loss != c.loss);
}

static void expect_shape(struct live *l, const char *name, unsigned n_dims, const uint64_t *dims)
{
    struct sm_err err;
    const struct sm_facts *facts;
    while (!sm_fetch_stats(l->fetch, l->trial, (struct sm_entry[]){value_at(l, name, 0)}, &facts,
                           &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
    }
    assert_int_equal(facts->n_dims, n_dims);
    for (unsigned i = 0; i < n_dims; i++)
        assert_int_equal(facts->dims[i], dims[i]);
}

static void test_what_is_saved(void **state)
{
    struct live *l = *state;
    static const struct {
        const char *name;
        unsigned n_dims;
        uint64_t dims[4];
    } want[] = {
        {"conv0_weight", 4, {8, 1, 5, 5}},
        {"gradient/conv0_weight", 4, {8, 1, 5, 5}},
        {"conv0_bias", 1, {8}},
        {"conv0_output_0", 4, {32, 8, 8, 8}},
        {"relu0_input_0", 4, {32, 8, 8, 8}},
        {"relu0_output_0", 4, {32, 8, 8, 8}},
        {"conv1_weight", 4, {16, 8, 3, 3}},
        {"dense0_weight", 2, {32, 256}},
        {"relu2_output_0", 2, {32, 32}},
        {"dense1_output_0", 2, {32, 10}},
        {"CNN_input_0", 4, {32, 1, 16, 16}},
        {"CrossEntropyLoss_output_0", 0, {0}},
    };
    train(l, "healthy", 1, 201);
    live_open(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        expect_shape(l, want[i].name, want[i].n_dims, want[i].dims);
    assert_true(stats_of(l, "scalar/accuracy", 202)->max > 0.5);
    assert_int_equal(stats_of(l, "eval_labels", 202)->n, 512);
}

static void test_modes(void **state)
{
    struct live *l = *state;
    train(l, "healthy", 1, 201);
    live_open(l);
    const size_t n = sm_trial_step_count(l->trial);
    size_t evaluations = 0;
    for (size_t i = 0; i < n; i++) {
        const struct sm_trial_step *s = sm_trial_step(l->trial, i);
        evaluations += s->mode == SM_MODE_EVAL;
        if (s->mode == SM_MODE_TRAIN)
            assert_int_equal(s->mode_step.n % 5, 0);
    }
    assert_int_equal(evaluations, 3);
    /* losses at 0, 5 ... 200, and the evaluations after 5, 100 and 200 steps */
    assert_int_equal(n, 44);
    assert_int_equal(tensor(l, "eval_labels")->steps, 1); /* only of the last evaluation */
}

static void test_collections(void **state)
{
    struct live *l = *state;
    static const struct {
        const char *name;
        size_t n;
    } want[] = {{"weights", 4}, {"biases", 4},     {"gradients", 8},
                {"losses", 1},  {"relu_input", 3}, {"relu_output", 3}};
    train(l, "healthy", 1, 1);
    live_open(l);
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        size_t i = 0, n;
        while (strcmp(sm_trial_collection(l->trial, i)->name, want[k].name) != 0)
            i++;
        sm_trial_collection_tensors(l->trial, i, &n);
        assert_int_equal(n, want[k].n);
    }
}

static void expect_silence(struct sm_rules *r)
{
    assert_true(sm_rules_count(r) >= 12);
    for (size_t i = 0; i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *k = sm_rules_item(r, i);
        if (k->status != SM_RULE_NO_ISSUES)
            fail_msg("%s: %s", k->name,
                     k->n_findings ? k->findings[0].text : sm_rule_status_name(k->status));
    }
}

static void test_healthy_fires_nothing(void **state)
{
    struct live *l = *state;
    struct sm_rules *r = judge(l, "healthy", 600);
    expect_silence(r);
    close_rules(l, r);
}

/* Judges each step before the next one is written. */
struct watched {
    struct live *l;
    struct sm_rules *rules;
};

static bool judge_existing_steps(void *ctx, int64_t us)
{
    struct watched *w = ctx;
    struct stat st;
    (void)us;
    if (!w->rules && stat(w->l->path, &st) == 0) {
        live_open(w->l);
        w->rules = sm_rules_new(w->l->trial, w->l->fetch, w->l->pool);
        sm_rules_auto(w->rules, sm_rule_table);
    }
    if (w->rules) {
        live_beat(w->l);
        sm_clock_freeze(sm_clock_mono_us(), sm_trial_newest_us(w->l->trial));
        settle_rules(w->l, w->rules);
    }
    return true;
}

/* With seed 3 the first losses rise: while there is no evaluation, LossNotDecreasing judges them.
 */
static void test_healthy_fires_nothing_while_it_runs(void **state)
{
    struct live *l = *state;
    struct watched w = {.l = l};
    struct sm_err err;
    const struct sm_replay_options o = {.interval_ms = 1, .pause = judge_existing_steps, .ctx = &w};
    char whole[256], trial[sizeof l->path];
    memcpy(trial, l->path, sizeof trial);
    snprintf(whole, sizeof whole, "%s/whole", l->dir);
    snprintf(l->path, sizeof l->path, "%s", whole);
    train(l, "healthy", 3, 250);
    memcpy(l->path, trial, sizeof trial);
    assert_true(sm_replay(whole, l->path, &o, &err));
    judge_existing_steps(&w, 0);
    expect_silence(w.rules);
    close_rules(l, w.rules);
}

/* Each fault is trained for as many steps as it needs to show. */
static void test_faults_fire_their_rules(void **state)
{
    struct live *l = *state;
    static const struct {
        const char *name;
        int64_t steps;
    } cases[] = {
        {"vanishing_gradient", 60},
        {"exploding_tensor", 15},
        {"dead_relu", 40},
        {"saturated_activation", 1},
        {"poor_weight_initialization", 1},
        {"loss_not_decreasing", 500},
        {"overfit", 300},
        {"class_imbalance", 320},
        {"unnormalized_input", 160},
        {"all_zero", 60},
        {"unchanged_tensor", 60},
    };
    size_t named = 0;
    for (const struct sm_demo *d = sm_demo_table; d->name; d++)
        named += d->rule != NULL && !d->stall_at;
    assert_int_equal(named, sizeof cases / sizeof *cases);
    for (size_t i = 0; i < named; i++) {
        struct sm_rules *r = judge(l, cases[i].name, cases[i].steps);
        if (!fired(r, sm_demo_find(cases[i].name)->rule))
            fail_msg("%s: %s has not fired", cases[i].name, sm_demo_find(cases[i].name)->rule);
        close_rules(l, r);
        live_close(l);
    }
}

static void test_faults_show_in_the_numbers(void **state)
{
    struct live *l = *state;
    train(l, "dead_relu", 1, 1);
    live_open(l);
    const struct sm_stats *s = stats_of(l, "relu0_output_0", 0);
    assert_true((double)s->zero > 0.99 * (double)s->n);
    live_close(l);
    train(l, "vanishing_gradient", 1, 1);
    live_open(l);
    s = stats_of(l, "gradient/dense0_weight", 0);
    assert_true(s->l1 / (double)s->n < 1e-7);
    s = stats_of(l, "gradient/dense10_weight", 0);
    assert_true(s->l1 / (double)s->n > 1e-3);
    live_close(l);
    train(l, "exploding_tensor", 1, 15);
    live_open(l);
    s = stats_of(l, "CrossEntropyLoss_output_0", 11);
    assert_int_equal(s->nan, 1);
    live_close(l);
    train(l, "unnormalized_input", 1, 1);
    live_open(l);
    s = stats_of(l, "CNN_input_0", 0);
    assert_true(s->min >= 0 && s->max > 200 && s->max <= 255);
}

/* Ends the process. */
static void end_process(void *ctx)
{
    (void)ctx;
    _exit(7);
}

static void test_stalled(void **state)
{
    struct live *l = *state;
    struct sm_demo_result result;
    struct sm_err err;
    int status;
    struct sm_demo_run run = {.demo = sm_demo_find("stalled"), .seed = 1, .dir = l->path};
    assert_false(sm_demo_train(&run, &result, &err));
    assert_int_equal(err.code, SM_ERR_USAGE);
    pid_t child = fork();
    if (child == 0) {
        run.stalled = end_process;
        sm_demo_train(&run, &result, &err);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 7);
    live_open(l);
    assert_true(sm_trial_state(l->trial) != SM_TRIAL_ENDED);
    assert_int_equal(sm_trial_step(l->trial, sm_trial_step_count(l->trial) - 1)->mode_step.n, 295);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

static bool count_to_three(void *ctx, int64_t step)
{
    (void)ctx;
    return step < 3;
}

static void test_can_be_ended(void **state)
{
    struct live *l = *state;
    struct sm_demo_result result;
    struct sm_err err;
    const struct sm_demo_run run = {
        .demo = sm_demo_table, .dir = l->path, .before_step = count_to_three};
    assert_true(sm_demo_train(&run, &result, &err));
    assert_int_equal(result.steps, 3);
    assert_true(isnan(result.accuracy));
}

static void test_cannot_write(void **state)
{
    struct live *l = *state;
    struct sm_demo_result result;
    struct sm_err err;
    char path[300];
    FILE *f = fopen(l->path, "w");
    assert_non_null(f);
    fclose(f);
    snprintf(path, sizeof path, "%s/trial", l->path);
    const struct sm_demo_run run = {.demo = sm_demo_table, .dir = path, .steps = 10};
    assert_false(sm_demo_train(&run, &result, &err));
    assert_int_equal(err.code, SM_ERR_IO);
    assert_int_equal(result.steps, 10);
}

static void test_names(void **state)
{
    (void)state;
    assert_ptr_equal(sm_demo_find("Dead-ReLU"), sm_demo_find("dead_relu"));
    assert_null(sm_demo_find("list"));
    for (const struct sm_demo *d = sm_demo_table; d->name; d++)
        assert_true(!d->rule || sm_rule_find(d->rule));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_learns),
        TEST(test_seed_decides),
        TEST(test_what_is_saved),
        TEST(test_modes),
        TEST(test_collections),
        TEST(test_healthy_fires_nothing),
        TEST(test_healthy_fires_nothing_while_it_runs),
        TEST(test_faults_fire_their_rules),
        TEST(test_faults_show_in_the_numbers),
        TEST(test_stalled),
        TEST(test_can_be_ended),
        TEST(test_cannot_write),
        TEST(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
