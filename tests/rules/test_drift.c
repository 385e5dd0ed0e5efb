/* SPDX-License-Identifier: Apache-2.0 */
/* The rule DataDrift on trials written for it. */
#include "tests/rules/judge.h"
#include "tests/rules/normal.h"

#include <math.h>

enum { BATCH = 125, STEPS = 4 /* of each mode: 500 samples */ };

/* What the inputs of a step are: normal numbers, of which feature `shifted` is shifted. */
struct inputs {
    unsigned n_dims;
    uint64_t dims[4];
    uint64_t seed;
    size_t shifted; /* of axis 1 */
    double shift;
};

static void write_inputs(struct live *l, int64_t step, int mode, int64_t mode_step,
                         struct inputs *in)
{
    float x[BATCH * 64];
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    size_t n = 1, inner = 1;
    for (unsigned d = 0; d < in->n_dims; d++)
        n *= in->dims[d];
    for (unsigned d = 2; d < in->n_dims; d++)
        inner *= in->dims[d];
    assert_true(n <= sizeof x / sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(next_normal(&in->seed) +
                       (i / inner % in->dims[1] == in->shifted ? in->shift : 0));
    assert_true(sm_writer_begin_step(w, step, mode, mode_step, &err));
    put_values(w, "Net_input_0", x, in->n_dims, in->dims);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

static void write_run(struct live *l, struct inputs *train, struct inputs *other, int mode)
{
    for (int64_t i = 0; i < STEPS; i++) {
        write_inputs(l, 2 * i, SM_MODE_TRAIN, i, train);
        if (other)
            write_inputs(l, 2 * i + 1, mode, i, other);
    }
}

/* How often it fires; *text: its first message, "" if none. */
static uint64_t judge_drift(struct live *l, const char *argument, struct sm_str *text)
{
    live_open(l);
    struct sm_rules *r = new_rules(l);
    struct sm_rule_instance *i = attach(r, "data_drift", "policy=continue", argument, NULL);
    settle_rules(l, r);
    for (int k = 0; k < 1000 && i->status == SM_RULE_IN_PROGRESS; k++)
        settle_rules(l, r); /* it polls while it reads other runs */
    sm_str_truncate(text, 0);
    if (i->n_findings)
        sm_str_add(text, i->findings[0].text);
    else if (i->reason)
        sm_str_add(text, i->reason);
    uint64_t fired = i->violations;
    close_rules(l, r);
    live_close(l);
    return fired;
}

static uint64_t judge_seed(struct live *l, uint64_t seed, double shift, struct sm_str *text)
{
    struct inputs train = {2, {BATCH, 8}, 2 * seed, 0, 0},
                  eval = {2, {BATCH, 8}, 2 * seed + 1, 3, shift};
    write_run(l, &train, &eval, SM_MODE_EVAL);
    uint64_t fired = judge_drift(l, "samples=100", text);
    remove_tree(l->path);
    return fired;
}

static void test_one_distribution(void **state)
{
    struct sm_str text = {0};
    unsigned fired = 0, seeds = 60;
    for (uint64_t seed = 1; seed <= seeds; seed++)
        fired += judge_seed(*state, seed * 7919, 0, &text) > 0;
    assert_true(fired * 20 <= seeds);
    sm_str_clear(&text);
}

static void test_half_a_deviation(void **state)
{
    struct sm_str text = {0};
    for (uint64_t seed = 1; seed <= 30; seed++) {
        assert_true(judge_seed(*state, seed * 104729, 0.5, &text) > 0);
        assert_non_null(
            strstr(sm_str_text(&text), "feature 3 of EVAL against TRAIN, 1 of 8 drift (3), "));
        assert_non_null(strstr(sm_str_text(&text), "different samples: D 0."));
    }
    sm_str_clear(&text);
}

/* 125 samples of EVAL, four times, are 125. */
static void test_repeated_samples(void **state)
{
    struct live *l = *state;
    struct sm_str text = {0};
    struct inputs train = {2, {BATCH, 8}, 5, 0, 0};
    for (int64_t i = 0; i < STEPS; i++) {
        struct inputs eval = {2, {BATCH, 8}, 99, 3, 2};
        write_inputs(l, 2 * i, SM_MODE_TRAIN, i, &train);
        write_inputs(l, 2 * i + 1, SM_MODE_EVAL, i, &eval);
    }
    assert_int_equal(judge_drift(l, "samples=126", &text), 0);
    assert_true(judge_drift(l, "samples=125", &text) > 0);
    assert_non_null(strstr(sm_str_text(&text), ", 125 and 125 different samples: D "));
    sm_str_clear(&text);
}

static void test_images(void **state)
{
    struct live *l = *state;
    struct sm_str text = {0};
    struct inputs train = {4, {BATCH, 3, 4, 4}, 1, 0, 0}, eval = {4, {BATCH, 3, 4, 4}, 2, 2, 0.3};
    write_run(l, &train, &eval, SM_MODE_PREDICT);
    assert_true(judge_drift(l, "samples=100", &text) > 0);
    assert_non_null(strstr(sm_str_text(&text), "channel 2 mean of PREDICT against TRAIN"));
    assert_non_null(strstr(sm_str_text(&text), "1 of 6 drift (2 mean)"));
    sm_str_clear(&text);
}

static void test_other_run(void **state)
{
    struct live *l = *state;
    struct sm_str text = {0};
    char other[300], argument[330], lacking[330];
    struct inputs train = {2, {BATCH, 4}, 1, 0, 0}, same = {2, {BATCH, 4}, 2, 0, 0},
                  shifted = {2, {BATCH, 4}, 3, 1, 0.8};
    snprintf(other, sizeof other, "%s/other", l->dir);
    snprintf(argument, sizeof argument, "other_trials=%s", other);
    snprintf(lacking, sizeof lacking, "other_trials=%s/none", l->dir);
    write_run(l, &shifted, NULL, SM_MODE_EVAL);
    assert_int_equal(rename(l->path, other), 0);
    write_run(l, &train, &same, SM_MODE_EVAL);
    assert_int_equal(judge_drift(l, "samples=100", &text), 0);
    assert_true(judge_drift(l, argument, &text) > 0);
    assert_non_null(strstr(sm_str_text(&text), "feature 1 of TRAIN of run other against TRAIN"));
    judge_drift(l, lacking, &text);
    assert_non_null(strstr(sm_str_text(&text), "/none: no steps of a run are there"));
    remove_tree(l->path);
    for (int64_t i = 0; i < STEPS; i++) /* a run that only predicts, against the training */
        write_inputs(l, i, SM_MODE_PREDICT, i, &same);
    assert_true(judge_drift(l, argument, &text) > 0);
    assert_non_null(strstr(sm_str_text(&text), "feature 1 of PREDICT against TRAIN of run other"));
    sm_str_clear(&text);
}

/* `rule auto` attaches it when inputs of both kinds were saved. */
static bool is_attached(struct live *l)
{
    live_open(l);
    struct sm_rules *r = new_rules(l);
    sm_rules_auto(r, sm_rule_table);
    settle_rules(l, r);
    bool found = sm_rules_find(r, "DataDrift") < sm_rules_count(r);
    close_rules(l, r);
    live_close(l);
    return found;
}

static void test_automatic(void **state)
{
    struct live *l = *state;
    struct inputs in = {2, {BATCH, 4}, 1, 0, 0};
    write_run(l, &in, NULL, SM_MODE_EVAL);
    assert_false(is_attached(l));
    write_inputs(l, 2 * STEPS, SM_MODE_EVAL, 0, &in);
    assert_true(is_attached(l));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_one_distribution), TEST(test_half_a_deviation), TEST(test_repeated_samples),
        TEST(test_images),           TEST(test_other_run),        TEST(test_automatic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
