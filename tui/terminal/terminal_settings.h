/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the terminal and the prompt. */
#ifndef SM_TERMINAL_SETTINGS_H
#define SM_TERMINAL_SETTINGS_H

#include "commands/session/feature.h"
#include "commands/session/setting.h"

struct sm_session;
/* The values of the settings, in the order of their names. */
struct sm_terminal_settings {
    bool mouse;
    bool prompt_context;
    int64_t refresh; /* us */
    bool screen_reader;
    bool title;
    bool tui_altscreen;
    int64_t tui_start_mode; /* index of the word */
};
extern const struct sm_setting sm_terminal_setting_rows[]; /* ends with name NULL */
const struct sm_terminal_settings *sm_terminal_settings(const struct sm_session *s);
extern const struct sm_feature sm_terminal_feature;

#endif
