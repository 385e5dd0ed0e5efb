/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients against finite differences, layers against numbers computed by hand, optimizers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reader/demo/net.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 3, SIDE = 5, PIXELS = SIDE * SIDE };

static const struct sm_layer_spec smooth[] = {
    {.kind = SM_LAYER_CONV, .channels = 3, .kernel = 3, .stride = 2},
    {.kind = SM_LAYER_SIGMOID},
    {.kind = SM_LAYER_CONV, .channels = 2, .kernel = 3, .stride = 1},
    {.kind = SM_LAYER_SIGMOID},
    {.kind = SM_LAYER_DENSE, .channels = 4},
    {.kind = SM_LAYER_SIGMOID},
    {.kind = SM_LAYER_DENSE, .channels = 3},
};
static const struct sm_layer_spec kinked[] = {
    {.kind = SM_LAYER_CONV, .channels = 3, .kernel = 5, .stride = 2},
    {.kind = SM_LAYER_RELU},
    {.kind = SM_LAYER_DENSE, .channels = 3},
};

struct fixture {
    struct sm_net *net;
    float x[SAMPLES * PIXELS];
    unsigned labels[SAMPLES];
};

static void make_net(struct fixture *f, const struct sm_layer_spec *specs, size_t n)
{
    struct sm_random r = sm_random_stream(11, 1);
    f->net = sm_net_new(specs, n, (struct sm_extent){1, SIDE, SIDE}, SAMPLES);
    sm_net_initialize(f->net, &r);
    for (size_t i = 0; i < SAMPLES * PIXELS; i++)
        f->x[i] = sm_random_normal(&r);
    for (size_t i = 0; i < SAMPLES; i++)
        f->labels[i] = (unsigned)i;
}

static double net_loss(struct fixture *f)
{
    return sm_net_forward(f->net, f->x, f->labels, SAMPLES);
}

/* (loss(p + h) - loss(p - h)) / 2h, one parameter at a time. */
static void check_gradient(struct fixture *f, const char *name, float *p, const float *gradient,
                           size_t n)
{
    const float h = 0.001f; /* small enough not to cross the edge of a ReLU */
    for (size_t i = 0; i < n; i++) {
        float before = p[i];
        p[i] = before + h;
        double above = net_loss(f);
        p[i] = before - h;
        double below = net_loss(f);
        p[i] = before;
        double want = (above - below) / (2 * (double)h);
        if (fabs(gradient[i] - want) > 4e-4 + 0.01 * fabs(want))
            fail_msg("%s[%zu]: %g, by differences %g", name, i, (double)gradient[i], want);
    }
}

static void check_net(const struct sm_layer_spec *specs, size_t n)
{
    struct fixture f;
    make_net(&f, specs, n);
    net_loss(&f);
    sm_net_backward(f.net, f.x, f.labels, SAMPLES);
    for (size_t i = 0; i < n; i++) {
        struct sm_layer *l = &f.net->layers[i];
        const char *kind = sm_layer_kind_name(l->kind);
        double size = 0;
        for (size_t k = 0; k < l->n_weights; k++)
            size += fabs((double)l->weights_gradient[k]);
        if (l->n_weights)
            assert_true(size > 1e-3);
        check_gradient(&f, kind, l->weights, l->weights_gradient, l->n_weights);
        check_gradient(&f, kind, l->biases, l->biases_gradient, l->n_weights ? l->out.channels : 0);
    }
    sm_net_free(f.net);
}

static void test_gradients(void **state)
{
    (void)state;
    check_net(smooth, sizeof smooth / sizeof *smooth);
    check_net(kinked, sizeof kinked / sizeof *kinked);
}

/* One channel of ones under a kernel of ones: each pixel counts its neighbours. */
static void test_convolution_counts_neighbours(void **state)
{
    (void)state;
    static const struct sm_layer_spec spec[] = {
        {.kind = SM_LAYER_CONV, .channels = 1, .kernel = 3, .stride = 2}};
    static const float want[9] = {4, 6, 4, 6, 9, 6, 4, 6, 4};
    struct sm_net *net = sm_net_new(spec, 1, (struct sm_extent){1, SIDE, SIDE}, 1);
    float x[PIXELS];
    for (size_t i = 0; i < PIXELS; i++)
        x[i] = 1;
    for (size_t i = 0; i < 9; i++)
        net->layers[0].weights[i] = 1;
    net->layers[0].biases[0] = 0.5f;
    assert_int_equal(net->layers[0].n_out, 9);
    sm_layer_forward(&net->layers[0], x, 1);
    for (size_t i = 0; i < 9; i++)
        assert_true(net->layers[0].output[i] == want[i] + 0.5f);
    sm_net_free(net);
}

/* Equal logits: log(classes); a correct and much larger one: 0; infinite ones: NaN, not a crash. */
static void test_cross_entropy(void **state)
{
    (void)state;
    static const struct sm_layer_spec spec[] = {{.kind = SM_LAYER_DENSE, .channels = 4}};
    struct sm_net *net = sm_net_new(spec, 1, (struct sm_extent){1, 1, 1}, 1);
    const float x = 1;
    const unsigned label = 2;
    assert_true(fabs(sm_net_forward(net, &x, &label, 1) - log(4)) < 1e-6);
    net->layers[0].biases[2] = 1000;
    assert_true(sm_net_forward(net, &x, &label, 1) < 1e-6);
    assert_int_equal(sm_net_answer(net, 0), 2);
    net->layers[0].biases[1] = INFINITY;
    assert_true(isnan(sm_net_forward(net, &x, &label, 1)));
    sm_net_free(net);
}

static void test_relu_passes_nan(void **state)
{
    (void)state;
    static const struct sm_layer_spec spec[] = {{.kind = SM_LAYER_RELU}};
    struct sm_net *net = sm_net_new(spec, 1, (struct sm_extent){3, 1, 1}, 1);
    sm_layer_forward(&net->layers[0], (const float[]){-1, 2, NAN}, 1);
    assert_true(net->layers[0].output[0] == 0);
    assert_true(net->layers[0].output[1] == 2);
    assert_true(isnan(net->layers[0].output[2]));
    sm_net_free(net);
}

/* The loss falls with both; ADAM's first step equals the rate for every parameter with a
 * gradient. */
static void test_optimizers(void **state)
{
    (void)state;
    const enum sm_optimizer kinds[] = {SM_OPTIMIZER_SGD, SM_OPTIMIZER_ADAM};
    for (size_t k = 0; k < 2; k++) {
        struct fixture f;
        make_net(&f, kinked, sizeof kinked / sizeof *kinked);
        double first = net_loss(&f), last = first;
        float *weight = &f.net->layers[2].weights[0], before = *weight;
        for (int step = 0; step < 30; step++) {
            sm_net_backward(f.net, f.x, f.labels, SAMPLES);
            sm_net_update(f.net, kinds[k], 0.05f, SIZE_MAX);
            if (step == 0 && kinds[k] == SM_OPTIMIZER_ADAM)
                assert_true(fabsf(fabsf(*weight - before) - 0.05f) < 1e-4f);
            last = net_loss(&f);
        }
        assert_true(last < first / 2);
        sm_net_free(f.net);
    }
}

static void test_frozen_layer(void **state)
{
    (void)state;
    struct fixture f;
    make_net(&f, kinked, sizeof kinked / sizeof *kinked);
    struct sm_layer *frozen = &f.net->layers[0], *other = &f.net->layers[2];
    float before = frozen->weights[0], other_before = other->weights[0];
    net_loss(&f);
    sm_net_backward(f.net, f.x, f.labels, SAMPLES);
    assert_true(frozen->weights_gradient[0] != 0);
    sm_net_update(f.net, SM_OPTIMIZER_ADAM, 0.05f, 0);
    assert_true(frozen->weights[0] == before);
    assert_true(other->weights[0] != other_before);
    sm_net_free(f.net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients),     cmocka_unit_test(test_convolution_counts_neighbours),
        cmocka_unit_test(test_cross_entropy), cmocka_unit_test(test_relu_passes_nan),
        cmocka_unit_test(test_optimizers),    cmocka_unit_test(test_frozen_layer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
