/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/dashboard_feature.h"

#include "tui/dashboard/dashboard.h"

static const struct sm_cmd *const commands[] = {SM_DASHBOARD_COMMANDS(SM_CMD_ENTRY) NULL};

static void forget_trial(struct sm_session *s, size_t i)
{
    struct sm_dashboard *d = sm_dashboard_shown(s);
    (void)i;
    if (d)
        sm_dashboard_forget(d);
}

const struct sm_feature sm_dashboard_feature = {
    .name = "dashboard",
    .commands = commands,
    .state = &sm_dashboard_state_kind,
    .trial_closing = forget_trial,
};
