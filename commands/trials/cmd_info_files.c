/* SPDX-License-Identifier: Apache-2.0 */
/* info files: the index and event files of the trial. */
#include "commands/answer/shape.h"
#include "commands/place/place.h"
#include "commands/trials/trials.h"
#include "reader/format/location.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column files_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "worker", .header = "WORKER"},
    {.key = "entries", .header = "ENTRIES", .format = SM_COL_NUMBER},
    {.key = "index", .header = "INDEX FILE"},
    {.key = "events", .header = "EVENT FILE"},
};

static bool run_info_files(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_step only = {-1};
    if (sm_call_keyword(c, "step") && !sm_place_step(c, sm_place_all(c->session, SM_MODE_ANY),
                                                     sm_call_keyword(c, "step")->text, &only, err))
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    struct sm_str path = {0};
    for (size_t i = 0; i < sm_trial_step_count(t); i++) {
        const struct sm_part *p;
        for (p = sm_trial_step_part(t, i, 0); p; p = sm_trial_next_part(t, p)) {
            if (only.n >= 0 && p->step.n != only.n)
                continue;
            struct sm_node *row = sm_node_map(out, list, NULL);
            sm_node_int(out, row, "step", p->step.n);
            sm_node_text(out, row, "worker", sm_trial_worker(t, p->worker));
            sm_node_uint(out, row, "entries", p->entries);
            sm_str_truncate(&path, 0);
            sm_location_index(&path, p->step.n, sm_trial_worker(t, p->worker));
            sm_node_text(out, row, "index", sm_str_text(&path));
            sm_node_text(out, row, "events", sm_trial_event_path(t, p));
        }
    }
    sm_str_clear(&path);
    sm_result_listing(out, list, files_columns, COUNT(files_columns));
    return true;
}

static const struct sm_arg step_args[] = {{.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},
                                          {0}};
const struct sm_cmd sm_cmd_info_files = {
    .parent = "info",
    .name = "files",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the index and event files, by step and worker",
    .example = "info files step 10",
    .args = step_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{step:int,worker:name,entries:int,index:name?,events:name?}]",
    .run = run_info_files,
};
