#include "commands/judge/judge.h"

#include "commands/judge/action_command.h"
#include "commands/judge/session_rules.h"

#include "commands/session/feature.h"
#include "rules/builtin/rule_list.h"

static const struct sm_cmd *const commands[] = {SM_JUDGE_COMMANDS(SM_CMD_ENTRY) NULL};

static void attach_rules(struct sm_session *s, size_t i)
{
    if (sm_judge(s)->auto_rules)
        sm_rules_auto(sm_session_rules_of(s, i), sm_rule_table);
}

static bool pump(struct sm_session *s, bool news)
{
    bool judged = sm_session_rules_pump(s, news);
    return sm_action_commands_pump(s) || judged;
}

static int64_t deadline_us(const struct sm_session *s)
{
    int64_t judge = sm_session_rules_deadline_us(s), watch = sm_action_commands_deadline_us(s);
    return judge < watch ? judge : watch;
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
    .trial_opened = attach_rules,
    .trial_closing = sm_session_rules_close,
    .pump = pump,
    .deadline_us = deadline_us,
};
