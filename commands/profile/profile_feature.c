#include "commands/profile/profile_commands.h"

#include "commands/session/feature.h"

static const struct sm_cmd *const commands[] = {SM_PROFILE_COMMANDS(SM_CMD_ENTRY) NULL};

const struct sm_feature sm_profile_feature = {.name = "profile", .commands = commands};
