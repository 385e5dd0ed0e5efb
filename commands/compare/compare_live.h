/* SPDX-License-Identifier: Apache-2.0 */
/* The comparison of two open trials that the dashboard shows. It runs in the background, in short
 * slices, and continues while the trials are written. */
#ifndef SM_COMPARE_LIVE_H
#define SM_COMPARE_LIVE_H

#include "commands/compare/compare_run.h"

struct sm_compare_live {
    size_t a, b; /* of the session's trials */
    struct sm_compare contrast;
    struct sm_call call; /* the call that the comparison runs in */
    size_t tensors[2];   /* number of tensors of each trial; restarts if it changes */
    uint64_t asked;      /* s->news at the last sm_compare_live_get */
    bool at_last;        /* no step in common: at the last step of each */
    size_t steps[2];     /* number of steps of each trial if at_last; restarts if it changes */
    bool busy;           /* call sm_compare_live_pump again soon */
};
/* The comparison of the current pair of trials (sm_trials_pair); started if the pair has changed.
 * Returns NULL if there are no two trials, or while they are being read. */
const struct sm_compare_live *sm_compare_live_get(struct sm_session *s);
/* Whether everything that is written so far is compared. */
bool sm_compare_live_over(const struct sm_compare_live *d);

/* For the main loop. */
bool sm_compare_live_pump(struct sm_session *s); /* true if rows have changed */
bool sm_compare_live_busy(const struct sm_session *s);
bool sm_compare_live_settled(const struct sm_session *s); /* over, or none was requested */
void sm_compare_live_drop(struct sm_session *s);

#endif
