/* The current step, moved by keys among the saved ones; all panes follow. */
#ifndef SM_STEP_KEYS_H
#define SM_STEP_KEYS_H

#include "commands/session/session.h"
#include "tui/terminal/key_action.h"

/* False: no action of this kind, or no trial. *notice: what to tell the person, if anything. */
bool sm_step_keys_act(struct sm_session *s, enum sm_key_action a, const char **notice);

#endif
