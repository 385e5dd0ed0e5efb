/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/verdict/session_verdict.h"
#include "commands/verdict/verdict_command.h"

#include "commands/session/feature.h"

static const struct sm_cmd *const commands[] = {SM_VERDICT_COMMANDS(SM_CMD_ENTRY) NULL};

const struct sm_feature sm_verdict_feature = {
    .name = "verdict",
    .commands = commands,
    .state = &sm_verdict_state_kind,
    .trial_closing = sm_session_verdict_close,
    .pump = sm_session_verdict_pump,
    .deadline_us = sm_session_verdict_deadline_us,
};
