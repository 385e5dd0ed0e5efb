/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SM_KEEPER_H
#define SM_KEEPER_H

/* A process that runs one shell and keeps all that the shell starts, also what leaves its group or
 * its session (setsid, a daemon): the kernel gives orphans to the keeper, not to init. */

#include <sys/types.h>

/* Starts text with /bin/sh and this environment, output and errors to this descriptor. Returns the
 * process of the keeper, a child of the caller; -1 with errno: it could not be started.
 * It ends when nothing of what the shell has started is left, with the status of the shell, or
 * 128 + the signal that ended it. At SIGTERM, and when the calling thread ends, it kills all of it
 * first, for at most two seconds. */
pid_t sm_keeper_start(char *text, char **environment, int output);

/* A keeper that was asked to end is gone after this time, unless it was stopped. */
enum { SM_KEEPER_END_US = 3000000 };

/* Asks a keeper to kill what it keeps and to end. Does not wait. */
void sm_keeper_end(pid_t keeper);

/* Waits for a keeper that was asked to end, at most SM_KEEPER_END_US. */
void sm_keeper_wait(pid_t keeper);

#endif
