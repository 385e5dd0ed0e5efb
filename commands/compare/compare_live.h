/* The comparison of two open trials that the dashboard shows: made in the background, a little at each turn, and kept up to
 * date while they are written. */
#ifndef SM_DIFFERENCES_H
#define SM_DIFFERENCES_H

#include "commands/compare/compare.h"

struct sm_differences {
    size_t a, b;                         /* of the session's trials */
    struct sm_contrast contrast;
    struct sm_call call;                 /* what the contrast works with */
    size_t tensors[2];                   /* that the trials had: of others it begins anew */
    uint64_t asked;                      /* s->news when somebody looked last */
    bool busy;                           /* to be called again soon */
};
/* That of the pair (sm_trials_pair): begun, if it is another one. NULL: there are no two, or they are still being read. */
const struct sm_differences *sm_differences_ask(struct sm_session *s);
bool sm_differences_over(const struct sm_differences *d);  /* nothing is left to be compared, for now */

/* for session.c and the loop */
bool sm_differences_pump(struct sm_session *s);            /* true: there is more to see */
bool sm_differences_busy(const struct sm_session *s);
bool sm_differences_settled(const struct sm_session *s);   /* over, or none was asked for */
void sm_differences_drop(struct sm_session *s);

#endif
