/* SPDX-License-Identifier: Apache-2.0 */
/* Notes on unusual steps: missing steps or a long pause before it, a new session, workers that did
 * not write it. */
#ifndef SM_TIMELINE_H
#define SM_TIMELINE_H

#include "reader/trial.h"

struct sm_step_note {
    /* missing steps before it, by the usual distance in its mode; 0 if none */
    int64_t missing;
    int64_t pause_us; /* since the previous step, if unusually long; else 0 */
    uint16_t session; /* the session that starts with it; 0 if none */
    uint16_t lacking; /* workers that should have written it (workers.h) and did not */
};
struct sm_timeline {
    struct sm_step_note *notes; /* one for each step of the trial */
    size_t n, gaps;             /* gaps: steps with missing or pause_us */
    unsigned modes;             /* bit 1 << mode if there are steps of it */
};
void sm_timeline_read(const struct sm_trial *t, struct sm_timeline *out);
void sm_timeline_clear(struct sm_timeline *t);

/* Adds "1 saved step is missing, and nothing came for 3m20s before step 20". */
void sm_timeline_describe(const struct sm_step_note *note, struct sm_step step, struct sm_str *out);

/* The most frequent distance between neighbours of n ascending numbers; 0 if n < 3. */
int64_t sm_usual_distance(const int64_t *v, size_t n);
/* The median of n durations; 0 if none. Sorts v. */
int64_t sm_median_duration(int64_t *v, size_t n);

#endif
