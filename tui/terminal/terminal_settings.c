/* The settings of the room. */
#include "tui/terminal/terminal_settings.h"

#include "commands/session/session.h"

static const char *const on_off[] = {"on", "off", NULL};
static const char *const start_modes[] = {"normal", "command", NULL};

#define AT(field) offsetof(struct sm_terminal_settings, field)

const struct sm_setting sm_terminal_setting_rows[] = {
    {.name = "mouse",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "The dashboard takes the mouse",
     .offset = AT(mouse)},
    {.name = "prompt context",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Show trial, tensor and step in the prompt",
     .offset = AT(prompt_context)},
    {.name = "refresh",
     .type = SM_SETTING_DURATION,
     .words = on_off,
     .min = 1e5,
     .max = 10e6,
     .initial = "on",
     .help = "How the screen follows new data: on, off, or every 0.1s to 10s",
     .offset = AT(refresh)},
    {.name = "screen-reader",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Plain lines: no box drawing and no spinner",
     .offset = AT(screen_reader)},
    {.name = "title",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "The terminal's title says trial, step and state",
     .offset = AT(title)},
    {.name = "tui altscreen",
     .type = SM_SETTING_BOOL,
     .initial = "on",
     .help = "The dashboard uses the terminal's alternate screen",
     .offset = AT(tui_altscreen)},
    {.name = "tui start-mode",
     .type = SM_SETTING_ENUM,
     .words = start_modes,
     .initial = "normal",
     .help = "What keys do at first: act, or type a command",
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
