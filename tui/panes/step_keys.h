/* Keys that move the current step among the saved steps, in all panes. */
#ifndef SM_STEP_KEYS_H
#define SM_STEP_KEYS_H

#include "commands/session/session.h"
#include "tui/terminal/key_action.h"

/* Returns false if the action does not move the step, or if there is no trial. Sets *notice if
 * there is a message for the user. */
bool sm_step_keys_act(struct sm_session *s, enum sm_key_action a, const char **notice);

#endif
