/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/origin/origin.h"

#include "commands/origin/trace.h"

#include "commands/session/feature.h"

static const struct sm_cmd *const commands[] = {SM_ORIGIN_COMMANDS(SM_CMD_ENTRY) NULL};

static void clear_trial(struct sm_session *s, size_t i)
{
    const struct sm_trace *trace = sm_origin_state(s)->trace;
    if (trace && trace->trial == s->trials[i].trial)
        sm_trace_clear(s);
}

const struct sm_feature sm_origin_feature = {
    .name = "origin",
    .settings = sm_origin_setting_rows,
    .settings_size = sizeof(struct sm_origin_settings),
    .commands = commands,
    .state = &sm_origin_state_kind,
    .clear = sm_trace_clear,
    .trial_closing = clear_trial,
};
