/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the run room. */
#include "commands/run/run_state.h"

#include "commands/session/session.h"

#define AT(field) offsetof(struct sm_run_settings, field)

const struct sm_setting sm_run_setting_rows[] = {
    {.name = "history save",
     .type = SM_SETTING_BOOL,
     .initial = "on",
     .help = "Save the command history for the next session",
     .offset = AT(history_save)},
    {.name = "history size",
     .type = SM_SETTING_INT,
     .max = SM_SETTING_UNLIMITED,
     .initial = "10000",
     .unit = "lines",
     .help = "Maximum number of command lines in the history",
     .offset = AT(history_size)},
    {.name = "logging enabled",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Also write output and error messages to the log file",
     .offset = AT(logging_enabled)},
    {.name = "logging file",
     .type = SM_SETTING_TEXT,
     .initial = "smdbg.txt",
     .help = "Log file for output and error messages",
     .offset = AT(logging_file)},
    {.name = "logging overwrite",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Overwrite the log file; off: append to it",
     .offset = AT(logging_overwrite)},
    {.name = "logging redirect",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "While logging, write output to the log file only",
     .offset = AT(logging_redirect)},
    {.name = "stop-on-error",
     .type = SM_SETTING_BOOL,
     .initial = "on",
     .help = "Stop the script or batch when a command fails",
     .offset = AT(stop_on_error)},
    {.name = "strict",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Exit with status 7 if damaged data was skipped",
     .offset = AT(strict)},
    {.name = "trace-commands",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Print each command, prefixed with +, before it runs",
     .offset = AT(trace_commands)},
    {0},
};

const struct sm_run_settings *sm_run_settings(const struct sm_session *s)
{
    return sm_settings_of(&s->settings, sm_run_setting_rows);
}
