/* SPDX-License-Identifier: Apache-2.0 */
/* How rules judge under `rule auto`: a run that learns is quiet, faults are found, and what is odd
 * but harmless is a remark. Where the definition fires, the test says so, too. */
#include "tests/rules/judge.h"

#include "rules/builtin/past.h"

#include <math.h>

/* ---- runs ---- */

static uint64_t seed;
static double draw(void) /* -1 to 1 */
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

static double falling(double at, double noise)
{
    return 2.3 * exp(-3 * at) * (1 + noise * draw());
}

static double warming_up(double at, double noise)
{
    return at < 0.2 ? 2.3 + noise * draw() : falling(at - 0.2, noise);
}

static double levelling(double at, double noise)
{
    return 0.4 + falling(at < 0.4 ? 3 * at : 1.2, 0) + noise * draw();
}

static double flat(double at, double noise)
{
    (void)at;
    return 2.3 + noise * draw();
}

static double rising(double at, double noise)
{
    return at < 0.5 ? falling(at, noise) : 1 + at + noise * draw();
}

/* TRAIN losses. */
static void write_losses(struct live *l, double (*loss)(double at, double noise), double noise)
{
    enum { STEPS = 200 };
    seed = 1;
    write_named(l, "losses", "loss", NULL);
    for (int64_t i = 0; i < STEPS; i++)
        write_scalar(l, i, SM_MODE_TRAIN, i, "loss", (float)loss((double)i / STEPS, noise));
}

struct put {
    const char *name;
    const float *x;
    unsigned n_dims;
    uint64_t dims[2];
};

static void write_puts(struct live *l, int64_t step, const struct put *puts, size_t n)
{
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    assert_true(sm_writer_begin_step(w, step, SM_MODE_TRAIN, step, &err));
    for (size_t i = 0; i < n; i++)
        put_values(w, puts[i].name, puts[i].x, puts[i].n_dims, puts[i].dims);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

static struct sm_rule_instance *judge(struct live *l, struct sm_rules **r, const char *rule,
                                      const char *way)
{
    *r = new_rules(l);
    struct sm_rule_instance *i = attach(*r, rule, way, "workers=all", NULL);
    settle_rules(l, *r);
    return i;
}

static void expect(struct live *l, const char *rule, const char *way, enum sm_rule_status status)
{
    struct sm_rules *r;
    struct sm_rule_instance *i = judge(l, &r, rule, way);
    if (i->status != status)
        fail_msg("%s %s: %s, expected %s: %s", rule, way, sm_rule_status_name(i->status),
                 sm_rule_status_name(status), i->n_findings ? i->findings[0].text : "");
    close_rules(l, r);
}

static void expect_remark(struct live *l, const char *rule, const char *text)
{
    struct sm_rules *r;
    struct sm_rule_instance *i = judge(l, &r, rule, "judge=auto");
    struct sm_str got = {0};
    for (size_t k = 0; k < SM_RULE_REMARKS && i->remarks[k].why; k++) {
        sm_rule_remark_text(&i->remarks[k], &got);
        sm_str_add(&got, "\n");
    }
    if (!strstr(sm_str_text(&got), text))
        fail_msg("no remark \"%s\" but \"%s\"", text, sm_str_text(&got));
    assert_int_equal(i->status, SM_RULE_NO_ISSUES);
    assert_int_equal(i->violations, 0);
    assert_int_equal(sm_rules_fired(r), 0);
    sm_str_clear(&got);
    close_rules(l, r);
}

/* ---- losses ---- */

static void test_noise_warm_up_and_plateau_are_quiet(void **state)
{
    struct live *l = *state;
    static double (*const losses[])(double, double) = {falling, warming_up, levelling};
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        write_losses(l, losses[i], 0.2);
        live_open(l);
        expect(l, "LossNotDecreasing", "judge=auto", SM_RULE_NO_ISSUES);
        expect(l, "LossNotDecreasing", "judge=definition", SM_RULE_ISSUES);
        live_close(l);
        remove_tree(l->path);
    }
}

static void test_flat_and_rising_losses_are_found(void **state)
{
    struct live *l = *state;
    static double (*const losses[])(double, double) = {flat, rising};
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        write_losses(l, losses[i], 0.05);
        live_open(l);
        expect(l, "LossNotDecreasing", "judge=auto", SM_RULE_ISSUES);
        live_close(l);
        remove_tree(l->path);
    }
}

/* A NaN at the start is not the lowest loss, and not the best one. */
static void test_nan_is_no_baseline(void **state)
{
    struct live *l = *state;
    write_named(l, "losses", "loss", NULL);
    for (int64_t i = 0; i < 60; i++)
        write_scalar(l, i, SM_MODE_GLOBAL, i, "loss", i ? (float)pow(0.98, (double)i) : NAN);
    live_open(l);
    expect(l, "LossNotDecreasing", "judge=definition", SM_RULE_NO_ISSUES);
    live_close(l);
}

static void test_overtraining_after_nan(void **state)
{
    struct live *l = *state;
    write_named(l, "losses", "loss", NULL);
    for (int64_t i = 0; i < 60; i++)
        write_scalar(l, i, i % 2 ? SM_MODE_EVAL : SM_MODE_TRAIN, i / 2, "loss",
                     i < 2 ? NAN : (float)(30 - i));
    live_open(l);
    expect(l, "Overtraining", "judge=definition", SM_RULE_NO_ISSUES);
    live_close(l);
}

/* TRAIN and EVAL losses in turn. */
static void write_both(struct live *l, double eval_rise)
{
    write_named(l, "losses", "loss", NULL);
    for (int64_t i = 0; i < 60; i++) {
        int64_t of_mode = i / 2;
        double at = (double)of_mode / 30;
        write_scalar(l, i, i % 2 ? SM_MODE_EVAL : SM_MODE_TRAIN, i / 2, "loss",
                     (float)(i % 2 ? 1 + exp(-5 * at) + eval_rise * at : 0.1 + exp(-5 * at)));
    }
    live_open(l);
}

static void test_a_gap_alone_is_no_overfitting(void **state)
{
    struct live *l = *state;
    write_both(l, 0);
    expect(l, "Overfit", "judge=definition", SM_RULE_ISSUES);
    expect(l, "Overfit", "judge=auto", SM_RULE_NO_ISSUES);
    live_close(l);
}

static void test_overfitting_is_found(void **state)
{
    struct live *l = *state;
    write_both(l, 2);
    expect(l, "Overfit", "judge=auto", SM_RULE_ISSUES);
    live_close(l);
}

static void test_overfit_without_eval_says_so(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_losses(l, falling, 0);
    live_open(l);
    struct sm_rule_instance *i = judge(l, &r, "Overfit", "judge=definition");
    struct sm_str why = {0};
    sm_rule_reason(r, i, &why);
    assert_non_null(strstr(sm_str_text(&why), "no EVAL step was saved"));
    sm_str_clear(&why);
    close_rules(l, r);
}

/* Of a long run a bounded number of means is kept, in order. */
static void test_the_past_is_bounded(void **state)
{
    enum { MANY = 100000 };
    struct sm_past p = {0};
    (void)state;
    for (int64_t i = 0; i < MANY; i++)
        sm_past_add(&p, i, (double)i);
    assert_true(p.n <= SM_PAST_MOST && p.n >= SM_PAST_MOST / 2);
    assert_int_equal(p.seen, MANY);
    for (size_t i = 0; i < p.n; i++)
        assert_true(fabs(p.values[i] - (double)p.steps[i] + (double)(p.each - 1) / 2) < 1e-6);
    assert_int_equal(p.steps[p.n - 1], (int64_t)(p.n * p.each) - 1);
    sm_past_clear(&p);
}

/* ---- the level of chance ---- */

/* A step with the loss and 40 labels, of which a quarter is 1. */
static void write_labelled(struct live *l, int64_t step, enum sm_mode mode, int64_t mode_step,
                           const char *loss, double value)
{
    enum { LABELS = 40 };
    float labels[LABELS], number = (float)value;
    struct sm_err err;
    for (size_t i = 0; i < LABELS; i++)
        labels[i] = i % 4 == 0 ? 1 : 0;
    struct sm_writer *w = writer(l, "worker_0");
    assert_true(sm_writer_begin_step(w, step, mode, mode_step, &err));
    put_values(w, loss, &number, 0, NULL);
    put_values(w, "labels", labels, 2, (uint64_t[]){LABELS / 4, 4});
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

/* A binary cross entropy that only learns how often a label is 1: 0.5623, log(2) before. */
static void test_a_loss_at_chance_is_found(void **state)
{
    struct live *l = *state;
    static const struct {
        const char *loss;
        double level;
        enum sm_rule_status status;
    } cases[] = {
        {"BCEWithLogitsLoss_output_0", 0.5623, SM_RULE_ISSUES},
        {"CrossEntropyLoss_output_0", 0.5623, SM_RULE_ISSUES},
        {"BCEWithLogitsLoss_output_0", 0.4, SM_RULE_NO_ISSUES},
        {"MSELoss_output_0", 0.5623, SM_RULE_NO_ISSUES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        seed = 7;
        write_named(l, "losses", "_output_0$", NULL);
        for (int64_t step = 0; step < 200; step++)
            write_labelled(l, step, SM_MODE_TRAIN, step, cases[i].loss,
                           cases[i].level + 0.13 * exp(-(double)step / 5) + 0.004 * draw());
        live_open(l);
        expect(l, "LossNotDecreasing", "judge=auto", cases[i].status);
        live_close(l);
        remove_tree(l->path);
    }
}

/* EVAL falls from its start to the level of chance (0.5623) or below, while TRAIN is memorised. */
static void test_eval_that_never_beats_chance_is_found(void **state)
{
    struct live *l = *state;
    for (int learns = 0; learns < 2; learns++) {
        int64_t step = 0;
        seed = 8;
        write_named(l, "losses", "_output_0$", NULL);
        for (int64_t i = 0; i < 14; i++) {
            double at = exp(-(double)i / 4);
            for (int64_t k = 0; k < 5; k++)
                write_labelled(l, step++, SM_MODE_TRAIN, 5 * i + k, "BCELoss_output_0",
                               0.3 + 0.4 * at + 0.004 * draw());
            write_labelled(l, step++, SM_MODE_EVAL, i, "BCELoss_output_0",
                           (learns ? 0.45 : 0.57) + 0.13 * at + 0.004 * draw());
        }
        live_open(l);
        expect(l, "Overfit", "judge=auto", learns ? SM_RULE_NO_ISSUES : SM_RULE_ISSUES);
        live_close(l);
        remove_tree(l->path);
    }
}

/* ---- weights ---- */

enum { UNITS = 8, INPUTS = 4, WEIGHTS = UNITS * INPUTS };

/* Spread evenly. */
static void fill(float *w, double size)
{
    for (size_t i = 0; i < WEIGHTS; i++)
        w[i] = (float)(size * draw());
}

/* As after a training: sums of several numbers. */
static void fill_trained(float *w, double size)
{
    for (size_t i = 0; i < WEIGHTS; i++)
        w[i] = (float)(size * (draw() + draw() + draw() + draw()));
}

/* Three layers and a normalisation over STEPS steps; the first one comes from another training if
 * `trained` is set. `still`: the layer that never changes, with a
 * gradient if `gradient` is set. */
static void write_network(struct live *l, int still, bool gradient, bool trained, float last_weight)
{
    enum { STEPS = 12 };
    static const char *const names[] = {"a.weight", "b.weight", "c.weight"},
                             *const gradients[] = {"gradient/a.weight", "gradient/b.weight",
                                                   "gradient/c.weight"};
    static float w[3][WEIGHTS], g[WEIGHTS], ones[UNITS];
    seed = 2;
    write_named(l, "weights", "^[a-z]+[.]weight", "gradients", "^gradient", NULL);
    for (int k = 0; k < 3; k++)
        fill(w[k], 0.5);
    if (trained)
        fill_trained(w[0], 0.25);
    for (size_t i = 0; i < UNITS; i++)
        ones[i] = 1;
    for (size_t i = 0; last_weight == 0 && i < WEIGHTS; i++)
        w[2][i] = 0;
    for (int64_t step = 0; step < STEPS; step++) {
        struct put puts[8];
        size_t n = 0;
        fill(g, 0.1);
        for (int k = 0; k < 3; k++) {
            puts[n++] = (struct put){names[k], w[k], 2, {UNITS, INPUTS}};
            if (k != still || gradient)
                puts[n++] = (struct put){gradients[k], g, 2, {UNITS, INPUTS}};
        }
        puts[n++] = (struct put){"norm.weight", ones, 1, {UNITS, 0}};
        write_puts(l, step, puts, n);
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; k != still && i < WEIGHTS; i++)
                w[k][i] += (float)(0.01 * draw());
    }
    live_open(l);
}

static void test_a_frozen_beginning_is_a_remark(void **state)
{
    struct live *l = *state;
    write_network(l, 0, false, true, 1);
    expect_remark(l, "UnchangedTensor", "frozen");
    expect_remark(l, "UnchangedTensor", "a.weight (1 of 3)");
    expect(l, "WeightUpdateRatio", "judge=definition", SM_RULE_ISSUES);
    expect(l, "WeightUpdateRatio", "judge=auto", SM_RULE_NO_ISSUES);
    live_close(l);
}

static void test_a_layer_left_out_is_found(void **state)
{
    struct live *l = *state;
    static const struct {
        int still;
        bool gradient;
    } cases[] = {{0, true}, {0, false}, {1, true}, {1, false}, {2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_network(l, cases[i].still, cases[i].gradient, false, 1);
        expect(l, "UnchangedTensor", "judge=auto", SM_RULE_ISSUES);
        live_close(l);
        remove_tree(l->path);
    }
}

/* The first layers are frozen, and the loss falls by the share of what it was. */
static void test_a_frozen_beginning_that_hurts_is_found(void **state)
{
    struct live *l = *state;
    static float a[WEIGHTS], b[WEIGHTS];
    for (int k = 0; k < 2; k++) {
        seed = 5;
        write_named(l, "weights", "weight$", "losses", "loss", NULL);
        fill_trained(a, 0.25);
        fill(b, 0.5);
        for (int64_t step = 0; step < 160; step++) {
            float loss = (float)((k ? 0.6 : 0.9) + (k ? 0.4 : 0.1) * exp(-(double)step / 40) +
                                 0.01 * draw());
            const struct put puts[] = {{"a.weight", a, 2, {UNITS, INPUTS}},
                                       {"b.weight", b, 2, {UNITS, INPUTS}},
                                       {"loss", &loss, 0, {0}}};
            write_puts(l, step, puts, 3);
            for (size_t i = 0; i < WEIGHTS; i++)
                b[i] += (float)(0.01 * draw());
        }
        live_open(l);
        expect(l, "UnchangedTensor", "judge=auto", k ? SM_RULE_NO_ISSUES : SM_RULE_ISSUES);
        live_close(l);
        remove_tree(l->path);
    }
}

static void test_constant_scales_and_zero_heads_are_remarks(void **state)
{
    struct live *l = *state;
    write_network(l, -1, true, false, 0);
    expect_remark(l, "TensorVariance",
                  "a scale of which all elements are equal: norm.weight (1 of");
    expect_remark(l, "TensorVariance", "the last layer starts at zero: c.weight");
    expect(l, "WeightUpdateRatio", "judge=definition", SM_RULE_ISSUES);
    expect(l, "WeightUpdateRatio", "judge=auto", SM_RULE_NO_ISSUES);
    live_close(l);
}

static void test_equal_units_and_wrong_scales_are_found(void **state)
{
    struct live *l = *state;
    static float w[WEIGHTS];
    static const double sizes[] = {0, 1e-4, 50};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        seed = 3;
        write_named(l, "weights", "weight", NULL);
        fill(w, sizes[k]);
        for (size_t i = 0; k == 0 && i < WEIGHTS; i++)
            w[i] = 0.1f;
        write_puts(l, 0, &(struct put){"a.weight", w, 2, {UNITS, INPUTS}}, 1);
        live_open(l);
        expect(l, "TensorVariance", "judge=auto", SM_RULE_ISSUES);
        expect(l, "PoorWeightInitialization", "judge=auto", k ? SM_RULE_NO_ISSUES : SM_RULE_ISSUES);
        live_close(l);
        remove_tree(l->path);
    }
}

/* A bias before a normalisation has a gradient of nothing but rounding; a layer has not. */
/* The first of the checkpoints of a run is not the beginning; the second matrix of an adapter
 * starts at zero. */
static void test_scales_are_those_of_the_beginning(void **state)
{
    struct live *l = *state;
    static float w[WEIGHTS];
    static const struct {
        int64_t step;
        const char *name;
    } quiet[] = {{10, "a.weight"}, {0, "a.lora_B.weight"}};
    for (size_t k = 0; k < sizeof quiet / sizeof *quiet; k++) {
        seed = 3;
        write_named(l, "weights", "weight", NULL);
        fill(w, 1e-4);
        write_puts(l, quiet[k].step, &(struct put){quiet[k].name, w, 2, {UNITS, INPUTS}}, 1);
        live_open(l);
        expect(l, "TensorVariance", "judge=auto", SM_RULE_NO_ISSUES);
        live_close(l);
        remove_tree(l->path);
    }
}

static void test_gradients_that_vanish_by_construction(void **state)
{
    struct live *l = *state;
    static float g[WEIGHTS], tiny[WEIGHTS];
    for (int layer = 0; layer < 2; layer++) {
        write_named(l, "gradients", "^gradient", NULL);
        for (int64_t step = 0; step < 8; step++) {
            fill(g, 0.1);
            fill(tiny, 1e-9);
            const struct put puts[] = {
                {"gradient/a.weight", g, 2, {UNITS, INPUTS}},
                {"gradient/b", tiny, layer ? 2 : 1, {layer ? UNITS : WEIGHTS, INPUTS}}};
            write_puts(l, step, puts, 2);
        }
        live_open(l);
        expect(l, "VanishingGradient", "judge=definition", SM_RULE_ISSUES);
        expect(l, "VanishingGradient", "judge=auto", layer ? SM_RULE_ISSUES : SM_RULE_NO_ISSUES);
        live_close(l);
        remove_tree(l->path);
    }
}

/* The gradient of a deep layer differs by much from batch to batch: it vanishes in most steps. */
static void test_gradients_that_vanish_in_most_steps(void **state)
{
    struct live *l = *state;
    static float g[WEIGHTS], small[WEIGHTS];
    for (int every = 2; every <= 4; every += 2) {
        write_named(l, "gradients", "^gradient", NULL);
        for (int64_t step = 0; step < 12; step++) {
            fill(g, 0.1);
            fill(small, step % every ? 1e-9 : 1e-3);
            const struct put puts[] = {{"gradient/a.weight", g, 2, {UNITS, INPUTS}},
                                       {"gradient/b.weight", small, 2, {UNITS, INPUTS}}};
            write_puts(l, step, puts, 2);
        }
        live_open(l);
        expect(l, "VanishingGradient", "judge=auto",
               every == 4 ? SM_RULE_ISSUES : SM_RULE_NO_ISSUES);
        live_close(l);
        remove_tree(l->path);
    }
}

/* ---- what can be judged ---- */

/* Outputs, but no collection of gradients. */
static void test_all_zero_without_gradients(void **state)
{
    struct live *l = *state;
    static const float zero[4];
    write_named(l, "default", ".", NULL);
    for (int64_t step = 0; step < 8; step++)
        write_puts(l, step, &(struct put){"relu_output_0", zero, 2, {2, 2}}, 1);
    live_open(l);
    struct sm_rules *r = new_rules(l);
    sm_rules_auto(r, sm_rule_table);
    settle_rules(l, r);
    struct sm_rule_instance *i = sm_rules_item(r, sm_rules_find(r, "AllZero"));
    assert_int_equal(i->status, SM_RULE_ISSUES);
    close_rules(l, r);
}

static void test_all_zero_by_saved_reductions(void **state)
{
    struct live *l = *state;
    write_named(l, "default", ".", NULL);
    const float zero = 0, one = 1;
    for (int64_t step = 0; step < 2; step++) {
        const struct put puts[] = {
            {"smdebug/reductions/min/relu_output_0", &zero, 0, {0}},
            {"smdebug/reductions/max/relu_output_0", step ? &zero : &one, 0, {0}}};
        write_puts(l, step, puts, 2);
    }
    live_open(l);
    struct sm_rules *r = new_rules(l);
    struct sm_rule_instance *i = attach(r, "AllZero", "tensor_regex=relu", NULL);
    settle_rules(l, r);
    assert_int_equal(i->status, SM_RULE_ISSUES);
    assert_int_equal(i->first_fired, 1);
    assert_int_equal(i->datapoints, 2);
    close_rules(l, r);
}

static void test_the_first_written_is_reported(void **state)
{
    struct live *l = *state;
    const float nan[2] = {NAN, 0};
    const struct put puts[] = {{"z_first", nan, 1, {2, 0}}, {"a_then", nan, 1, {2, 0}}};
    struct sm_rules *r;
    write_puts(l, 0, puts, 2);
    live_open(l);
    struct sm_rule_instance *i = judge(l, &r, "ExplodingTensor", "judge=auto");
    assert_string_equal(i->findings[0].tensor, "z_first");
    close_rules(l, r);
}

/* ---- classes ---- */

enum { SAMPLES = 64, CLASSES = 4 };

/* STEPS steps of labels, of which `right` is the share that is predicted. rare: one in so many
 * labels is of class 3, else all are as frequent; class 3 is never predicted if `blind` is set. */
static void write_classes(struct live *l, double right, int rare, bool blind)
{
    enum { STEPS = 120 };
    static float labels[SAMPLES], predicted[SAMPLES];
    seed = 4;
    write_named(l, "labels", "^labels$", "predictions", "^predictions$", NULL);
    for (int64_t step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < SAMPLES; i++) {
            bool last = rare ? (step * SAMPLES + (int64_t)i) % rare == 0 : i % CLASSES == 3;
            labels[i] = last ? 3 : (float)(i % 3);
            predicted[i] = (draw() + 1) / 2 < right ? labels[i] : (float)((i + 1) % 3);
            predicted[i] = last && blind ? 0 : predicted[i];
        }
        const struct put puts[] = {{"labels", labels, 1, {SAMPLES, 0}},
                                   {"predictions", predicted, 1, {SAMPLES, 0}}};
        write_puts(l, step, puts, 2);
    }
    live_open(l);
}

static void test_a_network_that_is_not_perfect_is_quiet(void **state)
{
    struct live *l = *state;
    write_classes(l, 0.6, 0, false);
    expect(l, "Confusion", "judge=definition", SM_RULE_ISSUES);
    expect(l, "Confusion", "judge=auto", SM_RULE_NO_ISSUES);
    expect(l, "ClassImbalance", "judge=auto", SM_RULE_NO_ISSUES);
    live_close(l);
}

static void test_imbalance_that_is_learned_is_a_remark(void **state)
{
    struct live *l = *state;
    write_classes(l, 0.9, 60, false);
    expect(l, "ClassImbalance", "judge=definition", SM_RULE_ISSUES);
    expect_remark(l, "ClassImbalance", "imbalanced by more than 10 to 1");
    live_close(l);
}

static void test_imbalance_that_hurts_is_found(void **state)
{
    struct live *l = *state;
    write_classes(l, 0.9, 60, true);
    expect(l, "ClassImbalance", "judge=auto", SM_RULE_ISSUES);
    live_close(l);
}

static void test_swapped_classes_are_found(void **state)
{
    struct live *l = *state;
    write_classes(l, 0.1, 0, false);
    expect(l, "Confusion", "judge=auto", SM_RULE_ISSUES);
    live_close(l);
}

/* Prices of houses: every label another one. */
static void test_numbers_are_no_classes(void **state)
{
    struct live *l = *state;
    enum { MANY = 20000 };
    static float prices[MANY];
    for (size_t i = 0; i < MANY; i++)
        prices[i] = (float)(50000 + 7 * i);
    write_named(l, "labels", "^labels$", "predictions", "^predictions$", NULL);
    const struct put puts[] = {{"labels", prices, 1, {MANY, 0}},
                               {"predictions", prices, 1, {MANY, 0}}};
    write_puts(l, 0, puts, 2);
    live_open(l);
    static const char *const rules[] = {"ClassImbalance", "Confusion"}, *const ways[] = {
                                                                            "judge=definition",
                                                                            "judge=auto"};
    for (size_t i = 0; i < 4; i++) {
        struct sm_rules *r;
        struct sm_rule_instance *k = judge(l, &r, rules[i / 2], ways[i % 2]);
        assert_int_equal(k->datapoints, 0);
        assert_string_equal(k->skips[0].why, "too many different labels: they are not classes");
        close_rules(l, r);
    }
    live_close(l);
}

#define T(x) cmocka_unit_test_setup_teardown(x, live_setup, live_teardown)
/* ---- losses of loggers, without modes ---- */

/* An evaluation at every step, of a run that has learned: noise is no finding. */
static void test_noisy_validation_at_every_step(void **state)
{
    enum { STEPS = 1500 };
    struct live *l = *state;
    struct sm_err err;
    seed = 5;
    write_named(l, "losses", "loss", NULL);
    for (int64_t i = 0; i < STEPS; i++) {
        struct sm_writer *w = writer(l, "worker_0");
        double at = (double)i / STEPS, level = 0.3 + 2 * exp(-6 * at);
        float train = (float)(level + 0.1 * draw()), eval = (float)(level + 0.1 + 0.1 * draw());
        assert_true(sm_writer_begin_step(w, i, SM_MODE_GLOBAL, i, &err));
        put_values(w, "train/loss", &train, 0, NULL);
        put_values(w, "val/loss", &eval, 0, NULL);
        assert_true(sm_writer_end_step(w, &err));
        sm_writer_close(w);
    }
    live_open(l);
    expect(l, "Overfit", "judge=auto", SM_RULE_NO_ISSUES);
    live_close(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_noise_warm_up_and_plateau_are_quiet),
        T(test_flat_and_rising_losses_are_found),
        T(test_nan_is_no_baseline),
        T(test_overtraining_after_nan),
        T(test_a_gap_alone_is_no_overfitting),
        T(test_overfitting_is_found),
        T(test_overfit_without_eval_says_so),
        T(test_eval_that_never_beats_chance_is_found),
        T(test_a_loss_at_chance_is_found),
        cmocka_unit_test(test_the_past_is_bounded),
        T(test_a_frozen_beginning_is_a_remark),
        T(test_a_frozen_beginning_that_hurts_is_found),
        T(test_a_layer_left_out_is_found),
        T(test_constant_scales_and_zero_heads_are_remarks),
        T(test_equal_units_and_wrong_scales_are_found),
        T(test_scales_are_those_of_the_beginning),
        T(test_gradients_that_vanish_by_construction),
        T(test_gradients_that_vanish_in_most_steps),
        T(test_all_zero_without_gradients),
        T(test_all_zero_by_saved_reductions),
        T(test_the_first_written_is_reported),
        T(test_a_network_that_is_not_perfect_is_quiet),
        T(test_imbalance_that_is_learned_is_a_remark),
        T(test_imbalance_that_hurts_is_found),
        T(test_swapped_classes_are_found),
        T(test_numbers_are_no_classes),
        cmocka_unit_test_setup_teardown(test_noisy_validation_at_every_step, live_setup,
                                        live_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
