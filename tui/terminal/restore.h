/* SPDX-License-Identifier: Apache-2.0 */
/* Restores the terminal whatever ends the program: its end, "out of memory", a failed assertion, a
 * crash, a signal that nothing handles. */
#ifndef SM_RESTORE_H
#define SM_RESTORE_H

#include <stdbool.h>

/* Saves the terminal's mode now; from now on it is set again when the program ends. */
void sm_restore_remember(void);
/* Sets the saved mode. keeps_output: but Ctrl-C does not drop what the terminal has not read yet,
 * which may be the end of the alternate screen. */
void sm_restore_mode(bool keeps_output);
/* on: curses uses the terminal, so its control sequences are undone, too. alternate: it shows the
 * alternate screen. */
void sm_restore_screen(bool on, bool alternate);
/* on: readline has asked the terminal to mark pastes, while it reads a line. */
void sm_restore_pastes(bool on);
/* Leaves the screen of curses after the terminal did not take what curses sent to leave it. Waits
 * for the terminal. */
void sm_restore_late(bool alternate);
/* Restores all that is not restored yet. Only async-signal-safe calls. */
void sm_restore_now(void);

#endif
