/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal without curses: its capabilities and size, writing to it, and restoring it after a
 * crash.
 *
 * The room tui/terminal hands out what speaks to a terminal: the screen under curses (screen.h),
 * writing to slow terminals (term_writer.h), keys and actions (key_action.h, keymap.h, keyscript.h,
 * paste.h), its state at every end (restore.h), line editing and history (lineedit.h, history.h),
 * the pager and the progress line (pager.h, progress.h), and shell commands (shell.h). */
#ifndef SM_TERMINAL_H
#define SM_TERMINAL_H

#include "commands/session/session.h"

#include <stddef.h>

/* Opens /dev/null for closed stdin, stdout and stderr, so that no other file gets their numbers. */
void sm_terminal_fill_standard_fds(void);
/* NULL if TERM can show the dashboard, else a warning with the reason ("TERM is \"dumb\" ...");
 * free it with sm_free. */
char *sm_terminal_lacks(void);
/* No screen is larger: a terminal may claim 65535 lines of 65535 columns. */
enum { SM_TERMINAL_MAX_W = 2000, SM_TERMINAL_MAX_H = 1000 };
/* LINES and COLUMNS if set, else the size of the terminal; 0 if unknown. */
void sm_terminal_measure(int *w, int *h);
void sm_terminal_size(struct sm_session *s); /* sets s->term.w, h and the size of a cell in pixels
                                              */
/* Opens the terminal of stdin again, for non-blocking reads: Ctrl-C discards keys that poll has
 * already reported. Returns stdin if that fails. Close it with sm_terminal_close_keys. */
int sm_terminal_open_keys(void);
void sm_terminal_close_keys(int fd);
/* Writes all of it, also if the reader is slow. Returns false and sets errno on failure. */
bool sm_terminal_write(int fd, const char *text, size_t n);

#endif
