/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines saved between sessions: in $SMDBG_HISTFILE, else in smdbg/history in the XDG state
 * directory, mode 0600 in a directory of mode 0700. The list itself is readline's. */
#ifndef SM_HISTORY_H
#define SM_HISTORY_H

#include "commands/session/session.h"

void sm_history_load(const struct sm_session *s);
void sm_history_add(const char *line); /* ignores repeats, blank lines, lines that start with a
                                          blank */
/* Appends the lines added since the load or the last save, under a lock, and truncates the file to
 * its size. Returns true if there is nothing to save, or nothing may be written
 * (--readonly), false and err on failure. */
bool sm_history_save(const struct sm_session *s, struct sm_err *err);
/* The path of the file; free it with sm_free. NULL if the history is not saved. */
char *sm_history_path(void);

#endif
