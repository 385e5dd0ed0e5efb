/* SPDX-License-Identifier: Apache-2.0 */
/* The rules that judge a profile (doc/rules.md, group profiler), a file for each. SM_PROFILER_RULES
 * is their only list: X(NAME), the record being sm_rule_NAME; the order is that of the report of
 * the service, and its own rule is the last one.
 *
 * They judge windows of time (rules/windows.c) and read the columns of the profile in place: of
 * what was judged they keep positions, sums and histograms. What is needed for the details only is
 * computed when these are asked for. profiler_data.h has what they share, breakdown.h the times of
 * the framework by class. */
#ifndef SM_PROFILER_RULES_H
#define SM_PROFILER_RULES_H

#include "rules/run.h"

#define SM_PROFILER_SUBRULES(X)                                                                    \
    X(cpu_bottleneck)                                                                              \
    X(io_bottleneck)                                                                               \
    X(low_gpu_utilization)                                                                         \
    X(step_outlier)                                                                                \
    X(gpu_memory_increase)                                                                         \
    X(batch_size)                                                                                  \
    X(max_initialization_time)                                                                     \
    X(load_balancing)                                                                              \
    X(overall_system_usage)                                                                        \
    X(dataloader)                                                                                  \
    X(overall_framework_metrics)
#define SM_PROFILER_RULES(X) SM_PROFILER_SUBRULES(X) X(profiler_report)

#define SM_PROFILER_RULE_DECLARE(name) extern const struct sm_rule sm_rule_##name;
SM_PROFILER_RULES(SM_PROFILER_RULE_DECLARE)

/* Those that ProfilerReport runs, in its order; ends with NULL. */
extern const struct sm_rule *const sm_profiler_subrules[];
/* Rule k of sm_profiler_subrules as an instance of ProfilerReport runs it: one that is attached
 * beside it with the same parameters, else its own. NULL: none has run yet, or there is none. */
const struct sm_rule_instance *sm_profiler_report_part(const struct sm_rule_instance *i, size_t k);
/* What judges sm_profiler_subrules[k] as `like` does: a rule of the set, or a part of a
 * ProfilerReport of the set. NULL: nothing does. */
const struct sm_rule_instance *sm_profiler_judged(const struct sm_rules *attached, size_t k,
                                                  const struct sm_rule_instance *like);

/* What a rule leaves behind (PROFILER.md 6.2), one JSON object: RuleTriggered, Violations, Details,
 * Datapoints, RuleParameters. */
void sm_profiler_rule_json(const struct sm_rule_instance *i, const struct sm_profile *p,
                           struct sm_json_writer *w);
/* "threshold:50\ncpu_threshold:90" */
void sm_profiler_parameters(const struct sm_rule_instance *i, struct sm_str *out);

#endif
