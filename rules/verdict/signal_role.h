/* SPDX-License-Identifier: Apache-2.0 */
/* What a tensor is in a training, by its collections, its name and its shape. */
#ifndef SM_SIGNAL_ROLE_H
#define SM_SIGNAL_ROLE_H

#include "reader/trial.h"

enum sm_signal_role {
    SM_OTHER,
    SM_INPUT,     /* of the model */
    SM_PRE,       /* input of an activation */
    SM_RELU,      /* output of a ReLU */
    SM_TANH,      /* output of a tanh */
    SM_SIGMOID,   /* output of a sigmoid */
    SM_OUTPUT,    /* another activation, or the output of a layer */
    SM_SCORES,    /* what the loss gets of the model: logits, probabilities, predicted values */
    SM_CLASSES,   /* predicted classes */
    SM_LABELS,    /* what the loss gets of the data */
    SM_LOSS,      /* one number */
    SM_GRADIENT,  /* of the loss by a parameter */
    SM_WEIGHT,    /* a parameter with two or more axes */
    SM_EMBEDDING, /* a weight of which each step uses some rows only */
    SM_SCALE,     /* of a normalisation: a weight with one axis */
    SM_BIAS,
    SM_RATE, /* learning rate, one number */
    SM_SIGNAL_ROLES
};
const char *sm_signal_role_name(enum sm_signal_role r); /* "input", "relu" ... */
/* The step is the newest known; collections that come later may change the answer. */
enum sm_signal_role sm_signal_role(const struct sm_trial *t, const struct sm_trial_tensor *x);
bool sm_signal_role_is_parameter(enum sm_signal_role r);
bool sm_signal_role_is_activation(enum sm_signal_role r); /* of a layer, not of the loss */
/* The name without what marks a gradient: "fc0.weight" of "gradient/fc0.weight". NULL: it is none.
 */
const char *sm_gradient_of(const char *name);
bool sm_is_gradient_norm(const char *name); /* "grad_norm", "train/gradient_norm" */

#endif
