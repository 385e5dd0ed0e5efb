/* SPDX-License-Identifier: Apache-2.0 */
/* The open trials that a command reads, for comparing them. */
#ifndef SM_TRIAL_SET_H
#define SM_TRIAL_SET_H

#include "commands/language/cmd.h"

struct sm_trial_set {
    /* indices of the session's trials, ascending, in the call's arena; at least one */
    size_t *items;
    size_t n;
};
/* The row for the options of such a command. */
#define SM_TRIAL_SET_OPTION                                                                        \
    {                                                                                              \
        .name = "trials", .kind = SM_ARG_TEXT, .value = "all|current|1,NAME,...",                  \
        .help = "use these open trials; default: all that are shown (help trial)"                  \
    }
/* The trials of the option: all, current, or a list of numbers and names. Without the option, the
 * trials that are shown (sm_trials_shown). SM_ERR_WAIT until the index of each has been read. */
bool sm_trial_set_read(struct sm_call *c, struct sm_trial_set *out, struct sm_err *err);

#endif
