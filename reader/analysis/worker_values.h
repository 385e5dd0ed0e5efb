/* SPDX-License-Identifier: Apache-2.0 */
/* The values of one tensor from every worker, and whether another worker than the one that is shown
 * has NaN or infinities. */
#ifndef SM_WORKER_VALUES_H
#define SM_WORKER_VALUES_H

#include "reader/fetch/fetch.h"

/* Zero-initialised is empty. */
struct sm_worker_values {
    struct sm_entry *items; /* at most one of each worker, in their order */
    size_t n, cap;
};
/* The values at the step, or the newest value of each worker if step.n < 0: of one worker, or of
 * all (ANY). The last of several records with one name. */
void sm_worker_values_read(struct sm_worker_values *v, const struct sm_trial *t,
                           const struct sm_trial_tensor *x, struct sm_step step, uint16_t worker);
void sm_worker_values_clear(struct sm_worker_values *v);

struct sm_worker_defects {
    struct sm_entry first;  /* the first value with NaN or infinities; none if there is none */
    size_t workers;         /* that have such values */
    uint64_t nan, infinite; /* in all of these values */
    size_t unknown;         /* values that are being read */
};
/* Looks at all values but `but` (may be NULL). Values that cannot be read are left out. */
void sm_worker_values_defects(const struct sm_worker_values *v, struct sm_trial *t,
                              struct sm_fetch *f, const struct sm_entry *but,
                              struct sm_worker_defects *out);
/* Appends "worker_1: 3 NaN", "worker_1 and 2 more: 7 NaN, 1 Inf"; nothing without defects. Escape
 * it for display. */
void sm_worker_defects_describe(const struct sm_trial *t, const struct sm_worker_defects *d,
                                struct sm_str *out);

#endif
