/* SPDX-License-Identifier: Apache-2.0 */
/* The layers of a small network, forward and backward, over a batch: samples in sequence, each
 * [channel, row, column]. Weights have PyTorch's layout: convolution [out, in, row, column], dense
 * [out, in].
 *
 * A layer is plain data filled in by net.c; layers do not know their neighbours. */
#ifndef SM_LAYER_H
#define SM_LAYER_H

#include <stddef.h>

enum sm_layer_kind { SM_LAYER_CONV, SM_LAYER_DENSE, SM_LAYER_RELU, SM_LAYER_SIGMOID };
const char *sm_layer_kind_name(enum sm_layer_kind k); /* "conv" ... */

struct sm_extent {
    unsigned channels, rows, columns;
};
struct sm_layer {
    enum sm_layer_kind kind;
    unsigned index;           /* among layers of its kind, for names: conv0, conv1 */
    struct sm_extent in, out; /* of one sample */
    unsigned kernel, stride;  /* CONV; padded by kernel / 2 */
    size_t n_in, n_out;       /* elements of one sample */
    size_t n_weights, fan_in; /* 0: no parameters. There are out.channels biases */
    float *weights, *biases;  /* parameters, and the gradients of the batch's mean loss */
    float *weights_gradient, *biases_gradient;
    float *output;  /* of the last forward pass */
    float *patches; /* CONV: scratch, [fan_in, output pixels] */
};

/* Computes l->output from x, `samples` samples. */
void sm_layer_forward(struct sm_layer *l, const float *x, size_t samples);
/* dy: gradient of the outputs; x as in the preceding forward pass. Sets the parameters' gradients
 * and, unless NULL, dx. */
void sm_layer_backward(struct sm_layer *l, const float *x, const float *dy, size_t samples,
                       float *dx);

#endif
