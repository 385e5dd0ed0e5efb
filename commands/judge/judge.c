/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/judge.h"

#include "commands/judge/action_command.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/sleeping_runs.h"

#include "commands/session/feature.h"
#include "rules/builtin/rule_list.h"

static const struct sm_cmd *const commands[] = {SM_JUDGE_COMMANDS(SM_CMD_ENTRY) NULL};

/* A run of many is judged when it is awake. */
static void attach_rules(struct sm_session *s, size_t i)
{
    struct sm_judged_trial *t = sm_session_trial_state(s, i, &sm_judge_state_kind);
    if (!t->waits_for_rules || sm_trial_glance(s->trials[i].trial))
        return;
    t->waits_for_rules = false;
    sm_rules_auto(sm_session_rules_of(s, i), sm_rule_table);
}

static void on_opened(struct sm_session *s, size_t i)
{
    struct sm_judged_trial *t = sm_session_trial_state(s, i, &sm_judge_state_kind);
    t->waits_for_rules = sm_judge(s)->auto_rules;
    attach_rules(s, i);
}

static bool pump(struct sm_session *s, bool news)
{
    for (size_t i = 0; i < s->n_trials; i++)
        attach_rules(s, i);
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
