/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a trace with their waits for data: the command profile steps. */
#include "tui/panes/pane_list.h"
#include "tui/trace_panes/trace_table.h"

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "dur", .header = "DURATION", .format = SM_COL_DURATION},
    {.key = "dataloader", .header = "LOADER", .format = SM_COL_DURATION},
    {.key = "dataloader_pctg", .header = "%", .format = SM_COL_NUMBER},
};

static void draw_trace_steps(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                             struct sm_rect r, bool focused, struct sm_str *note)
{
    const struct sm_answer_view_look look = {
        .line = "profile steps",
        .columns = {columns, sizeof columns / sizeof *columns, 4},
        .nothing = "no steps: no annotation ProfilerStep#N"};
    sm_trace_table_draw(p, v, &look, g, r, focused, note);
}

const struct sm_pane_ops sm_pane_trace_steps = {
    .name = "trace-steps",
    .title = "steps of the trace",
    .help = "How long the steps of a trace take, and how long each waits for the data loader. "
            "The command: profile steps.",
    SM_TRACE_TABLE_OPS,
    .draw = draw_trace_steps,
};
