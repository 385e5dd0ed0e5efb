/* SPDX-License-Identifier: Apache-2.0 */
/* The only list of causes: X(ID), the record being sm_cause_ID. Of claims with the same onset the
 * first one in this list is the cause. */
#ifndef SM_CAUSE_LIST_H
#define SM_CAUSE_LIST_H

#include "rules/verdict/cause.h"

#define SM_CAUSES(X)                                                                               \
    X(non_finite_input)                                                                            \
    X(worker_diverged)                                                                             \
    X(zero_initialization)                                                                         \
    X(symmetric_initialization)                                                                    \
    X(unnormalized_input)                                                                          \
    X(poor_weight_scale)                                                                           \
    X(layer_not_trained)                                                                           \
    X(data_not_shuffled)                                                                           \
    X(learning_rate_too_high)                                                                      \
    X(exploding_values)                                                                            \
    X(dead_relu)                                                                                   \
    X(saturated_activation)                                                                        \
    X(vanishing_gradients)                                                                         \
    X(non_finite_value)                                                                            \
    X(learning_rate_too_low)                                                                       \
    X(class_imbalance)                                                                             \
    X(overfitting)                                                                                 \
    X(labels_do_not_fit_inputs)                                                                    \
    X(worker_lost)                                                                                 \
    X(stalled)

#define SM_CAUSE_DECLARE(name) extern const struct sm_cause sm_cause_##name;
SM_CAUSES(SM_CAUSE_DECLARE)

#endif
