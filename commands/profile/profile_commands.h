/* SPDX-License-Identifier: Apache-2.0 */
/* What machine and framework did during a run (reader/profile/profile.h), as tables.
 *
 * Provides: the profile of the current trial, waited for (profile_ask.h); what its rules say
 * (profile_rules.h); the commands profile and its subcommands. */
#ifndef SM_PROFILE_COMMANDS_H
#define SM_PROFILE_COMMANDS_H

#include "commands/language/cmd.h"

/* Every command of the room. */
#define SM_PROFILE_COMMANDS(X)                                                                     \
    X(profile)                                                                                     \
    X(profile_summary)                                                                             \
    X(profile_phases)                                                                              \
    X(profile_system)                                                                              \
    X(profile_heat)                                                                                \
    X(profile_ops)                                                                                 \
    X(profile_steps)                                                                               \
    X(profile_rules)                                                                               \
    X(profile_report)                                                                              \
    X(profile_rule)                                                                                \
    X(profile_export)                                                                              \
    X(info_profiler)

SM_PROFILE_COMMANDS(SM_CMD_DECLARE)

extern const struct sm_feature sm_profile_feature;

#endif
