/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/demo/faults.h"

#include "reader/base/str.h"

static const struct sm_layer_spec convolutions[] = {
    {.kind = SM_LAYER_CONV, .channels = 8, .kernel = 5, .stride = 2},
    {.kind = SM_LAYER_RELU},
    {.kind = SM_LAYER_CONV, .channels = 16, .kernel = 3, .stride = 2},
    {.kind = SM_LAYER_RELU},
    {.kind = SM_LAYER_DENSE, .channels = 32},
    {.kind = SM_LAYER_RELU},
    {.kind = SM_LAYER_DENSE, .channels = 10},
};

#define SIGMOID_LAYER                                                                              \
    {.kind = SM_LAYER_DENSE, .channels = 24},                                                      \
    {                                                                                              \
        .kind = SM_LAYER_SIGMOID                                                                   \
    }
static const struct sm_layer_spec deep_sigmoids[] = {
    SIGMOID_LAYER,
    SIGMOID_LAYER,
    SIGMOID_LAYER,
    SIGMOID_LAYER,
    SIGMOID_LAYER,
    SIGMOID_LAYER,
    SIGMOID_LAYER,
    SIGMOID_LAYER,
    SIGMOID_LAYER,
    SIGMOID_LAYER,
    {.kind = SM_LAYER_DENSE, .channels = 10},
};
static const struct sm_layer_spec sigmoids[] = {
    SIGMOID_LAYER,
    SIGMOID_LAYER,
    {.kind = SM_LAYER_DENSE, .channels = 10},
};

/* ---- changes to fresh parameters ---- */

static void set_all(struct sm_net *net, float weight, float bias)
{
    for (size_t i = 0; i < net->n_layers; i++) {
        struct sm_layer *l = &net->layers[i];
        for (size_t k = 0; k < l->n_weights; k++)
            l->weights[k] = weight;
        for (size_t k = 0; l->biases && k < l->out.channels; k++)
            l->biases[k] = bias;
    }
}

static void make_zero(struct sm_net *net)
{
    set_all(net, 0, 0);
}

static void make_equal(struct sm_net *net)
{
    set_all(net, 0.05f, 0.05f);
}

static void make_large(struct sm_net *net)
{
    for (size_t i = 0; i < net->n_layers; i++)
        for (size_t k = 0; k < net->layers[i].n_weights; k++)
            net->layers[i].weights[k] *= 1000;
}

/* Sets biases that no input can outweigh. */
static void kill_relus(struct sm_net *net)
{
    for (size_t i = 0; i + 1 < net->n_layers; i++)
        for (size_t k = 0; net->layers[i].biases && k < net->layers[i].out.channels; k++)
            net->layers[i].biases[k] = -8;
}

/* ---- the table ---- */

#define NET(spec)   .layers = (spec), .n_layers = sizeof(spec) / sizeof *(spec)
#define CNN         .model = "CNN", NET(convolutions)
#define ADAM        .optimizer = SM_OPTIMIZER_ADAM, .rate = 0.002f
#define USUAL_NOISE .train_noise = 0.35f, .eval_noise = 0.2f
#define HARD_NOISE  .train_noise = 0.8f, .eval_noise = 0.8f /* shapes are mistaken for others */
#define USUAL_STEPS .steps = 1200, .eval_every = 100

const struct sm_demo sm_demo_table[] = {
    {"healthy", "learns ten drawn shapes", NULL, CNN, ADAM, USUAL_STEPS, USUAL_NOISE},
    {"vanishing_gradient", "ten layers of sigmoids: the first ones get almost no gradient",
     "VanishingGradient", .model = "MLP", NET(deep_sigmoids), .optimizer = SM_OPTIMIZER_SGD,
     .rate = 0.05f, USUAL_STEPS, USUAL_NOISE},
    {"exploding_tensor", "a learning rate far too large: parameters grow until they overflow",
     "ExplodingTensor", CNN, .optimizer = SM_OPTIMIZER_SGD, .rate = 100000, USUAL_STEPS,
     USUAL_NOISE, .save_steps = "1,2,3,4,5,6,7,8,9"},
    {"dead_relu", "biases so low that ReLUs are never active", "DeadRelu", CNN, ADAM, USUAL_STEPS,
     USUAL_NOISE, .tamper = kill_relus},
    {"poor_weight_initialization", "all parameters start at one value: units never differ",
     "PoorWeightInitialization", CNN, ADAM, USUAL_STEPS, USUAL_NOISE, .tamper = make_equal},
    {"saturated_activation", "weights a thousand times too large: sigmoids are all 0 or 1",
     "SaturatedActivation", .model = "MLP", NET(sigmoids), ADAM, USUAL_STEPS, USUAL_NOISE,
     .tamper = make_large},
    {"loss_not_decreasing", "random labels: nothing to learn", "LossNotDecreasing", CNN,
     .optimizer = SM_OPTIMIZER_SGD, .rate = 0.02f, .steps = 1200, .eval_every = 10, USUAL_NOISE,
     .random_labels = true},
    {"overfit", "100 images, memorised", "Overfit", CNN, ADAM, .steps = 1200, .eval_every = 50,
     .train_noise = 0.4f, .eval_noise = 0.4f, .images = 100},
    {"class_imbalance", "half of the images show one shape, one in a hundred another",
     "ClassImbalance", CNN, ADAM, USUAL_STEPS, HARD_NOISE, .rare = true},
    {"unnormalized_input", "pixels from 0 to 255 are not normalised", "CheckInputImages", CNN, ADAM,
     USUAL_STEPS, USUAL_NOISE, .raw_pixels = true},
    {"stalled", "writes nothing after step 300", "StalledTrainingRule", CNN, ADAM, USUAL_STEPS,
     USUAL_NOISE, .stall_at = 300},
    {"all_zero", "all parameters start at 0: gradients and activations stay 0", "AllZero", CNN,
     ADAM, USUAL_STEPS, USUAL_NOISE, .tamper = make_zero},
    {"unchanged_tensor", "one layer is never updated", "UnchangedTensor", CNN, ADAM, USUAL_STEPS,
     USUAL_NOISE, .frozen = 3},
    {0},
};

const struct sm_demo *sm_demo_find(const char *name)
{
    for (const struct sm_demo *d = sm_demo_table; d->name; d++)
        if (sm_same_letters(d->name, name))
            return d;
    return NULL;
}
