/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands of this room share. */
#ifndef SM_PROFILE_ASK_H
#define SM_PROFILE_ASK_H

#include "commands/answer/result.h"
#include "commands/language/cmd.h"
#include "reader/profile/profile.h"
#include "reader/profile/usage.h"

/* The profile of the current trial, all of it. NULL: it is being read (SM_ERR_WAIT), or there is
 * none (SM_ERR_MISSING). */
const struct sm_profile *sm_profile_ask(struct sm_call *c, struct sm_err *err);
/* Nanoseconds that were computed, rounded to an integer; NaN becomes null. */
void sm_profile_node_duration(struct sm_result *out, struct sm_node *row, const char *key,
                              double ns);
/* Says what is missing: no GPU metrics, no framework metrics. */
void sm_profile_remarks(struct sm_result *out, const struct sm_profile *p);

#endif
