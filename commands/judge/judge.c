#include "commands/judge/judge.h"

#include "commands/judge/session_rules.h"

#include "commands/session/feature.h"

static const struct sm_cmd *const commands[] = {SM_JUDGE_COMMANDS(SM_CMD_ENTRY) NULL};

static void attach_rules(struct sm_session *s, size_t i)
{
    if (sm_judge(s)->auto_rules)
        sm_rules_auto(sm_session_rules_of(s, i), true);
}

const struct sm_feature sm_judge_feature = {
    .name = "judge",
    .settings = sm_judge_setting_rows,
    .settings_size = sizeof(struct sm_judge_settings),
    .commands = commands,
    .state = &sm_judge_state_kind,
    .clear = sm_session_rules_free,
    .trial_opened = attach_rules,
    .trial_closing = sm_session_rules_close,
    .pump = sm_session_rules_pump,
    .deadline_us = sm_session_rules_deadline_us,
};
