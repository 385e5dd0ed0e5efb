/* What runs when the program starts: init files, options, the trials that are named. */
#ifndef SM_STARTUP_H
#define SM_STARTUP_H

#include "tui/app/loop.h"
#include "tui/app/options.h"

/* Queues init files and -ix/-iex and lets them run, opens the trials, queues ./.smdbginit and
 * -x/-ex: the order of doc/language.md. What is queued runs as the loop turns. */
void sm_startup(struct sm_loop *l, struct sm_exec *x, const struct sm_options *o);
/* Queues the rules of the home directory, home_rules.c. */
void sm_home_rules(struct sm_exec *x);
/* A trial named on the command line that does not exist, unless it is to be waited for; NULL: none.
 */
const char *sm_startup_missing(const struct sm_options *o);

#endif
