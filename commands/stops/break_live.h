/* Breakpoints that are always armed: the dashboard says, rings and notes where one is met in what
 * comes, and moves nothing. What was there before is left to continue, and so are the steps that
 * continue walks along meanwhile: a hit counts once. Where one would stop `set stop-action` is
 * done; dprintf's are noted as they print. */
#ifndef SM_BREAK_LIVE_H
#define SM_BREAK_LIVE_H

#include "commands/session/session.h"

/* for session.c */
bool sm_break_live_pump(struct sm_session *s);       /* true: something was met */
bool sm_break_live_busy(const struct sm_session *s); /* pump again at once */
void sm_break_live_drop(struct sm_session *s);

#endif
