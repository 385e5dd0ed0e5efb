/* The records of all rules, by file; rules/rule_table.c lists them. */
#ifndef SM_RULE_LIST_H
#define SM_RULE_LIST_H

#include "rules/rule.h"

/* rule_gradient.c */
extern const struct sm_rule sm_rule_vanishing_gradient, sm_rule_large_gradient,
    sm_rule_gradient_scale;
/* rule_value.c */
extern const struct sm_rule sm_rule_exploding_tensor, sm_rule_all_zero, sm_rule_tensor_variance,
    sm_rule_unchanged_tensor;
/* rule_activation.c */
extern const struct sm_rule sm_rule_dead_relu, sm_rule_saturated_activation, sm_rule_zero_neurons,
    sm_rule_output_change_ratio;
/* rule_weight.c */
extern const struct sm_rule sm_rule_poor_weight_initialization, sm_rule_weight_update_ratio,
    sm_rule_identical_weights, sm_rule_initial_weight_variance;
/* rule_loss.c */
extern const struct sm_rule sm_rule_loss_not_decreasing, sm_rule_loss_limit, sm_rule_loss_plateau;
/* rule_fit.c */
extern const struct sm_rule sm_rule_overfit, sm_rule_overtraining;
/* rule_class.c */
extern const struct sm_rule sm_rule_class_imbalance, sm_rule_data_imbalance,
    sm_rule_per_class_quality;
/* rule_confusion.c */
extern const struct sm_rule sm_rule_confusion;
/* rule_input.c */
extern const struct sm_rule sm_rule_check_input_images, sm_rule_nlp_sequence_ratio,
    sm_rule_input_normalization;
/* rule_redundancy.c */
extern const struct sm_rule sm_rule_feature_redundancy;
/* rule_xgboost.c */
extern const struct sm_rule sm_rule_feature_importance_overweight, sm_rule_tree_depth,
    sm_rule_create_xgboost_report;
/* rule_trial.c */
extern const struct sm_rule sm_rule_similar_across_runs, sm_rule_stalled_training_rule;
/* rule_expr.c */
extern const struct sm_rule sm_rule_expr;

#endif
