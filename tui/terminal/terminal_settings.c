/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the terminal room. */
#include "tui/terminal/terminal_settings.h"

#include "commands/session/session.h"

static const char *const on_off[] = {"on", "off", NULL};
static const char *const start_modes[] = {"normal", "command", NULL};

#define AT(field) offsetof(struct sm_terminal_settings, field)

const struct sm_setting sm_terminal_setting_rows[] = {
    {.name = "mouse",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Use the mouse in the dashboard",
     .offset = AT(mouse)},
    {.name = "prompt context",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Show the trial, tensor and step in the prompt",
     .offset = AT(prompt_context)},
    {.name = "refresh",
     .type = SM_SETTING_DURATION,
     .words = on_off,
     .min = 1e5,
     .max = 10e6,
     .initial = "on",
     .help = "Redraw for new data: on, off, or an interval of 0.1s to 10s",
     .offset = AT(refresh)},
    {.name = "screen-reader",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Plain lines: no box-drawing characters and no spinner",
     .offset = AT(screen_reader)},
    {.name = "title",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Show the trial, step and state in the title of the terminal",
     .offset = AT(title)},
    {.name = "tui altscreen",
     .type = SM_SETTING_BOOL,
     .initial = "on",
     .help = "Use the alternate screen of the terminal for the dashboard",
     .offset = AT(tui_altscreen)},
    {.name = "tui start-mode",
     .type = SM_SETTING_ENUM,
     .words = start_modes,
     .initial = "normal",
     .help = "No effect",
     .retired = true,
     .offset = AT(tui_start_mode)},
    {0},
};

const struct sm_terminal_settings *sm_terminal_settings(const struct sm_session *s)
{
    return sm_settings_of(&s->settings, sm_terminal_setting_rows);
}

const struct sm_feature sm_terminal_feature = {
    .name = "terminal",
    .settings = sm_terminal_setting_rows,
    .settings_size = sizeof(struct sm_terminal_settings),
};
