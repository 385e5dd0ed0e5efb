/* SPDX-License-Identifier: Apache-2.0 */
/* Live breakpoints: the dashboard notes each hit in new steps, rings the bell and does not move.
 * Steps that existed when the search started are not searched, nor are steps that continue walks
 * along: a hit counts once. A hit runs `set stop-action`, except a dprintf, whose text is noted. */
#ifndef SM_BREAK_LIVE_H
#define SM_BREAK_LIVE_H

#include "commands/session/session.h"

bool sm_break_live_pump(struct sm_session *s);       /* true: a hit was noted */
bool sm_break_live_busy(const struct sm_session *s); /* pump again at once */
void sm_break_live_drop(struct sm_session *s);

#endif
