/* SPDX-License-Identifier: Apache-2.0 */
/* What traces of torch.profiler say (reader/trace, rules/trace), as tables.
 *
 * Provides: the traces of the current trial, waited for (trace_ask.h); subcommands of profile for
 * them; and what the other subcommands of profile say of a trial that has traces (trace_tables.h).
 */
#ifndef SM_TRACE_COMMANDS_H
#define SM_TRACE_COMMANDS_H

#include "commands/language/cmd.h"

/* Every command of the room. */
#define SM_TRACE_COMMANDS(X)                                                                       \
    X(profile_kernels)                                                                             \
    X(profile_comms)                                                                               \
    X(profile_idle)                                                                                \
    X(profile_launches)                                                                            \
    X(profile_queue)                                                                               \
    X(profile_memory)                                                                              \
    X(profile_blame)                                                                               \
    X(hang)

SM_TRACE_COMMANDS(SM_CMD_DECLARE)

extern const struct sm_feature sm_trace_feature;

#endif
