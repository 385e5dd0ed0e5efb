/* SPDX-License-Identifier: Apache-2.0 */
/* What the causes of slowness ask, computed once: loop and machines put together. */
#ifndef SM_SPEED_CASE_H
#define SM_SPEED_CASE_H

#include "rules/speed/speed.h"
#include "rules/speed/speed_loop.h"
#include "rules/speed/speed_machine.h"

/* Means of one process that has run enough steps. */
struct sm_speed_worker {
    const struct sm_loop_process *process;
    size_t from; /* the first of its spans */
    const char *name;
    uint64_t steps;
    int64_t from_ns, to_ns;
    double step_ns, cycle_ns;   /* cycle: the step and the waits before it */
    double period_ns;           /* from one step to the next, with all that lies between */
    double wait_ns, wait_share; /* NaN: waits are not known */
    double own_ns, communication;
    double others; /* the share of a step in which other workers are waited for; NaN: not known */
};
struct sm_speed_case {
    const struct sm_profile *profile;
    const struct sm_metric_store *metrics;
    enum sm_mode mode;
    int64_t cut_ns;         /* nothing before this counts */
    int64_t from_ns, to_ns; /* of the steps that count; without them, of the metrics */
    int32_t first, last;    /* of these steps; -1: not known */
    /* the begin of the training, with the steps that do not count, if all of the time is looked at
     */
    int64_t begin_ns;
    int32_t begin_step;
    struct sm_speed_worker *workers;
    size_t n_workers;
    struct sm_machine *machines;
    size_t n_machines;
    uint64_t steps;    /* of all workers */
    double wait_share; /* median of the workers; NaN */
    size_t gpus, idle_gpus;
    double gpu;                 /* %, mean of all GPUs; NaN: no metrics, or too few */
    double most_gpu, least_gpu; /* %, of the GPUs that are used most and least */
    double cpu;                 /* %, mean of all cores */
    bool enough;                /* a machine has SM_MACHINE_SAMPLES */
};
/* Of the time from cut_ns on; INT64_MIN: of all. False: no memory. */
bool sm_speed_case_make(const struct sm_speed_loop *l, const struct sm_profile *p, int64_t cut_ns,
                        struct sm_speed_case *out);
void sm_speed_case_clear(struct sm_speed_case *c);
double sm_speed_median(double *x, size_t n); /* orders them; NaN without any */

#endif
