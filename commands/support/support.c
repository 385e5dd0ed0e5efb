/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/support/support.h"

#include "commands/language/language.h"
#include "commands/language/user.h"

static const struct sm_cmd *const commands[] = {SM_SUPPORT_COMMANDS(SM_CMD_ENTRY) NULL};

static void init_support(struct sm_session *s)
{
    sm_users(s)->run = sm_user_run;
}

const struct sm_feature sm_support_feature = {
    .name = "support",
    .commands = commands,
    .init = init_support,
};
