/* SPDX-License-Identifier: Apache-2.0 */
/* Reports when an open trial that is not current ends, stalls, continues, or is deleted. */
#ifndef SM_TRIAL_NEWS_H
#define SM_TRIAL_NEWS_H

#include "commands/session/session.h"

/* Compares the state of each trial with that at the last call, and adds changes to the event log.
 * The front end reports changes of the current trial. */
void sm_trial_news(struct sm_session *s);

#endif
