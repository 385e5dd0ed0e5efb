/* SPDX-License-Identifier: Apache-2.0 */
/* info workers: the progress of each worker. */
#include "commands/answer/shape.h"
#include "commands/trials/trials.h"
#include "reader/analysis/workers.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column workers_columns[] = {
    {.key = "worker", .header = "WORKER"},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "first_step", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last_step", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "ended", .header = "ENDED"},
    {.key = "behind", .header = "BEHIND", .text_only = true},
};

/* text: adds the number of steps that the worker is behind, as "5: lost". */
static void add_worker(struct sm_result *out, struct sm_node *list, const struct sm_trial *t,
                       const struct sm_worker_progress *w, bool text)
{
    bool ended = sm_trial_state(t) == SM_TRIAL_ENDED;
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "worker", sm_trial_worker(t, w->worker));
    sm_node_uint(out, row, "steps", w->steps);
    sm_node_int_or_null(out, row, "first_step", w->steps > 0, w->first);
    sm_node_int_or_null(out, row, "last_step", w->steps > 0, w->last);
    /* the end marker is for all workers: a lost worker has not ended */
    sm_node_bool(out, row, "ended", ended && w->steps && !w->behind);
    if (text && w->behind)
        sm_node_text(out, row, "behind",
                     sm_arena_xprintf(&out->arena, "%zu%s", w->behind, w->lost ? ": lost" : ""));
}

static bool run_info_workers(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_workers workers = {0};
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    sm_workers_read(t, &workers);
    for (size_t i = 0; i < workers.n; i++)
        add_worker(out, list, t, &workers.items[i], c->output == SM_OUTPUT_TEXT);
    sm_result_listing(out, list, workers_columns, COUNT(workers_columns) - !workers.behind);
    sm_workers_clear(&workers);
    return true;
}

const struct sm_cmd sm_cmd_info_workers = {
    .parent = "info",
    .name = "workers",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the workers and the steps that each has written",
    .example = "info workers",
    .see_also = "doctor",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{worker:name,steps:int,first_step:int?,last_step:int?,ended:bool}]",
    .run = run_info_workers,
};
