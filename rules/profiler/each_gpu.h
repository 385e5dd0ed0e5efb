/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that judge each GPU by a metric of its own. */
#ifndef SM_EACH_GPU_H
#define SM_EACH_GPU_H

#include "rules/profiler/profiler_data.h"

/* The state of such a rule. */
struct sm_each_gpu {
    struct sm_profiler_reach reach;
    struct sm_profiler_firings fired;
};
/* Calls `judge` for each series of the dimension; it returns the datapoints of the GPU. The rule's
 * are those of the GPU that has most. */
void sm_each_gpu_judge(struct sm_rule_at *x, const char *dimension,
                       size_t (*judge)(struct sm_rule_at *x, const struct sm_metric_series *gpu));
void sm_each_gpu_clear(void *state);

#endif
