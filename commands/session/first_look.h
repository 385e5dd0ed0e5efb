/* SPDX-License-Identifier: Apache-2.0 */
/* The search for runs below the address of a bucket, in a worker. Internal to commands/session. */
#ifndef SM_FIRST_LOOK_H
#define SM_FIRST_LOOK_H

#include "commands/session/work.h"
#include "reader/runs/run_search.h"

/* Starts the search, and takes over what it has found. False: SM_ERR_WAIT while the server is
 * asked, or what is wrong. patient: until all was searched, else about a second if there are runs
 * by then. out: as for sm_run_search. */
bool sm_first_look(struct sm_works *works, const char *path, bool patient, struct sm_run_list *out,
                   struct sm_err *err);

#endif
