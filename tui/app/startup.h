/* SPDX-License-Identifier: Apache-2.0 */
/* The start of a session: init files, options, trials of the command line. */
#ifndef SM_STARTUP_H
#define SM_STARTUP_H

#include "tui/app/loop.h"
#include "tui/app/options.h"

/* Queues init files and -ix/-iex and runs them, opens the trials, then queues ./.smdbginit and
 * -x/-ex: the order of doc/language.md. Queued commands run in the turns of the loop. */
void sm_startup(struct sm_loop *l, struct sm_exec *x, const struct sm_options *o);
/* Queues the rules of the home directory (home_rules.c). */
void sm_home_rules(struct sm_exec *x);
/* Queues the setting log-patterns, if the user has such a file (home_rules.c). */
void sm_home_log_patterns(struct sm_exec *x);
/* The first trial of the command line that does not exist, unless --wait is given; NULL if none. */
const char *sm_startup_missing(const struct sm_options *o);

#endif
