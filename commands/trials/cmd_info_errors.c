/* SPDX-License-Identifier: Apache-2.0 */
/* info errors: damaged files and records of the trial. */
#include "commands/answer/shape.h"
#include "commands/trials/trials.h"
#include "reader/profile/profile.h"
#include "reader/trace/trace_set.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column errors_columns[] = {
    {.key = "file", .header = "FILE", .wraps = true},
    {.key = "offset", .header = "OFFSET", .format = SM_COL_NUMBER},
    {.key = "times", .header = "TIMES", .format = SM_COL_NUMBER},
    {.key = "message", .header = "MESSAGE", .wraps = true},
};

static bool run_info_errors(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_profile *profile = sm_trial_profile(t);
    if (profile && !sm_profile_is_read(profile))
        return sm_err_set(err, SM_ERR_WAIT, "reading the profile, %d %%",
                          sm_profile_percent(profile));
    if (!sm_trace_set_ready(sm_trial_traces(t), err))
        return false;
    const struct sm_problems *p = sm_trial_problems(t);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < p->n; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "file", p->items[i].file);
        sm_node_int_or_null(out, row, "offset", p->items[i].offset >= 0, p->items[i].offset);
        sm_node_uint(out, row, "times", p->items[i].times);
        sm_node_text(out, row, "message", p->items[i].message);
    }
    sm_result_listing(out, list, errors_columns, COUNT(errors_columns));
    if (!p->total)
        sm_result_dim(out, "No errors found.");
    return true;
}

const struct sm_cmd sm_cmd_info_errors = {
    .parent = "info",
    .name = "errors",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the damaged files and records found so far",
    .help = "A profile and traces are read whole first; values are read when they are asked for.",
    .example = "info errors",
    .see_also = "doctor",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{file:name,offset:int?,times:int,message:text}]",
    .run = run_info_errors,
};
