/* The only list of rules. To add a rule: write its record and function in a rule_*.c file, and add
 * a line to rule_list.h and one here. */
#include "rules/rule_list.h"

#include <stddef.h>

const struct sm_rule *const sm_rule_table[] = {
    &sm_rule_vanishing_gradient,
    &sm_rule_exploding_tensor,
    &sm_rule_dead_relu,
    &sm_rule_saturated_activation,
    &sm_rule_poor_weight_initialization,
    &sm_rule_weight_update_ratio,
    &sm_rule_all_zero,
    &sm_rule_tensor_variance,
    &sm_rule_unchanged_tensor,
    &sm_rule_loss_not_decreasing,
    &sm_rule_overfit,
    &sm_rule_overtraining,
    &sm_rule_similar_across_runs,
    &sm_rule_stalled_training_rule,
    &sm_rule_class_imbalance,
    &sm_rule_confusion,
    &sm_rule_check_input_images,
    &sm_rule_nlp_sequence_ratio,
    &sm_rule_feature_importance_overweight,
    &sm_rule_tree_depth,
    &sm_rule_create_xgboost_report,
    /* not rules of the service */
    &sm_rule_identical_weights,
    &sm_rule_initial_weight_variance,
    &sm_rule_large_gradient,
    &sm_rule_gradient_scale,
    &sm_rule_zero_neurons,
    &sm_rule_output_change_ratio,
    &sm_rule_loss_limit,
    &sm_rule_loss_plateau,
    &sm_rule_data_imbalance,
    &sm_rule_input_normalization,
    &sm_rule_feature_redundancy,
    &sm_rule_per_class_quality,
    &sm_rule_expr,
    NULL,
};
