/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/shape.h"
#include "commands/judge/judge.h"
#include "commands/judge/session_events.h"
#include "reader/base/clock.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column events_columns[] = {
    {.key = "time", .header = "TIME", .format = SM_COL_TIME},   {.key = "rule", .header = "RULE"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER}, {.key = "text", .header = "WHAT"},
    {.key = "kind", .header = "KIND", .hidden = true},
};

/* What has no step, as a problem of a file, is at step -1 for programs. */
static void add_event(struct sm_result *out, struct sm_node *list, const struct sm_trial_event *e,
                      bool text)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_double(out, row, "time", (double)e->time_us / 1e6, false);
    sm_node_text(out, row, "rule", e->rule);
    sm_node_int_or_null(out, row, "step", !text || e->step >= 0, e->step);
    sm_node_text(out, row, "text", sm_arena_xstrndup(&out->arena, e->text, strlen(e->text)));
    sm_node_text(out, row, "kind", sm_trial_event_name(e->kind));
}

static bool run_info_events(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_trial_events events = {0};
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading %s", sm_trial_name(t));
    sm_session_events_read(c->session, sm_clock_wall_us(), &events);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < events.n; i++)
        add_event(out, list, &events.items[i], c->output == SM_OUTPUT_TEXT);
    sm_trial_events_clear(&events);
    sm_result_listing(out, list, events_columns, COUNT(events_columns));
    return true;
}

const struct sm_cmd sm_cmd_info_events = {
    .parent = "info",
    .name = "events",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Events of the trial and the session, newest first",
    .help = "Rules that fired in this session, and their actions; errors in the files, alerts that "
            "the program sent by its logger, sessions of the job, a stalled job, lost workers, and "
            "the end of the job.",
    .example = "info events",
    .see_also = "info problems, rule status",
    .flags = SM_CMD_LISTING,
    .answer = "[{time:num,rule:text?,step:int,text:text,kind:text}]",
    .run = run_info_events,
};
