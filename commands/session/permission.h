/* SPDX-License-Identifier: Apache-2.0 */
/* What the session may do outside of itself: the one question of everything that runs a command,
 * writes a file or sends a signal. --readonly refuses all three. A batch runs commands only with
 * --allow-shell; a program that sends requests (`by_program`) needs it also for what rules and
 * stops run and signal.
 *
 * Files are opened for writing in outfile.h and tui/app/user_files.h only, which ask here first. */
#ifndef SM_PERMISSION_H
#define SM_PERMISSION_H

#include "reader/base/err.h"

struct sm_session;
enum sm_deed {
    SM_DEED_SHELL,  /* a command line runs a shell command: shell, !, | */
    SM_DEED_ACTION, /* a rule or a stop runs a command */
    SM_DEED_SIGNAL, /* a stop sends a signal */
    SM_DEED_WRITE   /* a file is created, replaced or appended to */
};
/* Returns false with SM_ERR_REFUSED if the session may not. */
bool sm_session_may(const struct sm_session *s, enum sm_deed deed, struct sm_err *err);

#endif
