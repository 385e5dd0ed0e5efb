/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/demo/net.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdbool.h>

/* ---- building ---- */

static size_t extent_size(struct sm_extent e)
{
    return (size_t)e.channels * e.rows * e.columns;
}

static void shape_layer(struct sm_layer *l, const struct sm_layer_spec *spec)
{
    l->out = l->in;
    if (l->kind == SM_LAYER_CONV) {
        l->kernel = spec->kernel;
        l->stride = spec->stride;
        l->out = (struct sm_extent){spec->channels, (l->in.rows - 1) / l->stride + 1,
                                    (l->in.columns - 1) / l->stride + 1};
        l->fan_in = (size_t)l->in.channels * l->kernel * l->kernel;
    } else if (l->kind == SM_LAYER_DENSE) {
        l->out = (struct sm_extent){spec->channels, 1, 1};
        l->fan_in = extent_size(l->in);
    }
    l->n_in = extent_size(l->in);
    l->n_out = extent_size(l->out);
    l->n_weights = l->fan_in ? l->fan_in * l->out.channels : 0;
}

static float *alloc_floats(size_t n)
{
    return sm_xalloc_zero(n, sizeof(float));
}

static void allocate_layer(struct sm_layer *l, size_t batch_max)
{
    l->output = alloc_floats(batch_max * l->n_out);
    if (!l->n_weights)
        return;
    l->weights = alloc_floats(l->n_weights);
    l->weights_gradient = alloc_floats(l->n_weights);
    l->biases = alloc_floats(l->out.channels);
    l->biases_gradient = alloc_floats(l->out.channels);
    if (l->kind == SM_LAYER_CONV)
        l->patches = alloc_floats(l->fan_in * l->out.rows * l->out.columns);
}

struct sm_net *sm_net_new(const struct sm_layer_spec *specs, size_t n, struct sm_extent in,
                          size_t batch_max)
{
    struct sm_net *net = sm_xalloc_zero(1, sizeof *net);
    unsigned seen[SM_LAYER_SIGMOID + 1] = {0};
    size_t widest = extent_size(in), parameters = 0;
    net->layers = sm_xalloc_zero(n, sizeof *net->layers);
    net->n_layers = n;
    net->in = in;
    net->batch_max = batch_max;
    for (size_t i = 0; i < n; i++) {
        struct sm_layer *l = &net->layers[i];
        l->kind = specs[i].kind;
        l->index = seen[l->kind]++;
        l->in = i ? net->layers[i - 1].out : in;
        shape_layer(l, &specs[i]);
        allocate_layer(l, batch_max);
        widest = l->n_out > widest ? l->n_out : widest;
        parameters += l->n_weights ? l->n_weights + l->out.channels : 0;
    }
    net->classes = net->layers[n - 1].n_out;
    net->probabilities = alloc_floats(batch_max * net->classes);
    for (size_t k = 0; k < 2; k++)
        net->gradients[k] = alloc_floats(batch_max * widest);
    net->first = alloc_floats(parameters);
    net->second = alloc_floats(parameters);
    return net;
}

void sm_net_free(struct sm_net *net)
{
    if (!net)
        return;
    for (size_t i = 0; i < net->n_layers; i++) {
        struct sm_layer *l = &net->layers[i];
        float *const owned[] = {l->weights,         l->biases, l->weights_gradient,
                                l->biases_gradient, l->output, l->patches};
        for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
            sm_free(owned[k]);
    }
    sm_free(net->gradients[0]);
    sm_free(net->gradients[1]);
    sm_free(net->probabilities);
    sm_free(net->first);
    sm_free(net->second);
    sm_free(net->layers);
    sm_free(net);
}

void sm_net_initialize(struct sm_net *net, struct sm_random *r)
{
    for (size_t i = 0; i < net->n_layers; i++) {
        struct sm_layer *l = &net->layers[i];
        bool before_relu = i + 1 < net->n_layers && l[1].kind == SM_LAYER_RELU;
        float deviation = l->fan_in ? sqrtf((before_relu ? 2.0f : 1.0f) / (float)l->fan_in) : 0;
        for (size_t k = 0; k < l->n_weights; k++)
            l->weights[k] = deviation * sm_random_normal(r);
    }
}

/* ---- forward and backward ---- */

/* exp(x - max) / sum; the cross entropy of the label is log(sum) + max - x[label]. */
static double softmax(const float *x, float *out, size_t n, unsigned label)
{
    float max = x[0];
    double sum = 0;
    for (size_t k = 1; k < n; k++)
        max = x[k] > max ? x[k] : max;
    for (size_t k = 0; k < n; k++)
        sum += exp((double)x[k] - max);
    for (size_t k = 0; k < n; k++)
        out[k] = (float)(exp((double)x[k] - max) / sum);
    return log(sum) + max - x[label];
}

double sm_net_forward(struct sm_net *net, const float *x, const unsigned *labels, size_t samples)
{
    double loss = 0;
    for (size_t i = 0; i < net->n_layers; i++) {
        sm_layer_forward(&net->layers[i], x, samples);
        x = net->layers[i].output;
    }
    for (size_t s = 0; s < samples; s++)
        loss += softmax(x + s * net->classes, net->probabilities + s * net->classes, net->classes,
                        labels[s]);
    return loss / (double)samples;
}

void sm_net_backward(struct sm_net *net, const float *x, const unsigned *labels, size_t samples)
{
    float *dy = net->gradients[0], *dx = net->gradients[1];
    for (size_t i = 0; i < samples * net->classes; i++)
        dy[i] =
            (net->probabilities[i] - (i % net->classes == labels[i / net->classes] ? 1.0F : 0.0F)) /
            (float)samples;
    for (size_t i = net->n_layers; i-- > 0;) {
        float *swap = dx;
        sm_layer_backward(&net->layers[i], i ? net->layers[i - 1].output : x, dy, samples,
                          i ? dx : NULL);
        dx = dy;
        dy = swap;
    }
}

unsigned sm_net_answer(const struct sm_net *net, size_t sample)
{
    const float *p = net->probabilities + sample * net->classes;
    unsigned best = 0;
    for (unsigned k = 1; k < net->classes; k++)
        best = p[k] > p[best] ? k : best;
    return best;
}

/* ---- optimizers ---- */

struct update {
    enum sm_optimizer how;
    float rate, first_scale, second_scale; /* ADAM: 1 / (1 - decay^updates) */
};

/* Kingma and Ba, with the usual constants. */
static void update_adam(const struct update *u, float *x, const float *gradient, float *first,
                        float *second, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        first[i] = 0.9f * first[i] + 0.1f * gradient[i];
        second[i] = 0.999f * second[i] + 0.001f * gradient[i] * gradient[i];
        x[i] -= u->rate * first[i] * u->first_scale / (sqrtf(second[i] * u->second_scale) + 1e-8f);
    }
}

static void update_values(const struct update *u, float *x, const float *gradient, float *first,
                          float *second, size_t n)
{
    if (u->how == SM_OPTIMIZER_ADAM)
        update_adam(u, x, gradient, first, second, n);
    else
        for (size_t i = 0; i < n; i++)
            x[i] -= u->rate * gradient[i];
}

void sm_net_update(struct sm_net *net, enum sm_optimizer how, float rate, size_t frozen)
{
    double n = (double)++net->updates;
    const struct update u = {how, rate, (float)(1 / (1 - pow(0.9, n))),
                             (float)(1 / (1 - pow(0.999, n)))};
    float *first = net->first, *second = net->second;
    for (size_t i = 0; i < net->n_layers; i++) {
        struct sm_layer *l = &net->layers[i];
        size_t biases = l->n_weights ? l->out.channels : 0;
        if (i != frozen) {
            update_values(&u, l->weights, l->weights_gradient, first, second, l->n_weights);
            update_values(&u, l->biases, l->biases_gradient, first + l->n_weights,
                          second + l->n_weights, biases);
        }
        first += l->n_weights + biases;
        second += l->n_weights + biases;
    }
}
