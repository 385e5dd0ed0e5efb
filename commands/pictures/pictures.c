/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/pictures/pictures.h"

#include "commands/session/feature.h"

static const struct sm_cmd *const commands[] = {SM_PICTURES_COMMANDS(SM_CMD_ENTRY) NULL};

const struct sm_feature sm_pictures_feature = {
    .name = "pictures",
    .settings = sm_pictures_setting_rows,
    .settings_size = sizeof(struct sm_pictures_settings),
    .commands = commands,
};
