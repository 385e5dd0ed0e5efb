/* SPDX-License-Identifier: Apache-2.0 */
/* The time of events of the framework by class (PROFILER.md 6.4): which operators, phases and
 * passes. */
#ifndef SM_BREAKDOWN_H
#define SM_BREAKDOWN_H

#include "rules/profiler/profiler_data.h"

struct sm_breakdown_sum {
    uint8_t class; /* enum sm_phase_class */
    uint32_t name; /* of the phase, or of the operator */
    bool of_phase;
    double ns;
};
/* Zero-initialised it is empty. */
struct sm_breakdown {
    struct sm_breakdown_sum *items;
    size_t n, cap;
    struct sm_map places;
};
/* Adds an event so many times; instants do not count. */
void sm_breakdown_add(struct sm_breakdown *b, const struct sm_event_store *x,
                      const struct sm_profile_event *e, double times);
/* The time between and outside of steps, within a time in which there were steps (RULES.md 6.10).
 */
double sm_breakdown_others(const struct sm_breakdown *b, double ns);
/* Members of an open map: ratio, CPU, GPU, CPU_total, GPU_total, phase, general, forward_backward,
 * horovod; those that there are. phases: with the one of steps. */
void sm_breakdown_json(const struct sm_breakdown *b, const struct sm_event_store *x, bool phases,
                       struct sm_json_writer *w);
void sm_breakdown_clear(struct sm_breakdown *b);

#endif
