/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the judge room. */
#include "commands/judge/judge.h"

#include "commands/judge/action.h"
#include "commands/session/session.h"

#define AT(field) offsetof(struct sm_judge_settings, field)

const struct sm_setting sm_judge_setting_rows[] = {
    {.name = "action-timeout",
     .type = SM_SETTING_DURATION,
     .min = 1,
     .max = 8.64e10,
     .initial = "1m",
     .help = "Longest time that the command of an action may run",
     .offset = AT(action_timeout)},
    {.name = "notify-action",
     .type = SM_SETTING_TEXT,
     .initial = "",
     .help = "Shell command that the notify action runs",
     .offset = AT(notify_action)},
    {.name = "rule-actions",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Allow rules to run commands, send signals and write log files",
     .offset = AT(rule_actions)},
    {.name = "rule-fallback",
     .type = SM_SETTING_BOOL,
     .initial = "on",
     .help = "Try other patterns if the default pattern of a rule matches nothing",
     .offset = AT(rule_fallback)},
    {.name = "rule-pause",
     .type = SM_SETTING_DURATION,
     .max = 3.6e9,
     .initial = "0",
     .help = "Pause of the attached rules after each step they evaluate",
     .offset = AT(rule_pause)},
    {.name = "stop-action",
     .type = SM_SETTING_TEXT,
     .initial = "",
     .help = "Action at a stop: pid N [SIGNAL], file PATH or shell CMD",
     .check = sm_action_check_stop,
     .offset = AT(stop_action)},
    {0},
};

const struct sm_judge_settings *sm_judge_settings(const struct sm_session *s)
{
    return sm_settings_of(&s->settings, sm_judge_setting_rows);
}
