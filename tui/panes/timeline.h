/* What is to be said of each step beside the one before: steps left out, a late one, a new session.
 */
#ifndef SM_TIMELINE_H
#define SM_TIMELINE_H

#include "reader/trial.h"

struct sm_step_note {
    /* saved steps left out before it, by the distance usual in its mode; 0: none */
    int64_t missing;
    int64_t pause_us; /* since the step before, when it is unusually long; else 0 */
    uint16_t session; /* the one that begins with it; 0: none */
};
struct sm_timeline {
    struct sm_step_note *notes; /* one a step of the trial */
    size_t n, gaps;             /* gaps: steps with missing or pause_us */
    unsigned modes;             /* bit 1 << mode: there are steps of it */
};
void sm_timeline_read(const struct sm_trial *t, struct sm_timeline *out);
void sm_timeline_clear(struct sm_timeline *t);

/* The part below knows no trial. Of n numbers the distance from one to the next that is met most
 * often; 0: n < 3. */
int64_t sm_usual_distance(const int64_t *v, size_t n);
/* The median of n durations; 0: none. Sorts v. */
int64_t sm_median_duration(int64_t *v, size_t n);

#endif
