/* The comparison of two open trials that the dashboard shows: made in the background, a little at
 * each turn, and kept up to date while they are written. */
#ifndef SM_COMPARE_LIVE_H
#define SM_COMPARE_LIVE_H

#include "commands/compare/compare_run.h"

struct sm_compare_live {
    size_t a, b; /* of the session's trials */
    struct sm_compare contrast;
    struct sm_call call; /* what the contrast works with */
    size_t tensors[2];   /* that the trials had: of others it begins anew */
    uint64_t asked;      /* s->news when somebody looked last */
    bool busy;           /* to be called again soon */
};
/* That of the pair (sm_trials_pair): begun, if it is another one. NULL: there are no two, or they
 * are still being read. */
const struct sm_compare_live *sm_compare_live_ask(struct sm_session *s);
/* nothing is left to be compared, for now */
bool sm_compare_live_over(const struct sm_compare_live *d);

/* for session.c and the loop */
bool sm_compare_live_pump(struct sm_session *s); /* true: there is more to see */
bool sm_compare_live_busy(const struct sm_session *s);
bool sm_compare_live_settled(const struct sm_session *s); /* over, or none was asked for */
void sm_compare_live_drop(struct sm_session *s);

#endif
