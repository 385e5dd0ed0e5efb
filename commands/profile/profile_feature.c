/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/profile_commands.h"

#include "commands/profile/profile_rules.h"
#include "commands/session/feature.h"

static const struct sm_cmd *const commands[] = {SM_PROFILE_COMMANDS(SM_CMD_ENTRY) NULL};

const struct sm_feature sm_profile_feature = {.name = "profile",
                                              .state = &sm_profile_state_kind,
                                              .trial_closing = sm_profile_reports_close,
                                              .pump = sm_profile_reports_pump,
                                              .commands = commands};
