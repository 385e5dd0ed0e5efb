/* What becomes of the trials that nobody looks at: one that ends, stalls or is deleted beside the
 * current one is told of. */
#ifndef SM_TRIAL_NEWS_H
#define SM_TRIAL_NEWS_H

#include "commands/session/session.h"

/* Adds to the session's incidents. Of the current trial the front end tells by itself. */
void sm_trial_news(struct sm_session *s);

#endif
