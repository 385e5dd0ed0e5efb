/* SPDX-License-Identifier: Apache-2.0 */
/* A feed-forward network with softmax and cross entropy, and the optimizers that train it. */
#ifndef SM_NET_H
#define SM_NET_H

#include "reader/demo/layer.h"
#include "reader/demo/random.h"

struct sm_layer_spec {
    enum sm_layer_kind kind;
    unsigned channels;       /* CONV, DENSE: of the output */
    unsigned kernel, stride; /* CONV */
};
struct sm_net {
    struct sm_layer *layers;
    size_t n_layers;
    struct sm_extent in;
    size_t batch_max, classes;
    float *probabilities;  /* [sample, class] of the last forward pass */
    float *gradients[2];   /* scratch of the backward pass */
    float *first, *second; /* ADAM's moments of all parameters, in order */
    uint64_t updates;
};

/* The last layer's outputs are the classes. batch_max: the most samples of one forward pass. */
struct sm_net *sm_net_new(const struct sm_layer_spec *specs, size_t n, struct sm_extent in,
                          size_t batch_max);
void sm_net_free(struct sm_net *net);
/* Weights normal with variance 2/inputs before a ReLU, 1/inputs otherwise; biases 0. */
void sm_net_initialize(struct sm_net *net, struct sm_random *r);

/* x: [sample, channel, row, column]. Returns the mean loss over the samples. */
double sm_net_forward(struct sm_net *net, const float *x, const unsigned *labels, size_t samples);
/* The gradients of that loss; call after sm_net_forward with the same x. */
void sm_net_backward(struct sm_net *net, const float *x, const unsigned *labels, size_t samples);
/* The class with the highest probability. */
unsigned sm_net_answer(const struct sm_net *net, size_t sample);

enum sm_optimizer { SM_OPTIMIZER_SGD, SM_OPTIMIZER_ADAM };
/* Updates every layer except `frozen` (an index into layers; n_layers or more: none). */
void sm_net_update(struct sm_net *net, enum sm_optimizer how, float rate, size_t frozen);

#endif
