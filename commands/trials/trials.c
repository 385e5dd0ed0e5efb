/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/trials/trials.h"

#include "commands/session/feature.h"

static const struct sm_cmd *const commands[] = {SM_TRIALS_COMMANDS(SM_CMD_ENTRY) NULL};

const struct sm_feature sm_trials_feature = {
    .name = "trials",
    .commands = commands,
};
