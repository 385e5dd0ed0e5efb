/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/judge.h"

#include "commands/judge/action_command.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/sleeping_runs.h"

#include "commands/session/feature.h"
#include "rules/builtin/rule_list.h"

static const struct sm_cmd *const commands[] = {SM_JUDGE_COMMANDS(SM_CMD_ENTRY) NULL};

static void on_opened(struct sm_session *s, size_t i)
{
    if (sm_judge(s)->to_come)
        sm_rules_attach_like(sm_session_rules_of(s, i), sm_judge(s)->to_come);
    else if (sm_judge(s)->auto_rules)
        sm_rules_auto(sm_session_rules_of(s, i), sm_rule_table);
}

static bool pump(struct sm_session *s, bool news)
{
    bool judged = sm_session_rules_pump(s, news);
    judged = sm_sleepers_pump(s, news) || judged;
    return sm_action_commands_pump(s) || judged;
}

static int64_t deadline_us(const struct sm_session *s)
{
    int64_t judge = sm_session_rules_deadline_us(s), watch = sm_action_commands_deadline_us(s);
    int64_t sleepers = sm_sleepers_deadline_us(s), first = judge < watch ? judge : watch;
    return first < sleepers ? first : sleepers;
}

static void on_closing(struct sm_session *s, size_t i)
{
    sm_sleepers_close(s, i);
    sm_session_rules_close(s, i);
}

static void clear(struct sm_session *s)
{
    sm_action_commands_end(s);
    sm_session_rules_free(s);
}

const struct sm_feature sm_judge_feature = {
    .name = "judge",
    .settings = sm_judge_setting_rows,
    .settings_size = sizeof(struct sm_judge_settings),
    .commands = commands,
    .state = &sm_judge_state_kind,
    .clear = clear,
    .trial_opened = on_opened,
    .trial_closing = on_closing,
    .pump = pump,
    .deadline_us = deadline_us,
};
