#include "commands/judge/judge.h"

#include "commands/judge/session_rules.h"

#include "commands/session/feature.h"

static const struct sm_cmd *const commands[] = {SM_JUDGE_COMMANDS(SM_CMD_ENTRY) NULL};

struct sm_judge *sm_judge(const struct sm_session *s)
{
    return sm_session_state(s, &sm_judge_feature);
}

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
    .state_size = sizeof(struct sm_judge),
    .trial_state_size = sizeof(struct sm_judged_trial),
    .clear = sm_session_rules_free,
    .trial_opened = attach_rules,
    .trial_closing = sm_session_rules_close,
    .pump = sm_session_rules_pump,
    .deadline_us = sm_session_rules_deadline_us,
};
