/* Restores the terminal if the program crashes while curses uses it. */
#ifndef SM_SCREEN_CRASH_H
#define SM_SCREEN_CRASH_H

#include <stdbool.h>

void sm_screen_crash_remember(void);                 /* saves the terminal's mode */
void sm_screen_crash_restore(void);                  /* sets the saved mode */
void sm_screen_crash_guard(bool on, bool alternate); /* turns the crash handler on or off */

#endif
