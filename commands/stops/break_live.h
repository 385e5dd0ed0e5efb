/* Breakpoints that are always armed: the dashboard says, rings and notes where one is met in what comes, and moves nothing.
 * What was there before is left to continue, and so are the steps that continue walks along meanwhile: a hit counts once.
 * Where one would stop `set stop-action` is done; dprintf's are noted as they print. */
#ifndef SM_ARMED_H
#define SM_ARMED_H

#include "commands/session/session.h"

/* for session.c */
bool sm_armed_pump(struct sm_session *s);                  /* true: something was met */
bool sm_armed_busy(const struct sm_session *s);            /* pump again at once */
void sm_armed_drop(struct sm_session *s);

#endif
