/* Command lines kept from one session to the next: $SMDBG_HISTFILE, else smdbg/history in the XDG
 * state directory, mode 0600 in a directory of mode 0700. The list itself is readline's. */
#ifndef SM_HISTORY_H
#define SM_HISTORY_H

#include "commands/session/session.h"

void sm_history_load(const struct sm_session *s);
void sm_history_add(const char *line); /* not: repeats, blank ones, lines that start with a blank */
/* Appends what was added since the load or the last save, under a lock, and cuts the file to its
 * size. False: err says why (nothing to keep is true). */
bool sm_history_save(const struct sm_session *s, struct sm_err *err);
/* The file's path, or NULL: nowhere to keep it. Freed with sm_free. */
char *sm_history_path(void);

#endif
