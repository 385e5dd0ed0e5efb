/* SPDX-License-Identifier: Apache-2.0 */
/* All values of a trial, counted by their briefs (reader/brief.h). */
#ifndef SM_ALL_VALUES_H
#define SM_ALL_VALUES_H

#include "reader/trial.h"

/* What is replaced does not count. */
struct sm_all_values {
    uint64_t values;      /* values and saved reductions */
    uint64_t read, empty; /* of them; of those that were read: without numbers */
    uint64_t bad;         /* with NaN or infinities */
    size_t bad_tensors;
    struct sm_step first_bad; /* if bad > 0 */
};
/* Looks at what was read: all of it if sm_fetch_all says so. */
void sm_all_values_count(const struct sm_trial *t, struct sm_all_values *out);

#endif
