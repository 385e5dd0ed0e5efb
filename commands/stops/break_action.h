/* SPDX-License-Identifier: Apache-2.0 */
/* Runs `set stop-action` when a breakpoint stops, for example to pause a live run. */
#ifndef SM_BREAK_ACTION_H
#define SM_BREAK_ACTION_H

#include "commands/stops/break_search.h"

/* value: the number that the condition compares, or not a NUMBER. message: the text of the stop.
 * Does nothing if no stop-action is set. */
void sm_break_act(struct sm_session *s, const struct sm_break_hit *hit,
                  const struct sm_value *value, const char *message);

#endif
