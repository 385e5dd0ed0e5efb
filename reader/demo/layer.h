/* The layers of a small network, forward and backward, over a batch: samples one after the other,
 * each [channel, row, column]. Weights are laid out as PyTorch's: convolution [out, in, row,
 * column], dense [out, in].
 *
 * A layer is plain data that a net fills in; layers know nothing of their neighbours. */
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
    unsigned index;           /* among layers of its kind, for its name: conv0, conv1 */
    struct sm_extent in, out; /* of one sample */
    unsigned kernel, stride;  /* CONV; padded by kernel / 2 */
    size_t n_in, n_out;       /* elements of one sample */
    size_t n_weights, fan_in; /* 0: no parameters. Biases: out.channels of them */
    float *weights, *biases;  /* parameters, and the gradients of the batch's mean loss */
    float *weights_gradient, *biases_gradient;
    float *output;  /* of the last forward */
    float *patches; /* CONV: scratch, [fan_in, output pixels] */
};

/* From x, `samples` of them, to l->output. */
void sm_layer_forward(struct sm_layer *l, const float *x, size_t samples);
/* dy: gradient of the outputs; x as in the forward before. Sets the parameters' gradients and,
 * unless NULL, dx. */
void sm_layer_backward(struct sm_layer *l, const float *x, const float *dy, size_t samples,
                       float *dx);

#endif
