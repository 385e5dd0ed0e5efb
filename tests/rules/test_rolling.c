/* SPDX-License-Identifier: Apache-2.0 */
/* The functions over steps: a window that moves gives what its points give when they are taken
 * afresh, and a condition that is evaluated at one step after another reads each step once. */
#include "rules/expr/rolling.h"
#include "rules/private.h"
#include "tests/rules/evaluate.h"
#include "tests/rules/judge.h"

enum { POINTS = 300 };

static double noise(uint64_t i)
{
    uint64_t h = (i + 1) * 0x9e3779b97f4a7c15u;
    return (double)((h ^ h >> 29) >> 40) / (1 << 24);
}

static double point_value(size_t i)
{
    return i % 37 == 11   ? (double)NAN
           : i % 53 == 20 ? (double)INFINITY
                          : 1e3 + (double)i / 7 + noise(i);
}

/* The number of the last points, from all of them at once. */
static double afresh(enum sm_rolling_kind kind, size_t size, size_t n)
{
    struct sm_rolling x = {.kind = kind, .size = size, .weight = .9};
    size_t needed = size < 2 ? 3 : size + 1;
    double out = (double)NAN;
    for (size_t i = kind == SM_ROLLING_EMA || n < needed ? 0 : n - needed; i < n; i++)
        assert_true(sm_rolling_add(&x, (int64_t)(3 * i), point_value(i)));
    if (!sm_rolling_number(&x, &out))
        out = -1;
    sm_rolling_clear(&x);
    return out;
}

static void expect_near(double got, double expected)
{
    if (isnan(got) && isnan(expected))
        return;
    if (got != expected && !(fabs(got - expected) <= 1e-9 * (fabs(expected) + 1)))
        fail_msg("%.17g, expected %.17g", got, expected);
}

static void test_moving_windows(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 10, 64, 299, 1000};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int kind = SM_ROLLING_EMA; kind <= SM_ROLLING_Z; kind++) {
            struct sm_rolling x = {
                .kind = (enum sm_rolling_kind)kind, .size = sizes[s], .weight = .9};
            for (size_t i = 0; i < POINTS; i++) {
                double got = -1;
                assert_true(sm_rolling_add(&x, (int64_t)(3 * i), point_value(i)));
                if (!sm_rolling_number(&x, &got))
                    got = -1;
                expect_near(got, afresh(x.kind, sizes[s], i + 1));
            }
            sm_rolling_clear(&x);
        }
}

/* mean and population std of the 20 values before the last: numpy.mean, numpy.std */
static void test_numbers(void **state)
{
    struct sm_rolling z = {.kind = SM_ROLLING_Z, .size = 20},
                      slope = {.kind = SM_ROLLING_SLOPE, .size = 20};
    double sum = 0, squares = 0, sx = 0, sxy = 0, number;
    (void)state;
    for (int i = 0; i < 50; i++) {
        assert_true(sm_rolling_add(&z, i, 1e6 + noise((uint64_t)i)));
        assert_true(sm_rolling_add(&slope, i, 1e6 + noise((uint64_t)i)));
    }
    for (int i = 29; i < 49; i++)
        sum += noise((uint64_t)i) / 20;
    for (int i = 29; i < 49; i++)
        squares += (noise((uint64_t)i) - sum) * (noise((uint64_t)i) - sum) / 20;
    assert_true(sm_rolling_number(&z, &number));
    assert_true(fabs(number - (noise(49) - sum) / sqrt(squares)) < 1e-7);
    for (int i = 30; i < 50; i++) {
        sx += (i - 39.5) * (i - 39.5);
        sxy += (i - 39.5) * noise((uint64_t)i);
    }
    assert_true(sm_rolling_number(&slope, &number));
    assert_true(fabs(number - sxy / sx) < 1e-9);
    sm_rolling_clear(&z);
    sm_rolling_clear(&slope);
}

/* A window keeps its own points, not the series. */
static void test_memory(void **state)
{
    struct sm_rolling x = {.kind = SM_ROLLING_Z, .size = 10};
    (void)state;
    for (int i = 0; i < 10000; i++)
        assert_true(sm_rolling_add(&x, i, i));
    assert_true(x.window.cap <= 64 && x.window.cap_older <= 64);
    sm_rolling_clear(&x);
}

/* ---- expressions ---- */

static const char *const texts[] = {
    "ema(CrossEntropyLoss_output_0, 0.9)",
    "delta(CrossEntropyLoss_output_0, 2)",
    "slope(CrossEntropyLoss_output_0, 4)",
    "z(CrossEntropyLoss_output_0, 5)",
    "z(CrossEntropyLoss_output_0@eval:., 3)",
    "delta(CrossEntropyLoss_output_0@train:.)",
    "slope(gradient/CNN_conv0.weight, 100000)",
    "CrossEntropyLoss_output_0@train:10",
    "CrossEntropyLoss_output_0@eval:4",
    "max(CNN_conv0.weight@all)",
    "std(CNN_conv0.weight@10:40)",
    "mean(CNN_conv0.weight@train:0:40)",
    "any(CNN_conv0.weight@eval:0:. > 0.5)",
    "CrossEntropyLoss_output_0@~33",
    "CrossEntropyLoss_output_0@train:~13",
    "CrossEntropyLoss_output_0@eval:~5",
    "CrossEntropyLoss_output_0@eval:~1000",
    "CrossEntropyLoss_output_0@-0s",
    "CrossEntropyLoss_output_0@eval:-1s",
    "CrossEntropyLoss_output_0@-10m",
};

/* With a memory, at steps in any order, as without. */
static void test_same_with_memory(void **state)
{
    static const int64_t steps[] = {0, 10, 20, 30, 40, 32, 32, 50, 100, 10, 64, 100, -1};
    struct bench b;
    struct sm_expr_memory memory = {0};
    (void)state;
    bench_open(&b, "cnn_healthy");
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            b.env.step.n = steps[s];
            b.env.memory = NULL;
            const char *expected = bench_text(&b, texts[i]);
            b.env.memory = &memory;
            assert_string_equal(bench_text(&b, texts[i]), expected);
        }
    assert_true(memory.n > 0 && memory.n_over > 0);
    sm_expr_memory_clear(&memory);
    bench_close(&b);
}

/* Entries read by a rule over n steps. */
static uint64_t entries_read(struct live *l, int n, const char *expr)
{
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < n; i++)
        write_scalar(l, i, SM_MODE_TRAIN, i, "loss", 1);
    live_open(l);
    struct sm_rules *r = new_rules(l);
    sm_rules_finite(r, false);
    struct sm_rule_instance *i = attach(r, "expr", expr, NULL);
    settle_rules(l, r);
    assert_int_equal(i->status, SM_RULE_IN_PROGRESS);
    assert_true(i->datapoints + 2 >= (uint64_t)n);
    uint64_t read = i->own->memory.n_entries;
    close_rules(l, r);
    live_close(l);
    remove_tree(l->path);
    return read;
}

static void test_each_step_is_read_once(void **state)
{
    struct live *l = *state;
    static const char *const exprs[] = {
        "expr=loss > 3 * ema(loss,0.9)", "expr=z(loss,30) > 5",
        "expr=slope(loss,1000) > 1",     "expr=loss > 9 * loss@train:0",
        "expr=loss > 9 + max(loss@all)", "expr=any(loss@all > 9)",
        "expr=loss > 9 * loss@train:~3", "expr=loss > 9 * loss@train:~1000",
        "expr=loss > 9 * loss@~3",       "expr=loss > 9 * loss@-10m"};
    for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++) {
        uint64_t one = entries_read(l, 60, exprs[i]), two = entries_read(l, 120, exprs[i]);
        assert_true(one >= 60);
        if (two > 2 * one + one / 2)
            fail_msg("%s: %llu entries for 60 steps, %llu for 120", exprs[i],
                     (unsigned long long)one, (unsigned long long)two);
    }
}

/* ---- earlier values ---- */

static uint64_t entries_looked_at(struct live *l, int n, const char *rule, const char *arg)
{
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < n; i++)
        write_scalar(l, i, SM_MODE_GLOBAL, i, "loss", 1 + (float)i / 100);
    live_open(l);
    struct sm_rules *r = new_rules(l);
    attach(r, rule, "collection_names=losses", "mode=global", arg, NULL);
    settle_rules(l, r);
    uint64_t looked = r->ranges.looked_at;
    close_rules(l, r);
    live_close(l);
    remove_tree(l->path);
    return looked;
}

/* The window is looked at once for each step, not once for each of its values. */
static void test_earlier_values(void **state)
{
    struct live *l = *state;
    uint64_t short_window = entries_looked_at(l, 120, "loss_plateau", "window=20"),
             window = entries_looked_at(l, 120, "loss_plateau", "window=40");
    assert_true(short_window > 0);
    assert_true(window < 3 * short_window);
    assert_true(entries_looked_at(l, 120, "loss_not_decreasing", "num_steps=60") < 200);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moving_windows), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_same_with_memory),
        TEST(test_each_step_is_read_once),     TEST(test_earlier_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
