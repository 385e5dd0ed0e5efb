/* SPDX-License-Identifier: Apache-2.0 */
/* The settings that apply at startup. */
#include "tui/app/startup_settings.h"

#include "commands/session/session.h"

#define AT(field) offsetof(struct sm_startup_settings, field)

const struct sm_setting sm_startup_setting_rows[] = {
    {.name = "auto-load safe-path",
     .type = SM_SETTING_TEXT,
     .initial = "",
     .help = "Directories, separated by colons, from which .smdbginit is run",
     .offset = AT(safe_path)},
    {0},
};

const struct sm_startup_settings *sm_startup_settings(const struct sm_session *s)
{
    return sm_settings_of(&s->settings, sm_startup_setting_rows);
}

const struct sm_feature sm_startup_feature = {
    .name = "startup",
    .settings = sm_startup_setting_rows,
    .settings_size = sizeof(struct sm_startup_settings),
};
