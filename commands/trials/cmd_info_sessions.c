/* SPDX-License-Identifier: Apache-2.0 */
/* info sessions: the runs of the job that wrote the trial. */
#include "commands/answer/shape.h"
#include "commands/place/step_clock.h"
#include "commands/trials/trials.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column sessions_columns[] = {
    {.key = "session", .header = "SESSION", .format = SM_COL_NUMBER},
    {.key = "first_step", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last_step", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "begin", .header = "BEGIN", .format = SM_COL_TIME},
    {.key = "end", .header = "END", .format = SM_COL_TIME},
};

static bool run_info_sessions(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_step_clock clock = {.fetch = c->session->fetch, .trial = t};
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < sm_trial_session_count(t); i++) {
        const struct sm_trial_session *s = sm_trial_session(t, i);
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_uint(out, row, "session", s->id);
        sm_node_int(out, row, "first_step", s->first.n);
        sm_node_int(out, row, "last_step", s->last.n);
        sm_node_uint(out, row, "steps", s->steps);
        sm_node_double(
            out, row, "begin",
            (double)sm_step_clock_read_session(&clock, s->first, s->id, s->begin_us) / 1e6, false);
        sm_node_double(out, row, "end",
                       (double)sm_step_clock_read_session(&clock, s->last, s->id, s->end_us) / 1e6,
                       false);
    }
    if (clock.waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading the times of sessions");
    sm_result_listing(out, list, sessions_columns, COUNT(sessions_columns));
    return true;
}

const struct sm_cmd sm_cmd_info_sessions = {
    .parent = "info",
    .name = "sessions",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the runs of the job that wrote the trial (one per start)",
    .example = "info sessions",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{session:int,first_step:int,last_step:int,steps:int,begin:num,end:num}]",
    .run = run_info_sessions,
};
