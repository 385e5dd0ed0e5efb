/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/runs.h"

#include "commands/runs/run_table.h"
#include "commands/runs/run_view.h"
#include "commands/session/session.h"

static const struct sm_cmd *const commands[] = {SM_RUNS_COMMANDS(SM_CMD_ENTRY) NULL};

/* A person does not wait for the runs: the table says it, too. */
static bool note_metric(struct sm_session *s, struct sm_result *out, struct sm_err *err)
{
    struct sm_run_table table = {0};
    bool known = sm_run_table_read(s, &table, err);
    sm_run_unknown_metric_note(out, table.unknown_metric);
    sm_run_table_clear(&table);
    return known || s->interactive || err->code != SM_ERR_WAIT;
}

const struct sm_setting sm_runs_setting_rows[] = {
    {.name = "metric",
     .type = SM_SETTING_TEXT,
     .initial = "",
     .help = "Series by which runs are compared; empty: a loss, of validation if there is one, and "
             "it stays",
     .offset = offsetof(struct sm_runs_settings, metric),
     .note = note_metric},
    {0},
};

const struct sm_runs_settings *sm_runs_settings(const struct sm_session *s)
{
    return sm_settings_of(&s->settings, sm_runs_setting_rows);
}

static void clear_view(struct sm_session *s)
{
    sm_run_view_clear(sm_run_view(s));
}

const struct sm_feature sm_runs_feature = {
    .name = "runs",
    .commands = commands,
    .state = &sm_runs_state_kind,
    .clear = clear_view,
    .trial_closing = sm_run_cache_clear,
    .settings = sm_runs_setting_rows,
    .settings_size = sizeof(struct sm_runs_settings),
};
