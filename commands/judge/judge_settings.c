/* The settings of the room. */
#include "commands/judge/judge.h"

#include "commands/judge/action.h"
#include "commands/session/session.h"

#define AT(field) offsetof(struct sm_judge_settings, field)

const struct sm_setting sm_judge_setting_rows[] = {
    {.name = "notify-action",
     .type = SM_SETTING_TEXT,
     .initial = "",
     .help = "The shell command of the notify action",
     .offset = AT(notify_action)},
    {.name = "rule-actions",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Rules may run commands, send signals and write log files",
     .offset = AT(rule_actions)},
    {.name = "rule-fallback",
     .type = SM_SETTING_BOOL,
     .initial = "on",
     .help = "Use other patterns for rules whose default pattern matches nothing",
     .offset = AT(rule_fallback)},
    {.name = "rule-pause",
     .type = SM_SETTING_DURATION,
     .max = 3.6e9,
     .initial = "0",
     .help = "Pause after each step that the attached rules have judged",
     .offset = AT(rule_pause)},
    {.name = "stop-action",
     .type = SM_SETTING_TEXT,
     .initial = "",
     .help = "Action at stops: pid N [SIGNAL], file PATH or shell CMD",
     .check = sm_action_check_stop,
     .offset = AT(stop_action)},
    {0},
};

const struct sm_judge_settings *sm_judge_settings(const struct sm_session *s)
{
    return sm_settings_of(&s->settings, sm_judge_setting_rows);
}
