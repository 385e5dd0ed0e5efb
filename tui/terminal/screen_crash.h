/* A crash while the screen has the terminal gives it back before the program dies. */
#ifndef SM_SCREEN_CRASH_H
#define SM_SCREEN_CRASH_H

#include <stdbool.h>

void sm_screen_crash_remember(void);                 /* the terminal's mode, before it is changed */
void sm_screen_crash_restore(void);                  /* that mode, without a crash */
void sm_screen_crash_guard(bool on, bool alternate); /* from now on; no longer */

#endif
