/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in rules, a file for each family. SM_RULES is their only list, in the order in which
 * they are listed: X(NAME), the record being sm_rule_NAME. To add a rule: write its record and
 * function in a rule_*.c file, and add a line. */
#ifndef SM_RULE_LIST_H
#define SM_RULE_LIST_H

#include "rules/profiler/profiler_rules.h"

#define SM_RULES(X)                                                                                \
    X(vanishing_gradient)                                                                          \
    X(exploding_tensor)                                                                            \
    X(dead_relu)                                                                                   \
    X(saturated_activation)                                                                        \
    X(poor_weight_initialization)                                                                  \
    X(weight_update_ratio)                                                                         \
    X(all_zero)                                                                                    \
    X(tensor_variance)                                                                             \
    X(unchanged_tensor)                                                                            \
    X(loss_not_decreasing)                                                                         \
    X(overfit)                                                                                     \
    X(overtraining)                                                                                \
    X(similar_across_runs)                                                                         \
    X(stalled_training_rule)                                                                       \
    X(class_imbalance)                                                                             \
    X(confusion)                                                                                   \
    X(check_input_images)                                                                          \
    X(nlp_sequence_ratio)                                                                          \
    X(feature_importance_overweight)                                                               \
    X(tree_depth)                                                                                  \
    X(create_xgboost_report)                                                                       \
    /* not rules of the service */                                                                 \
    X(identical_weights)                                                                           \
    X(initial_weight_variance)                                                                     \
    X(large_gradient)                                                                              \
    X(gradient_scale)                                                                              \
    X(zero_neurons)                                                                                \
    X(output_change_ratio)                                                                         \
    X(loss_limit)                                                                                  \
    X(loss_plateau)                                                                                \
    X(data_imbalance)                                                                              \
    X(input_normalization)                                                                         \
    X(feature_redundancy)                                                                          \
    X(per_class_quality)                                                                           \
    X(data_drift)

#define SM_RULE_DECLARE(name) extern const struct sm_rule sm_rule_##name;
SM_RULES(SM_RULE_DECLARE)

/* How `rule auto` judges some of them: the auto_*.c files. */
extern const struct sm_rule_auto sm_auto_loss_not_decreasing, sm_auto_class_imbalance,
    sm_auto_confusion, sm_auto_unchanged_tensor, sm_auto_weight_update_ratio,
    sm_auto_tensor_variance, sm_auto_poor_weight_initialization, sm_auto_vanishing_gradient,
    sm_auto_all_zero, sm_auto_dead_relu, sm_auto_check_input_images, sm_auto_overfit;

/* The rules of the list, those of profiles, then Expr; ends with NULL. */
extern const struct sm_rule *const sm_rule_table[];
/* By name or class name, ignoring case, _ and -. NULL if there is none. */
const struct sm_rule *sm_rule_find(const char *name);

#endif
