/* SPDX-License-Identifier: Apache-2.0 */
/* Settings for the start of the program. */
#ifndef SM_STARTUP_SETTINGS_H
#define SM_STARTUP_SETTINGS_H

#include "commands/session/feature.h"
#include "commands/session/setting.h"

struct sm_session;
/* The values of the settings, in the order of their names. */
struct sm_startup_settings {
    char *safe_path;
};
extern const struct sm_setting sm_startup_setting_rows[]; /* ends with name NULL */
const struct sm_startup_settings *sm_startup_settings(const struct sm_session *s);
extern const struct sm_feature sm_startup_feature;

#endif
