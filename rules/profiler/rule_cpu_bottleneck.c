/* SPDX-License-Identifier: Apache-2.0 */
/* CPUBottleneck: GPUs wait for busy cores. */
#include "rules/profiler/bottleneck.h"

static const struct sm_rule_param params[] = {
    SM_PROFILER_PERCENT("threshold", "50", "share of the time from which it fires"),
    SM_PROFILER_PERCENT("cpu_threshold", "90", "a core is busy above it"),
    SM_PROFILER_PERCENT("gpu_threshold", "10", "a GPU is low below it"),
    SM_PROFILER_COUNT("patience", "1000", "datapoints that are not judged"),
    SM_PROFILER_SCAN,
    {0}};

static void judge(struct sm_rule_at *x)
{
    static const struct sm_bottleneck_how how = {
        .dimension = SM_SERIES_CPU, .what = "the use", .cores = 1, .gpu = 2, .patience = 3};
    sm_bottleneck_judge(x, &how);
}

const struct sm_rule sm_rule_cpu_bottleneck = {
    .name = "cpu_bottleneck",
    .class_name = "CPUBottleneck",
    .group = SM_RULE_PROFILER,
    .summary = "GPUs are idle while cores are busy",
    .fires = "there are more than patience datapoints, and at more than threshold percent of them "
             "a GPU is below gpu_threshold and a core above cpu_threshold. Samples within 20 ms, "
             "of all nodes, are one datapoint",
    .advice = "use more workers of the data loader, and prefetch",
    .saves = "system metrics (the profiler)",
    .automatic = "",
    .params = params,
    .state_size = sizeof(struct sm_bottleneck),
    .on_windows = true,
    .judge = judge,
    .clear = sm_bottleneck_clear,
    .suits_profile = sm_profiler_has_gpus,
    .details = sm_bottleneck_details,
    .preset_doc = "patience=100",
};
