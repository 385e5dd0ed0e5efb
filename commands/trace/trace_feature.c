/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/feature.h"
#include "commands/trace/trace_ask.h"
#include "commands/trace/trace_commands.h"

static const struct sm_cmd *const commands[] = {SM_TRACE_COMMANDS(SM_CMD_ENTRY) NULL};

const struct sm_feature sm_trace_feature = {.name = "trace",
                                            .state = &sm_traces_state_kind,
                                            .trial_closing = sm_traces_closing,
                                            .commands = commands};
