/* The current step, moved by keys among the saved ones; all panels follow. */
#ifndef SM_SCRUB_H
#define SM_SCRUB_H

#include "commands/session/session.h"
#include "tui/terminal/key_action.h"

/* False: no action of this kind, or no trial. *notice: what to tell the person, if anything. */
bool sm_scrub_act(struct sm_session *s, enum sm_action a, const char **notice);

#endif
