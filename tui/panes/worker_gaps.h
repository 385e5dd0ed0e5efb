/* Steps that workers have left no part of. */
#ifndef SM_WORKER_GAPS_H
#define SM_WORKER_GAPS_H

#include "reader/trial.h"

/* A worker is missing at `steps` steps one after another, of modes it takes part in. */
struct sm_worker_gap {
    uint16_t worker;
    int64_t from; /* the first of them */
    /* beside: others that are missing from there on and come later in the list */
    size_t steps, beside;
    bool lost; /* the job has ended, and it has not come back */
};
struct sm_worker_gaps {
    struct sm_worker_gap *items; /* by their first step, then worker */
    size_t n, cap;
    size_t lost, workers;
    const struct sm_trial *of; /* read at that version */
    uint64_t version;
};
/* Fills *out, zero-initialised or used before; does nothing where the trial has not changed since.
 * While a job runs a worker that has not written the last steps yet is not missing. */
void sm_worker_gaps_read(const struct sm_trial *t, struct sm_worker_gaps *out);
void sm_worker_gaps_clear(struct sm_worker_gaps *a);

#endif
