/* SPDX-License-Identifier: Apache-2.0 */
/* Progress of the workers: which are behind, which are lost.
 *
 * A worker is judged only by steps that it takes part in, each mode separately. A worker takes no
 * part in a mode that it never wrote, or that it has left: it wrote other steps while other workers
 * wrote that mode. Steps after its last step count as missing if they include steps of the mode
 * that it wrote last, or of training; a worker that has trained to the end is not behind if another
 * worker evaluates after that. The runs of a TensorBoard directory need not write the same steps:
 * none of them is behind. */
#ifndef SM_WORKERS_H
#define SM_WORKERS_H

#include "reader/trial.h"

struct sm_worker_progress {
    uint16_t worker;
    int64_t first, last, last_us; /* steps, and wall clock of the last; -1 if it wrote none */
    size_t steps;                 /* written steps, complete or not */
    size_t behind;                /* steps after its last step that it should have written */
    bool lost;                    /* it is behind, and the job has ended */
    /* for sm_workers_expect: index + 1 of its last step, and of each mode (0 if none) */
    size_t end, mode_end[SM_MODES];
    unsigned modes; /* of the steps in `behind`, bit 1 << mode */
};
struct sm_workers {
    struct sm_worker_progress *items; /* by worker */
    size_t n, behind, lost;           /* workers: all; behind, including the lost; lost */
    const struct sm_trial *of;        /* read at that version */
    uint64_t version;
};
/* Fills *out, zero-initialised or used before; does nothing if the trial has not changed since. */
void sm_workers_read(const struct sm_trial *t, struct sm_workers *out);
void sm_workers_clear(struct sm_workers *w);
/* Sorts by steps behind, most first. The next read restores the order only if the trial has
 * changed. */
void sm_workers_sort(struct sm_workers *w);

/* True if the worker wrote step i of the trial, of that mode, or should have written it. */
bool sm_workers_expect(const struct sm_worker_progress *w, size_t i, uint8_t mode);
/* Adds "worker_1 wrote nothing after step 8: 5 steps lack it", not escaped. */
void sm_workers_describe(const struct sm_trial *t, const struct sm_worker_progress *w,
                         struct sm_str *out);

#endif
