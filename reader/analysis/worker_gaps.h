/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that workers skipped or no longer write. */
#ifndef SM_WORKER_GAPS_H
#define SM_WORKER_GAPS_H

#include "reader/analysis/workers.h"

/* A worker is missing at `steps` steps in a row, counting only those that it takes part in. */
struct sm_worker_gap {
    uint16_t worker;
    int64_t from; /* the first of these steps */
    /* beside: number of equal gaps from the same step that follow in the list */
    size_t steps, beside;
    bool lost; /* up to the last step of a job that has ended */
    bool open; /* up to the newest step: the worker may still write them */
};
struct sm_worker_gaps {
    struct sm_worker_gap *items; /* by first step; then lost and open gaps last; then by worker */
    size_t n, cap;
    struct sm_workers workers;
    const struct sm_trial *of; /* read at that version */
    uint64_t version;
};
/* Fills *out, zero-initialised or used before; does nothing if the trial has not changed since. */
void sm_worker_gaps_read(const struct sm_trial *t, struct sm_worker_gaps *out);
void sm_worker_gaps_clear(struct sm_worker_gaps *g);
/* Adds "worker_1 and 2 more are missing at step 2 and 1 after it", for the first of the gaps that
 * start at that step; not escaped. */
void sm_worker_gaps_describe(const struct sm_trial *t, const struct sm_worker_gap *g,
                             struct sm_str *out);

#endif
