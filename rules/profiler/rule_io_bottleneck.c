/* SPDX-License-Identifier: Apache-2.0 */
/* IOBottleneck: GPUs wait for cores that wait for I/O. */
#include "rules/profiler/bottleneck.h"

static const struct sm_rule_param params[] = {
    SM_PROFILER_PERCENT("threshold", "50", "share of the time from which it fires"),
    SM_PROFILER_PERCENT("io_threshold", "50", "the I/O wait of a core is high above it"),
    SM_PROFILER_PERCENT("gpu_threshold", "10", "a GPU is low below it"),
    SM_PROFILER_COUNT("patience", "1000", "datapoints that are not judged"),
    SM_PROFILER_SCAN,
    {0}};

static void judge(struct sm_rule_at *x)
{
    static const struct sm_bottleneck_how how = {.dimension = SM_SERIES_IO_WAIT,
                                                 .what = "the I/O wait",
                                                 .cores = 1,
                                                 .gpu = 2,
                                                 .patience = 3};
    sm_bottleneck_judge(x, &how);
}

const struct sm_rule sm_rule_io_bottleneck = {
    .name = "io_bottleneck",
    .class_name = "IOBottleneck",
    .group = SM_RULE_PROFILER,
    .summary = "GPUs are idle while cores wait for I/O",
    .fires = "there are more than patience datapoints, and at more than threshold percent of them "
             "a GPU is below gpu_threshold and the I/O wait of a core above io_threshold. Samples "
             "within 20 ms, of all nodes, are one datapoint",
    .advice = "prefetch; use binary files and faster storage",
    .saves = "system metrics (the profiler)",
    .automatic = "",
    .params = params,
    .state_size = sizeof(struct sm_bottleneck),
    .on_windows = true,
    .judge = judge,
    .clear = sm_bottleneck_clear,
    .suits_profile = sm_profiler_has_gpus,
    .details = sm_bottleneck_details,
    .preset_doc = "gpu_threshold=70",
};
