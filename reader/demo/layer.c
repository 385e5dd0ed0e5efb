/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/demo/layer.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

const char *sm_layer_kind_name(enum sm_layer_kind k)
{
    static const char *const names[] = {"conv", "dense", "relu", "sigmoid"};
    return names[k];
}

/* ---- products of matrices ---- */

/* Builds with sanitizers would spend most of the tests' time on each element here. They check the
 * last element of an array instead, by touch(). */
#define PLAIN_LOOP __attribute__((no_sanitize("address", "undefined", "thread")))

static void touch(const float *element)
{
    (void)*(const volatile float *)element;
}

PLAIN_LOOP static void add_scaled(float *to, float factor, const float *from, size_t n)
{
    for (size_t j = 0; j < n; j++)
        to[j] += factor * from[j];
}

/* c[m][n] += a[m][k] b[k][n]; element (i, q) of a is at a[i * row + q * column]. */
static void add_product(float *c, const float *a, size_t row, size_t column, const float *b,
                        size_t m, size_t n, size_t k)
{
    touch(&b[k * n - 1]);
    touch(&c[m * n - 1]);
    for (size_t i = 0; i < m; i++)
        for (size_t q = 0; q < k; q++)
            add_scaled(c + i * n, a[i * row + q * column], b + q * n, n);
}

PLAIN_LOOP static float dot_product(const float *a, const float *b, size_t n)
{
    float sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* c[m][n] += a[m][k] (b[n][k] transposed). */
static void add_product_transposed(float *c, const float *a, const float *b, size_t m, size_t n,
                                   size_t k)
{
    touch(&a[m * k - 1]);
    touch(&b[n * k - 1]);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            c[i * n + j] += dot_product(a + i * k, b + j * k, k);
}

/* ---- convolution, as a product of the weights with the patches of a sample ---- */

/* Patches has a row for each weight of a kernel (channel, row, column) and a column for each output
 * pixel. */

/* Row of the input that output row `y` reads through kernel row `k`; huge if outside (wraps
 * around). */
static unsigned input_row(const struct sm_layer *l, unsigned y, unsigned k)
{
    return y * l->stride + k - l->kernel / 2;
}

static void gather_patches(const struct sm_layer *l, const float *x, float *patches)
{
    for (size_t q = 0; q < l->fan_in; q++) {
        unsigned kx = (unsigned)(q % l->kernel), ky = (unsigned)(q / l->kernel % l->kernel);
        const float *plane = x + q / l->kernel / l->kernel * l->in.rows * l->in.columns;
        for (unsigned y = 0; y < l->out.rows; y++) {
            unsigned row = input_row(l, y, ky);
            const float *from = row < l->in.rows ? plane + (size_t)row * l->in.columns : NULL;
            for (unsigned at = 0; at < l->out.columns; at++) {
                unsigned column = input_row(l, at, kx);
                *patches++ = from && column < l->in.columns ? from[column] : 0;
            }
        }
    }
}

/* Backward of gather_patches: gradients of the same pixel add up. */
static void scatter_patches(const struct sm_layer *l, const float *patches, float *x)
{
    size_t pixels = (size_t)l->out.rows * l->out.columns;
    for (size_t q = 0; q < l->fan_in; q++) {
        unsigned kx = (unsigned)(q % l->kernel), ky = (unsigned)(q / l->kernel % l->kernel);
        float *plane = x + q / l->kernel / l->kernel * l->in.rows * l->in.columns;
        for (size_t p = 0; p < pixels; p++) {
            unsigned row = input_row(l, (unsigned)(p / l->out.columns), ky);
            unsigned column = input_row(l, (unsigned)(p % l->out.columns), kx);
            if (row < l->in.rows && column < l->in.columns)
                plane[row * l->in.columns + column] += patches[q * pixels + p];
        }
    }
}

static void forward_conv(struct sm_layer *l, const float *x, size_t samples)
{
    size_t pixels = (size_t)l->out.rows * l->out.columns;
    for (size_t s = 0; s < samples; s++) {
        float *y = l->output + s * l->n_out;
        gather_patches(l, x + s * l->n_in, l->patches);
        for (size_t i = 0; i < l->n_out; i++)
            y[i] = l->biases[i / pixels];
        add_product(y, l->weights, l->fan_in, 1, l->patches, l->out.channels, pixels, l->fan_in);
    }
}

static void backward_conv(struct sm_layer *l, const float *x, const float *dy, size_t samples,
                          float *dx)
{
    size_t pixels = (size_t)l->out.rows * l->out.columns;
    for (size_t s = 0; s < samples; s++, dy += l->n_out) {
        for (size_t i = 0; i < l->n_out; i++)
            l->biases_gradient[i / pixels] += dy[i];
        gather_patches(l, x + s * l->n_in, l->patches);
        add_product_transposed(l->weights_gradient, dy, l->patches, l->out.channels, l->fan_in,
                               pixels);
        if (!dx)
            continue;
        memset(l->patches, 0, l->fan_in * pixels * sizeof *l->patches);
        add_product(l->patches, l->weights, 1, l->fan_in, dy, l->fan_in, pixels, l->out.channels);
        scatter_patches(l, l->patches, dx + s * l->n_in);
    }
}

/* ---- dense ---- */

static void forward_dense(struct sm_layer *l, const float *x, size_t samples)
{
    for (size_t s = 0; s < samples; s++)
        memcpy(l->output + s * l->n_out, l->biases, l->n_out * sizeof *l->output);
    add_product_transposed(l->output, x, l->weights, samples, l->n_out, l->n_in);
}

static void backward_dense(struct sm_layer *l, const float *x, const float *dy, size_t samples,
                           float *dx)
{
    for (size_t i = 0; i < samples * l->n_out; i++)
        l->biases_gradient[i % l->n_out] += dy[i];
    add_product(l->weights_gradient, dy, 1, l->n_out, x, l->n_out, l->n_in, samples);
    if (dx)
        add_product(dx, dy, l->n_out, 1, l->weights, samples, l->n_in, l->n_out);
}

/* ---- activations ---- */

static void forward_activation(struct sm_layer *l, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (l->kind == SM_LAYER_SIGMOID)
            l->output[i] = 1 / (1 + expf(-x[i]));
        else
            l->output[i] = x[i] < 0 ? 0 : x[i]; /* NaN stays NaN */
}

static void backward_activation(const struct sm_layer *l, const float *dy, size_t n, float *dx)
{
    const float *y = l->output;
    for (size_t i = 0; i < n; i++)
        if (l->kind == SM_LAYER_SIGMOID)
            dx[i] = dy[i] * y[i] * (1 - y[i]);
        else
            dx[i] = y[i] > 0 ? dy[i] : 0;
}

/* ---- all kinds ---- */

void sm_layer_forward(struct sm_layer *l, const float *x, size_t samples)
{
    if (l->kind == SM_LAYER_CONV)
        forward_conv(l, x, samples);
    else if (l->kind == SM_LAYER_DENSE)
        forward_dense(l, x, samples);
    else
        forward_activation(l, x, samples * l->n_in);
}

void sm_layer_backward(struct sm_layer *l, const float *x, const float *dy, size_t samples,
                       float *dx)
{
    if (l->n_weights) {
        memset(l->weights_gradient, 0, l->n_weights * sizeof *l->weights_gradient);
        memset(l->biases_gradient, 0, l->out.channels * sizeof *l->biases_gradient);
        if (dx)
            memset(dx, 0, samples * l->n_in * sizeof *dx);
    }
    if (l->kind == SM_LAYER_CONV)
        backward_conv(l, x, dy, samples, dx);
    else if (l->kind == SM_LAYER_DENSE)
        backward_dense(l, x, dy, samples, dx);
    else if (dx)
        backward_activation(l, dy, samples * l->n_in, dx);
}
