/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/values/values.h"

#include "commands/session/feature.h"

static const struct sm_cmd *const commands[] = {SM_VALUES_COMMANDS(SM_CMD_ENTRY) NULL};

static void init_values(struct sm_session *s)
{
    sm_values(s)->x.precision = -1;
}

const struct sm_feature sm_values_feature = {
    .name = "values",
    .settings = sm_values_setting_rows,
    .settings_size = sizeof(struct sm_values_settings),
    .commands = commands,
    .state = &sm_values_state_kind,
    .init = init_values,
};
