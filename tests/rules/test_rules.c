/* SPDX-License-Identifier: Apache-2.0 */
/* Each rule on values written for it: exact limits and corner cases. */
#include "tests/rules/judge.h"

#include <math.h>

/* ---- a small trial ---- */

static void write_vector(struct live *l, int64_t step, const char *name, const float *x, size_t n)
{
    write_tensor(l, step, name, x, 1, (uint64_t[]){n});
}

/* "step:tensor" of every violation of a rule attached with policy=continue, and the status of
 * errors. */
static const char *firings(struct live *l, const char *rule, const char *a, const char *b,
                           const char *c)
{
    static char text[4096];
    size_t n = 0;
    struct sm_rules *r = new_rules(l);
    struct sm_rule_instance *i = attach(r, rule, "policy=continue", a ? a : "policy=continue",
                                        b ? b : "policy=continue", c ? c : "policy=continue", NULL);
    settle_rules(l, r);
    text[0] = 0;
    if (i->status == SM_RULE_ERROR)
        n += (size_t)snprintf(text, sizeof text, "Error: %s", i->reason);
    for (size_t k = 0; k < i->n_findings && n < sizeof text; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%lld:%s", n ? " " : "",
                              (long long)i->findings[k].step, i->findings[k].tensor);
    close_rules(l, r);
    return text;
}

/* The number of the first violation, NaN if there is none. */
static double first_value(struct live *l, const char *rule, const char *a, const char *b)
{
    struct sm_rules *r = new_rules(l);
    struct sm_rule_instance *i =
        attach(r, rule, a ? a : "policy=once", b ? b : "policy=once", NULL);
    settle_rules(l, r);
    double v = i->n_findings ? i->findings[0].value : (double)NAN;
    close_rules(l, r);
    return v;
}

/* ---- gradients ---- */

static void test_vanishing_gradient(void **state)
{
    struct live *l = *state;
    const float exact = 1e-7f, below = 9e-8f, nan_value = NAN;
    write_named(l, "gradients", "^gradient", NULL);
    write_vector(l, 0, "gradient/a", &exact, 1);
    write_vector(l, 1, "gradient/a", &below, 1);
    write_vector(l, 2, "gradient/a", &nan_value, 1);
    live_open(l);
    /* 1e-7f is 1.00000001e-07 */
    assert_string_equal(firings(l, "VanishingGradient", NULL, NULL, NULL), "1:gradient/a");
    assert_string_equal(firings(l, "vanishinggradient", "threshold=1e-12", NULL, NULL), "");
}

static void test_large_gradient_and_scale(void **state)
{
    struct live *l = *state;
    float x[100] = {0};
    const float one = 1, small = 1e-5f;
    x[3] = 11;
    write_named(l, "gradients", "^gradient", NULL);
    write_vector(l, 0, "gradient/a", x, 100);
    x[4] = -12;
    write_vector(l, 1, "gradient/a", x, 100);
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    assert_true(sm_writer_begin_step(w, 2, SM_MODE_GLOBAL, 2, &err));
    put_values(w, "gradient/b", &one, 0, NULL);
    put_values(w, "gradient/c", &small, 0, NULL);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    live_open(l);
    assert_string_equal(firings(l, "large_gradient", NULL, NULL, NULL), "1:gradient/a");
    assert_string_equal(firings(l, "gradient_scale", NULL, NULL, NULL), "2:gradient/b");
    assert_string_equal(firings(l, "gradient_scale", "max_ratio=1e6", NULL, NULL), "");
}

/* ---- values ---- */

static void test_exploding_tensor(void **state)
{
    struct live *l = *state;
    float x[4] = {1, 2, INFINITY, NAN};
    write_named(l, "trees", "^trees/", NULL);
    write_vector(l, 0, "trees/Split", x, 4);
    write_vector(l, 1, "w", x, 3);
    write_vector(l, 2, "w", x, 4);
    live_open(l);
    assert_string_equal(firings(l, "ExplodingTensor", NULL, NULL, NULL), "1:w 2:w");
    assert_string_equal(firings(l, "ExplodingTensor", "only_nan=True", NULL, NULL), "2:w");
    assert_string_equal(firings(l, "ExplodingTensor", "tensor_regex=trees", NULL, NULL),
                        "0:trees/Split");
    assert_string_equal(firings(l, "ExplodingTensor", "collection_names=nosuch", NULL, NULL),
                        "Error: the trial has no collection \"nosuch\"");
}

static void test_all_zero(void **state)
{
    struct live *l = *state;
    const float half[] = {0, -0.0f, 1, 2}, nan_value[] = {NAN};
    write_named(l, "default", ".", NULL);
    write_vector(l, 0, "x", half, 4);
    write_vector(l, 1, "x", half, 2);
    write_vector(l, 2, "x", nan_value, 1);
    live_open(l);
    assert_string_equal(firings(l, "all_zero", "tensor_regex=x", "threshold=50", NULL), "0:x 1:x");
    assert_string_equal(firings(l, "all_zero", "tensor_regex=x", "threshold=50.1", NULL), "1:x");
    assert_string_equal(firings(l, "all_zero", NULL, NULL, NULL),
                        "Error: give collection_names or tensor_regex");
}

static void test_tensor_variance(void **state)
{
    struct live *l = *state;
    const float x[] = {-2, 2};
    write_named(l, "default", ".", NULL);
    write_vector(l, 0, "x", x, 2); /* 4 */
    write_vector(l, 1, "x", x, 1); /* a scalar has no variance */
    live_open(l);
    assert_string_equal(firings(l, "TensorVariance", "tensor_regex=x", "max_threshold=3.9", NULL),
                        "0:x");
    assert_string_equal(
        firings(l, "TensorVariance", "tensor_regex=x", "max_threshold=4", "min_threshold=4"), "");
    assert_string_equal(firings(l, "TensorVariance", "tensor_regex=x", "min_threshold=4.1", NULL),
                        "0:x");
    assert_string_equal(firings(l, "TensorVariance", "tensor_regex=x", NULL, NULL),
                        "Error: nothing to check: give max_threshold or min_threshold");
}

static void test_unchanged_tensor(void **state)
{
    struct live *l = *state;
    float ones[60];
    for (size_t i = 0; i < 60; i++)
        ones[i] = 1;
    write_named(l, "default", ".", NULL);
    for (int64_t step = 0; step < 3; step++)
        write_tensor(l, step, "foo_0", ones, 3, (uint64_t[]){10, 3, 2});
    write_tensor(l, 5, "boo_0", ones, 3, (uint64_t[]){10, 3, 2});
    live_open(l);
    assert_string_equal(firings(l, "UnchangedTensor", "tensor_regex=.*", NULL, NULL), "2:foo_0");
    assert_string_equal(firings(l, "UnchangedTensor", "tensor_regex=.*", "end_step=2", NULL), "");
    assert_string_equal(firings(l, "UnchangedTensor", "tensor_regex=.*", "start_step=2", NULL),
                        "2:foo_0");
    assert_string_equal(firings(l, "UnchangedTensor", "tensor_regex=.*", "start_step=3", NULL), "");
    assert_string_equal(firings(l, "UnchangedTensor", "tensor_regex=.*", "num_steps=1", NULL),
                        "Error: parameter num_steps must be between 2 and 1000, not 1");
}

static void test_slow_drift_is_a_change(void **state)
{
    struct live *l = *state;
    write_named(l, "default", ".", NULL);
    /* each value is within rtol of the next, but the first and last are not */
    for (int64_t step = 0; step < 4; step++)
        write_vector(l, step, "x", &(float){1 + 8e-6f * (float)step}, 1);
    live_open(l);
    assert_string_equal(firings(l, "UnchangedTensor", "tensor_regex=x", NULL, NULL), "");
    assert_string_equal(firings(l, "UnchangedTensor", "tensor_regex=x", "num_steps=2", NULL),
                        "1:x 2:x 3:x");
}

/* ---- activations ---- */

/* Four samples of four units; the first `active` samples of unit 0 are above 0, and the first
 * `second` of unit 1. */
static void write_units(struct live *l, int64_t step, const char *name, int active, int second,
                        float on, float off)
{
    float x[16];
    for (int b = 0; b < 4; b++)
        for (int u = 0; u < 4; u++)
            x[4 * b + u] = (u == 0 && b < active) || (u == 1 && b < second) ? on : off;
    write_tensor(l, step, name, x, 2, (uint64_t[]){4, 4});
}

static void test_dead_relu(void **state)
{
    struct live *l = *state;
    write_named(l, "default", ".", NULL);
    write_units(l, 0, "relu_output_0", 4, 1, 1, 0);
    write_units(l, 1, "relu_output_0", 4, 0, 1, 0);
    live_open(l);
    assert_string_equal(firings(l, "DeadRelu", NULL, NULL, NULL), "1:relu_output_0");
    assert_float_equal(first_value(l, "DeadRelu", NULL, NULL), 75, 0);
    assert_string_equal(firings(l, "DeadRelu", "threshold_layer=75", NULL, NULL), "");
    assert_string_equal(firings(l, "DeadRelu", "unit=node", NULL, NULL),
                        "Error: unit must be position or channel");
}

static void test_dead_relu_channels(void **state)
{
    struct live *l = *state;
    /* 2 samples, 2 channels, 4 positions: channel 0 is active at one position of one sample */
    float x[2 * 2 * 4] = {0};
    x[1] = 1;
    write_named(l, "default", ".", NULL);
    write_tensor(l, 0, "relu0_output", x, 3, (uint64_t[]){2, 2, 4});
    live_open(l);
    assert_float_equal(first_value(l, "DeadRelu", NULL, NULL), 87.5, 0);
    /* 50 % is not more than 50 */
    assert_string_equal(firings(l, "DeadRelu", "unit=channel", NULL, NULL), "");
    assert_float_equal(first_value(l, "DeadRelu", "unit=channel", "threshold_layer=49"), 50, 0);
}

static void test_saturated_activation(void **state)
{
    struct live *l = *state;
    write_named(l, "default", ".", NULL);
    write_units(l, 0, "tanh_input_0", 4, 0, 9.4f, 9.6f);
    write_units(l, 1, "sigmoid_input_0", 4, 0, 9.4f, 9.6f);
    write_units(l, 2, "sigmoid_input_0", 4, 0, 9.4f, -24);
    write_units(l, 3, "sigmoid_of_tanh_input_0", 4, 1, 9.4f, -24);
    live_open(l);
    assert_string_equal(firings(l, "SaturatedActivation", NULL, NULL, NULL),
                        "0:tanh_input_0 2:sigmoid_input_0");
    assert_string_equal(firings(l, "SaturatedActivation", "threshold_tanh=(-10,10)",
                                "threshold_sigmoid=(-30,30)", NULL),
                        "");
}

static void test_zero_neurons(void **state)
{
    struct live *l = *state;
    write_named(l, "default", ".", NULL);
    for (int64_t step = 0; step < 4; step++)
        write_units(l, step, "relu_output_0", 4, step == 3, 1, 0);
    live_open(l);
    /* then 50 % */
    assert_string_equal(firings(l, "zero_neurons", NULL, NULL, NULL), "2:relu_output_0");
    assert_string_equal(firings(l, "zero_neurons", "num_steps=1", NULL, NULL),
                        "0:relu_output_0 1:relu_output_0 2:relu_output_0");
}

static void test_output_change_ratio(void **state)
{
    struct live *l = *state;
    write_named(l, "default", ".", NULL);
    write_vector(l, 0, "out", (float[]){1, -1}, 2);
    write_vector(l, 1, "out", (float[]){12, -12}, 2);
    write_vector(l, 2, "out", (float[]){12, -12, 0}, 3);
    live_open(l);
    assert_string_equal(firings(l, "output_change_ratio", "tensor_regex=out", NULL, NULL), "1:out");
    assert_string_equal(firings(l, "output_change_ratio", NULL, NULL, NULL),
                        "Error: OutputChangeRatio requires parameter tensor_regex: patterns of "
                        "outputs for the same input at each step");
}

/* ---- weights ---- */

static void test_weight_update_ratio(void **state)
{
    struct live *l = *state;
    write_named(l, "weights", "^w", NULL);
    write_vector(l, 0, "w", (float[]){1, -2, 0.5f, 0}, 4);
    write_vector(l, 5, "w", (float[]){1.1f, -2.2f, 0.5f, 0.1f}, 4);
    write_vector(l, 6, "w", (float[]){1.1f, -2.2f, 0.5f, 0.1f}, 4);
    live_open(l);
    assert_float_equal(first_value(l, "WeightUpdateRatio", "large_threshold=0.1", NULL),
                       0.1142857141551, 1e-6);
    assert_string_equal(firings(l, "WeightUpdateRatio", NULL, NULL, NULL), "6:w");
    assert_string_equal(firings(l, "WeightUpdateRatio", "num_steps=3", NULL, NULL), "6:w");
    assert_string_equal(firings(l, "WeightUpdateRatio", "num_steps=6", NULL, NULL), "");
}

static void test_weights_from_zero(void **state)
{
    struct live *l = *state;
    write_named(l, "weights", "^w", NULL);
    write_vector(l, 0, "w", (float[]){0, 0}, 2);
    write_vector(l, 1, "w", (float[]){0.1f, 0.1f}, 2);
    live_open(l);
    assert_string_equal(firings(l, "WeightUpdateRatio", NULL, NULL, NULL), "1:w");
    assert_string_equal(firings(l, "WeightUpdateRatio", "skip_zero_previous=True", NULL, NULL), "");
}

static void test_poor_weight_initialization(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    write_named(l, "losses", "^loss", NULL);
    for (int64_t step = 0; step < 12; step++) {
        struct sm_writer *w = writer(l, "worker_0");
        assert_true(sm_writer_begin_step(w, step, SM_MODE_TRAIN, step, &err));
        put_values(w, "loss", (float[]){step < 2 ? 1 : 2}, 0, NULL);
        put_values(w, "relu_input_0", (float[]){-1, 1}, 1, (uint64_t[]){2});
        put_values(w, "relu_input_1", (float[]){-3, step == 11 ? 9.f : 3.f}, 1, (uint64_t[]){2});
        assert_true(sm_writer_end_step(w, &err));
        sm_writer_close(w);
    }
    live_open(l);
    assert_string_equal(firings(l, "PoorWeightInitialization", NULL, NULL, NULL),
                        "5:loss 6:loss 7:loss 8:loss 9:loss");
    assert_string_equal(firings(l, "PoorWeightInitialization", "patience=100", NULL, NULL), "");
    assert_string_equal(firings(l, "PoorWeightInitialization", "patience=100", "steps=100", NULL),
                        "11:relu_input_0");
    assert_string_equal(
        firings(l, "PoorWeightInitialization", "patience=100", "threshold=8.9", "steps=1"),
        "0:relu_input_0");
}

static void test_identical_weights(void **state)
{
    struct live *l = *state;
    const float same_inputs[] = {1, 2, 3, 4, 4, 4}, same_units[] = {1, 2, 3, 1, 2, 3},
                good[] = {1, 2, 3, 4, 5, 6};
    write_named(l, "weights", ".", NULL);
    write_tensor(l, 0, "a", same_inputs, 2, (uint64_t[]){2, 3});
    live_open(l);
    assert_string_equal(firings(l, "identical_weights", NULL, NULL, NULL), "0:a");
    live_close(l);
    remove_tree(l->path);
    write_named(l, "weights", ".", NULL);
    write_tensor(l, 0, "a", same_units, 2, (uint64_t[]){2, 3});
    live_open(l);
    assert_string_equal(firings(l, "identical_weights", NULL, NULL, NULL), "0:a");
    live_close(l);
    remove_tree(l->path);
    write_named(l, "weights", ".", NULL);
    write_tensor(l, 0, "a", good, 2, (uint64_t[]){2, 3});
    write_tensor(l, 1, "a", same_units, 2, (uint64_t[]){2, 3}); /* only the first step is judged */
    live_open(l);
    assert_string_equal(firings(l, "identical_weights", NULL, NULL, NULL), "");
    assert_string_equal(firings(l, "initial_weight_variance", NULL, NULL, NULL), "0:a"); /* 2.9 */
    assert_string_equal(firings(l, "initial_weight_variance", "max_threshold=3", NULL, NULL), "");
}

/* ---- losses ---- */

static void write_losses(struct live *l, const float *x, const int64_t *steps, size_t n)
{
    write_named(l, "losses", "loss", "default", ".", NULL);
    for (size_t i = 0; i < n; i++)
        write_vector(l, steps[i], "loss_0", &x[i], 1);
    live_open(l);
}

static void test_loss_not_decreasing(void **state)
{
    struct live *l = *state;
    write_losses(l, (float[]){.3f, .33f, .31f, .30f, .28f}, (int64_t[]){0, 4, 8, 12, 16}, 5);
    assert_string_equal(firings(l, "LossNotDecreasing", "diff_percent=0", NULL, NULL), "12:loss_0");
    assert_string_equal(
        firings(l, "LossNotDecreasing", "diff_percent=0", "tensor_regex=loss, losses", NULL),
        "12:loss_0");
    assert_string_equal(firings(l, "LossNotDecreasing", "diff_percent=0",
                                "collection_names=default", "use_losses_collection=False"),
                        "12:loss_0");
}

static void test_loss_with_percent(void **state)
{
    struct live *l = *state;
    write_losses(l, (float[]){.3f, .33f, .31f, .30f, .28f, .2f, .42f},
                 (int64_t[]){0, 4, 8, 12, 16, 20, 24}, 7);
    assert_string_equal(firings(l, "LossNotDecreasing", "diff_percent=20", NULL, NULL),
                        "12:loss_0 24:loss_0");
    assert_string_equal(firings(l, "LossNotDecreasing", "diff_percent=20", "start_step=13", NULL),
                        "16:loss_0");
}

static void test_loss_stalls(void **state)
{
    struct live *l = *state;
    float x[8];
    int64_t steps[8];
    for (int i = 0; i < 8; i++) {
        x[i] = i % 2 ? 0.96f : 1; /* increases of 4 % are accepted, decreases of 4 % count */
        steps[i] = 10 * i;
    }
    write_losses(l, x, steps, 8);
    assert_string_equal(firings(l, "LossNotDecreasing", NULL, NULL, NULL),
                        "40:loss_0 50:loss_0 60:loss_0 70:loss_0");
    assert_string_equal(firings(l, "LossNotDecreasing", "stall_checks=0", NULL, NULL), "");
}

static void test_loss_limit_and_plateau(void **state)
{
    struct live *l = *state;
    write_losses(l, (float[]){3, 3.001f, 1, 5, 6}, (int64_t[]){0, 1, 2, 3, 4}, 5);
    assert_string_equal(firings(l, "loss_limit", "limit=4", NULL, NULL), "3:loss_0 4:loss_0");
    assert_string_equal(firings(l, "loss_limit", "limit=4", "patience=2", NULL), "4:loss_0");
    assert_string_equal(firings(l, "loss_plateau", "window=2", "mode=global", NULL), "1:loss_0");
}

static void test_overfit(void **state)
{
    struct live *l = *state;
    const float train[] = {1, .9f, .8f}, eval[] = {1, 1.05f};
    write_named(l, "losses", "loss", NULL);
    for (int i = 0; i < 3; i++)
        write_scalar(l, i, SM_MODE_TRAIN, i, "loss", train[i]);
    for (int i = 0; i < 2; i++)
        write_scalar(l, 3 + i, SM_MODE_EVAL, i, "loss", eval[i]);
    write_scalar(l, 5, SM_MODE_TRAIN, 3, "loss", .7f);
    live_open(l);
    assert_string_equal(firings(l, "Overfit", NULL, NULL, NULL), "5:loss");
    assert_float_equal(first_value(l, "Overfit", NULL, NULL), 0.1389, 1e-4);
    assert_string_equal(firings(l, "Overfit", "patience=2", NULL, NULL), "");
    assert_string_equal(firings(l, "Overfit", "ratio_threshold=0.139", NULL, NULL), "");
    assert_string_equal(firings(l, "Overfit", "start_step=3", NULL, NULL), "");
}

/* As the callbacks for Keras, Hugging Face and Lightning write them: the mode says what is
 * validation, the name of what. Where the mode does not, because a program logs both in TRAIN, the
 * name alone does, and each value is an evaluation. A loss that other losses in EVAL do not fit is
 * not judged by them. */
static void test_overfit_by_names_in_modes(void **state)
{
    static const struct {
        const char *train, *eval;
        int mode; /* of the second */
        const char *fires;
    } rows[] = {
        {"loss", "val_loss", SM_MODE_EVAL, "5:loss"},
        {"loss", "eval_loss", SM_MODE_EVAL, "5:loss"},
        {"train_loss", "val_loss", SM_MODE_EVAL, "5:train_loss"},
        {"train/loss", "val/loss", SM_MODE_EVAL, "5:train/loss"},
        {"loss", "val_loss", SM_MODE_TRAIN, "4:loss"},
        {"test_net_loss", "test_net_loss", SM_MODE_EVAL, "5:test_net_loss"},
        {"aux_loss", "val_loss", SM_MODE_EVAL, ""},
    };
    static const float values[] = {1, .9f, .9f, .8f, 1.2f, .7f};
    struct live *l = *state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int64_t numbers[SM_MODE_GLOBAL + 1] = {0};
        write_named(l, "losses", "loss", NULL);
        for (int i = 0; i < 6; i++) {
            bool validates = i == 2 || i == 4;
            int mode = validates ? rows[k].mode : SM_MODE_TRAIN;
            write_scalar(l, i, mode, numbers[mode]++, validates ? rows[k].eval : rows[k].train,
                         values[i]);
        }
        live_open(l);
        assert_string_equal(firings(l, "Overfit", NULL, NULL, NULL), rows[k].fires);
        live_close(l);
        remove_tree(l->path);
    }
}

/* TRAIN is saved every 100 of 1000 steps, EVAL every 10 of 200: judged at the first TRAIN step
 * after each EVAL block. */
static void test_overfit_timing(void **state)
{
    struct live *l = *state;
    write_named(l, "losses", "loss", NULL);
    for (int64_t epoch = 0; epoch < 7; epoch++) {
        for (int64_t i = 0; i < 1000; i += 100)
            write_scalar(l, 1200 * epoch + i, SM_MODE_TRAIN, 1000 * epoch + i, "loss", 1);
        for (int64_t i = 0; i < 200; i += 10)
            write_scalar(l, 1200 * epoch + 1000 + i, SM_MODE_EVAL, 200 * epoch + i, "loss",
                         epoch < 5 ? 1 : 2);
    }
    live_open(l);
    struct sm_rules *r = new_rules(l);
    struct sm_rule_instance *i = attach(r, "Overfit", NULL);
    settle_rules(l, r);
    assert_int_equal(i->first_fired, 7200);
    assert_int_equal(i->datapoints, 6);
    close_rules(l, r);
}

static void test_overtraining(void **state)
{
    struct live *l = *state;
    write_named(l, "losses", "loss", NULL);
    for (int64_t i = 0; i < 20; i++)
        write_scalar(l, i, i % 2 ? SM_MODE_EVAL : SM_MODE_TRAIN, i / 2, "loss", i == 0 ? 1 : .999f);
    live_open(l);
    /* 9 EVAL values without improvement */
    assert_string_equal(firings(l, "Overtraining", NULL, NULL, NULL), "");
    assert_string_equal(firings(l, "Overtraining", "patience_validation=9", NULL, NULL), "19:loss");
    assert_string_equal(firings(l, "Overtraining", "patience_validation=9", "delta=0.0001", NULL),
                        "19:loss");
    assert_string_equal(
        firings(l, "Overtraining", "patience_train=10", "patience_validation=1", NULL), "");
}

/* The sign of a NaN is not printed; a "-nan" in the name of a tensor is. */
static void test_nan_in_messages(void **state)
{
    struct live *l = *state;
    write_named(l, "losses", "loss", NULL);
    for (int64_t i = 0; i < 8; i++)
        write_scalar(l, i, i % 2 ? SM_MODE_EVAL : SM_MODE_TRAIN, i / 2, "loss -nan",
                     i % 2 ? -(float)NAN : 1);
    live_open(l);
    struct sm_rules *r = new_rules(l);
    struct sm_rule_instance *i =
        attach(r, "Overtraining", "patience_train=1", "patience_validation=1", NULL);
    settle_rules(l, r);
    assert_int_equal(i->n_findings, 1);
    assert_string_equal(i->findings[0].tensor, "loss -nan");
    assert_non_null(strstr(i->findings[0].text, "no finite val)"));
    close_rules(l, r);
}

/* ---- classes ---- */

static void test_class_imbalance(void **state)
{
    struct live *l = *state;
    float x[1000] = {0};
    struct sm_err err;
    for (size_t i = 0; i < 10; i++)
        x[100 * i] = 1;
    write_named(l, "default", ".", NULL);
    struct sm_writer *w = writer(l, "worker_0");
    assert_true(sm_writer_begin_step(w, 3, SM_MODE_GLOBAL, 3, &err));
    put_values(w, "labels", x, 1, (uint64_t[]){1000});
    put_values(w, "predictions", x, 1, (uint64_t[]){1000});
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    live_open(l);
    assert_string_equal(firings(l, "ClassImbalance", NULL, NULL, NULL), "3:labels");
    assert_float_equal(first_value(l, "ClassImbalance", NULL, NULL), 99, 0);
    assert_string_equal(firings(l, "ClassImbalance", "threshold_imbalance=99", NULL, NULL), "");
    assert_string_equal(firings(l, "ClassImbalance", "samples=1001", NULL, NULL), "");
    assert_string_equal(firings(l, "data_imbalance", NULL, NULL, NULL), "3:labels");
    assert_string_equal(firings(l, "data_imbalance", "threshold=1000", "num_classes=3", NULL),
                        "3:labels");
    assert_string_equal(firings(l, "per_class_quality", NULL, NULL, NULL), "");
}

static void test_mispredictions(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    float scores[10 * 2];
    for (int i = 0; i < 10; i++) { /* predicts class 0 for all but the first two */
        scores[2 * i] = i < 2 ? .1f : .8f;
        scores[2 * i + 1] = i < 2 ? .7f : .2f;
    }
    write_named(l, "default", ".", NULL);
    struct sm_writer *w = writer(l, "worker_0");
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_GLOBAL, 0, &err));
    put_values(w, "labels", (float[]){1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, 1, (uint64_t[]){10});
    put_values(w, "predictions", scores, 2, (uint64_t[]){10, 2});
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    live_open(l);
    assert_string_equal(
        firings(l, "ClassImbalance", "samples=10", "threshold_misprediction=0.5", NULL),
        "0:labels");
    assert_string_equal(
        firings(l, "ClassImbalance", "samples=10", "threshold_misprediction=0.6", NULL), "");
}

static void write_pairs(struct live *l, const char *labels, const char *predictions, int wrong)
{
    struct sm_err err;
    float y[10], p[10];
    for (int i = 0; i < 10; i++)
        y[i] = p[i] = (float)i;
    if (wrong >= 0)
        p[wrong] = 7;
    remove_tree(l->path);
    write_named(l, "labels", "^labels", "predictions", "^predictions", NULL);
    struct sm_writer *w = writer(l, "worker_0");
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_GLOBAL, 0, &err));
    put_values(w, labels, y, 1, (uint64_t[]){10});
    put_values(w, predictions, p, 1, (uint64_t[]){10});
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    live_open(l);
}

static void test_confusion(void **state)
{
    struct live *l = *state;
    write_pairs(l, "labels_x", "predictions_x", -1); /* found by their collections */
    assert_string_equal(firings(l, "Confusion", NULL, NULL, NULL), "");
    live_close(l);
    write_pairs(l, "labels", "predictions", 4);
    assert_string_equal(firings(l, "Confusion", "min_diag=0", "max_off_diag=0.01", NULL),
                        "0:labels");
    assert_string_equal(firings(l, "Confusion", NULL, NULL, NULL), "0:labels");
    assert_float_equal(first_value(l, "Confusion", NULL, NULL), 0.5, 0);
    assert_string_equal(firings(l, "Confusion", "category_no=4", NULL, NULL), "");
}

/* ---- inputs ---- */

static void test_check_input_images(void **state)
{
    struct live *l = *state;
    float x[64 * 2];
    for (size_t i = 0; i < 64 * 2; i++)
        x[i] = i % 2 ? 0.286f : 0; /* channel 0 is normalised, channel 1 is not */
    write_named(l, "default", ".", NULL);
    for (int64_t step = 0; step < 9; step++)
        write_tensor(l, step, "Net_input_0", x, 4, (uint64_t[]){64, 2, 1, 1});
    live_open(l);
    assert_string_equal(firings(l, "CheckInputImages", NULL, NULL, NULL),
                        "7:Net_input_0 8:Net_input_0"); /* 512 images */
    assert_string_equal(firings(l, "CheckInputImages", "threshold_mean=0.3", NULL, NULL), "");
    /* together 0.143 */
    assert_string_equal(firings(l, "CheckInputImages", "channel=3", NULL, NULL), "");
    assert_string_equal(
        firings(l, "input_normalization", "regex=_input_0", "samples=64", "threshold_std=2"),
        "0:Net_input_0 1:Net_input_0 2:Net_input_0 3:Net_input_0 4:Net_input_0 5:Net_input_0 "
        "6:Net_input_0 "
        "7:Net_input_0 8:Net_input_0");
}

static void test_nlp_sequence_ratio(void **state)
{
    struct live *l = *state;
    write_named(l, "default", ".", NULL);
    write_vector(l, 0, "embedding0_input_0", (float[]){0, 0, 0, 0, 1, 2, 3, 9}, 8);
    write_vector(l, 1, "embedding0_input_0", (float[]){0, 0, 0, 0, 0, 2, 3, 9}, 8);
    live_open(l);
    assert_string_equal(firings(l, "NLPSequenceRatio", NULL, NULL, NULL), "1:embedding0_input_0");
    assert_string_equal(
        firings(l, "NLPSequenceRatio", "token_values=0,9", "token_thresholds_percent=90,12", NULL),
        "0:embedding0_input_0 1:embedding0_input_0");
    assert_string_equal(
        firings(l, "NLPSequenceRatio", "token_values=0,9", "token_thresholds_percent=1,2,3", NULL),
        "Error: token_thresholds_percent must have one value, or as many as token_values");
}

static void test_feature_redundancy(void **state)
{
    struct live *l = *state;
    float x[100 * 3], y[100 * 3];
    for (int i = 0; i < 100; i++) {
        x[3 * i] = y[3 * i] = (float)(i % 7);
        x[3 * i + 1] = y[3 * i + 1] = (float)(i % 11);
        x[3 * i + 2] = (float)(i % 13);
        y[3 * i + 2] = (float)(i % 7 + 2 * (i % 11)); /* depends on both, on neither alone */
    }
    write_named(l, "default", ".", NULL);
    write_tensor(l, 0, "free", x, 2, (uint64_t[]){100, 3});
    write_tensor(l, 1, "bound", y, 2, (uint64_t[]){100, 3});
    live_open(l);
    assert_string_equal(firings(l, "feature_redundancy", "regex=free", NULL, NULL), "");
    assert_string_equal(firings(l, "feature_redundancy", "regex=bound", NULL, NULL), "1:bound");
}

/* ---- trees ---- */

static void write_importance(struct live *l, int64_t step, const float *x)
{
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    char name[64];
    assert_true(sm_writer_begin_step(w, step, SM_MODE_GLOBAL, step, &err));
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "feature_importance/weight/f%d", i);
        put_values(w, name, &x[i], 0, NULL);
    }
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

static void test_feature_importance(void **state)
{
    struct live *l = *state;
    write_named(l, "default", ".", NULL);
    write_importance(l, 0, (float[]){.5f, .3f, .1f, .06f, .04f});
    write_importance(l, 1, (float[]){.3f, .25f, .2f, .15f, .1f});
    live_open(l);
    assert_string_equal(firings(l, "FeatureImportanceOverweight", NULL, NULL, NULL),
                        "0:feature_importance/weight/f0");
    assert_string_equal(firings(l, "FeatureImportanceOverweight", "nfeatures=5", NULL, NULL), "");
}

static void test_tree_depth(void **state)
{
    static const struct {
        float largest;
        const char *deepest; /* the largest depth= that fires */
        const char *enough;
    } rows[] = {{2, "depth=0", "depth=1"},  {6, "depth=1", "depth=2"},  {14, "depth=2", "depth=3"},
                {15, "depth=2", "depth=3"}, {30, "depth=3", "depth=4"}, {31, "depth=3", "depth=4"},
                {62, "depth=4", "depth=5"}, {187, "depth=6", "depth=7"}};
    struct live *l = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_named(l, "trees", "^trees/", NULL);
        write_vector(l, 0, "trees/Node", (float[]){0, 1, rows[i].largest}, 3);
        live_open(l);
        assert_string_equal(firings(l, "TreeDepth", rows[i].deepest, NULL, NULL), "0:trees/Node");
        assert_string_equal(firings(l, "TreeDepth", rows[i].enough, NULL, NULL), "");
        live_close(l);
        remove_tree(l->path);
    }
    write_named(l, "trees", "^trees/", NULL);
    write_vector(l, 0, "trees/Node", (float[]){0, 1}, 2);
    live_open(l);
    assert_string_equal(firings(l, "TreeDepth", "depth=0", NULL, NULL), "");
}

/* ---- runs ---- */

static void test_similar_across_runs(void **state)
{
    struct live *l = *state;
    char other[300], parameter[320];
    snprintf(other, sizeof other, "%s/other", l->dir);
    write_named(l, "default", ".", NULL);
    write_vector(l, 0, "x", (float[]){1, 2}, 2);
    write_vector(l, 1, "x", (float[]){1, 2}, 2);
    assert_int_equal(rename(l->path, other), 0);
    write_named(l, "default", ".", NULL);
    write_vector(l, 0, "x", (float[]){1, 2}, 2);
    write_vector(l, 1, "x", (float[]){1, 2.5f}, 2);
    write_vector(l, 2, "x", (float[]){1, 2}, 2);
    live_open(l);
    snprintf(parameter, sizeof parameter, "other_trials=%s", other);
    assert_string_equal(firings(l, "SimilarAcrossRuns", parameter, NULL, NULL), "1:x");
    assert_float_equal(first_value(l, "SimilarAcrossRuns", parameter, NULL), 0.5, 0);
}

/* cnn_reductions has no weights, only their reductions. */
static void test_similar_reductions(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_reductions");
    struct sm_rules *r = new_rules(l);
    struct sm_rule_instance *i =
        attach(r, "SimilarAcrossRuns", "policy=continue", "tensor_regex=CNN_conv0",
               "other_trials=tests/trials/cnn_reductions", NULL);
    settle_rules(l, r);
    assert_int_equal(i->violations, 0);
    assert_int_not_equal(i->datapoints, 0);
    close_rules(l, r);
}

static void test_similar_without_trial(void **state)
{
    struct live *l = *state;
    write_named(l, "default", ".", NULL);
    write_vector(l, 0, "x", (float[]){1, 2}, 2);
    live_open(l);
    const char *text = firings(l, "SimilarAcrossRuns", "other_trials=/nonexistent/x", NULL, NULL);
    assert_string_equal(text, "Error: /nonexistent/x: no steps of a run are there");
}

static void test_stalled_training(void **state)
{
    struct live *l = *state;
    write_named(l, "default", ".", NULL);
    write_vector(l, 7, "x", (float[]){1}, 1);
    live_open(l);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    struct sm_rule_instance *i = attach(r, "StalledTrainingRule", "threshold=100", NULL);
    settle_rules(l, r);
    sm_clock_advance((int64_t)99 * 1000000);
    settle_rules(l, r);
    assert_int_equal(i->status, SM_RULE_IN_PROGRESS);
    sm_clock_advance((int64_t)2 * 1000000);
    settle_rules(l, r);
    assert_int_equal(i->status, SM_RULE_ISSUES);
    assert_int_equal(i->first_fired, 7);
    close_rules(l, r);
    r = sm_rules_new(l->trial, l->fetch, l->pool); /* attached late */
    i = attach(r, "StalledTrainingRule", "threshold=100", NULL);
    settle_rules(l, r);
    assert_int_equal(i->status, SM_RULE_ISSUES);
    close_rules(l, r);
    write_end(l); /* a finished trial does not stall */
    live_beat(l);
    r = new_rules(l);
    i = attach(r, "StalledTrainingRule", "threshold=100", NULL);
    settle_rules(l, r);
    assert_int_equal(i->status, SM_RULE_NO_ISSUES);
    close_rules(l, r);
}

/* The default threshold: at each time what `info trial` says, also without --follow. */
static void test_stalled_as_the_trial_is(void **state)
{
    struct live *l = *state;
    write_named(l, "default", ".", NULL);
    write_vector(l, 7, "x", (float[]){1}, 1);
    live_open(l);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    struct sm_rule_instance *i = attach(r, "StalledTrainingRule", NULL);
    sm_clock_freeze(sm_clock_mono_us(), sm_trial_newest_us(l->trial) + STALL_US);
    settle_rules(l, r);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
    assert_int_equal(i->status, SM_RULE_IN_PROGRESS);
    sm_clock_advance(1);
    settle_rules(l, r);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_STALLED);
    assert_int_equal(i->status, SM_RULE_ISSUES);
    close_rules(l, r);
    r = new_rules(l);
    i = attach(r, "StalledTrainingRule", NULL);
    struct sm_rule_instance *patient = attach(r, "StalledTrainingRule", "threshold=7200", NULL);
    settle_rules(l, r);
    assert_int_equal(i->status, SM_RULE_ISSUES);
    assert_int_equal(patient->status, SM_RULE_NO_ISSUES);
    close_rules(l, r);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_vanishing_gradient),
        TEST(test_large_gradient_and_scale),
        TEST(test_exploding_tensor),
        TEST(test_all_zero),
        TEST(test_tensor_variance),
        TEST(test_unchanged_tensor),
        TEST(test_slow_drift_is_a_change),
        TEST(test_dead_relu),
        TEST(test_dead_relu_channels),
        TEST(test_saturated_activation),
        TEST(test_zero_neurons),
        TEST(test_output_change_ratio),
        TEST(test_weight_update_ratio),
        TEST(test_weights_from_zero),
        TEST(test_poor_weight_initialization),
        TEST(test_identical_weights),
        TEST(test_loss_not_decreasing),
        TEST(test_loss_with_percent),
        TEST(test_loss_stalls),
        TEST(test_loss_limit_and_plateau),
        TEST(test_overfit),
        TEST(test_overfit_by_names_in_modes),
        TEST(test_overfit_timing),
        TEST(test_overtraining),
        TEST(test_nan_in_messages),
        TEST(test_class_imbalance),
        TEST(test_mispredictions),
        TEST(test_confusion),
        TEST(test_check_input_images),
        TEST(test_nlp_sequence_ratio),
        TEST(test_feature_redundancy),
        TEST(test_feature_importance),
        TEST(test_tree_depth),
        TEST(test_similar_across_runs),
        TEST(test_similar_reductions),
        TEST(test_similar_without_trial),
        TEST(test_stalled_training),
        TEST(test_stalled_as_the_trial_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
