#include "tui/dashboard/dashboard_feature.h"

static const struct sm_cmd *const commands[] = {SM_DASHBOARD_COMMANDS(SM_CMD_ENTRY) NULL};

const struct sm_feature sm_dashboard_feature = {
    .name = "dashboard",
    .commands = commands,
    .state = &sm_dashboard_state_kind,
};
