/* What is done when a breakpoint stops: `set stop-action`, so that a living run can be paused where
 * it broke. */
#ifndef SM_BREAK_ACTION_H
#define SM_BREAK_ACTION_H

#include "commands/stops/break_search.h"

/* value: what its condition compares, unless it is no NUMBER. message: as the stop is told. Nothing
 * unless the setting says something. */
void sm_break_act(struct sm_session *s, const struct sm_break_hit *hit,
                  const struct sm_value *value, const char *message);

#endif
