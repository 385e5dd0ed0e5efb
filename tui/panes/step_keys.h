/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that move the current step among the saved steps, in all panes. */
#ifndef SM_STEP_KEYS_H
#define SM_STEP_KEYS_H

#include "commands/session/session.h"
#include "tui/terminal/key_action.h"

/* Returns false if the action does not move the step, or if there is no trial. Sets *notice if
 * there is a message for the user. values_of: "next" and "previous" are steps with a value of this
 * tensor; NULL: all saved steps. */
bool sm_step_keys_act(struct sm_session *s, enum sm_key_action a,
                      const struct sm_trial_tensor *values_of, const char **notice);

#endif
