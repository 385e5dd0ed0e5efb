/* SPDX-License-Identifier: Apache-2.0 */
/* Which rules fire on the shipped trials, and at which step. The thresholds are the defaults; `rule
 * auto` attaches the rules whose tensors exist. */
#include "tests/rules/judge.h"

static const struct {
    const char *trial, *firings;
} expected[] = {
    {"cnn_class_imbalance", "ClassImbalance@30 Confusion@0"},
    {"cnn_dead_relu", "VanishingGradient@0 DeadRelu@0 PoorWeightInitialization@0 "
                      "WeightUpdateRatio@4 AllZero@0 UnchangedTensor@8"},
    {"cnn_healthy", ""},
    {"cnn_reductions", ""},
    {"cnn_unnormalized_input",
     "VanishingGradient@70 AllZero@70 LossNotDecreasing@30 CheckInputImages@75"},
    {"ddp_two_workers", ""},
    {"ddp_worker_lost", ""},
    {"dtypes", "ExplodingTensor@0"},
    {"killed_at_start", ""},
    {"killed_midrun", "Overfit@18"},
    {"many_steps", "PoorWeightInitialization@0 LossNotDecreasing@30"},
    {"mlp_all_zero", "VanishingGradient@0 DeadRelu@0 PoorWeightInitialization@0 "
                     "WeightUpdateRatio@4 AllZero@0 TensorVariance@0 UnchangedTensor@8"},
    {"mlp_exploding_tensor", "ExplodingTensor@3 DeadRelu@1 PoorWeightInitialization@2 "
                             "WeightUpdateRatio@2 TensorVariance@2 LossNotDecreasing@10"},
    {"mlp_loss_not_decreasing", "WeightUpdateRatio@2 UnchangedTensor@4 LossNotDecreasing@40"},
    {"mlp_overfit", "LossNotDecreasing@120 Overfit@22 Overtraining@120"},
    {"mlp_poor_init",
     "VanishingGradient@0 PoorWeightInitialization@0 TensorVariance@0 LossNotDecreasing@20"},
    {"mlp_tanh_saturated", "VanishingGradient@0 SaturatedActivation@0 PoorWeightInitialization@0 "
                           "WeightUpdateRatio@4 AllZero@0 TensorVariance@0 UnchangedTensor@8"},
    {"mlp_vanishing_gradient", "VanishingGradient@0 PoorWeightInitialization@0 WeightUpdateRatio@4 "
                               "UnchangedTensor@8 LossNotDecreasing@24"},
    {"shapes_only", ""},
    {"shapes_with_values", ""},
    {"tf_mirrored_names", "WeightUpdateRatio@1 TensorVariance@0"},
    {"xgb_classifier", "LossNotDecreasing@20 Overfit@0 Confusion@0 TreeDepth@10"},
};

static void add_firings(struct sm_rules *r, struct sm_str *out)
{
    for (size_t i = 0; i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *k = sm_rules_item(r, i);
        if (k->status == SM_RULE_ISSUES)
            sm_str_printf(out, "%s%s@%lld", out->len ? " " : "", k->name,
                          (long long)k->first_fired);
        else if (k->status != SM_RULE_NO_ISSUES)
            sm_str_printf(out, " %s:%s %s", k->name, sm_rule_status_name(k->status),
                          k->reason ? k->reason : "");
    }
}

static void test_verdicts(void **state)
{
    struct live *l = *state;
    unsigned bad = 0;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct sm_str got = {0};
        open_shipped(l, expected[i].trial);
        sm_clock_freeze(sm_clock_mono_us(), sm_trial_newest_us(l->trial));
        struct sm_rules *r = new_rules(l);
        sm_rules_auto_by_definition(r, true);
        sm_rules_auto(r, sm_rule_table);
        settle_rules(l, r);
        add_firings(r, &got);
        if (strcmp(sm_str_text(&got), expected[i].firings) != 0) {
            print_error("%s\n  expected %s\n  got      %s\n", expected[i].trial,
                        expected[i].firings, sm_str_text(&got));
            bad++;
        }
        sm_str_clear(&got);
        close_rules(l, r);
        live_close(l);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_verdicts, live_setup, live_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
