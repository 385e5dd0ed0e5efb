/* SPDX-License-Identifier: Apache-2.0 */
/* Why the streams of GPUs are idle: the command profile idle. */
#include "tui/panes/pane_list.h"
#include "tui/trace_panes/trace_table.h"

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "stream", .header = "STREAM", .format = SM_COL_NUMBER},
    {.key = "idle_category", .header = "BECAUSE OF"},
    {.key = "idle_time", .header = "TIME", .format = SM_COL_DURATION},
    {.key = "gaps", .header = "GAPS", .format = SM_COL_NUMBER},
};

static void draw_idle(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                      struct sm_rect r, bool focused, struct sm_str *note)
{
    const struct sm_answer_view_look look = {
        .line = "profile idle",
        .columns = {columns, sizeof columns / sizeof *columns, 4},
        .nothing = "the traces have no work of GPUs"};
    sm_trace_table_draw(p, v, &look, g, r, focused, note);
}

const struct sm_pane_ops sm_pane_idle = {
    .name = "idle",
    .title = "idle GPUs",
    .help = "Why the streams of GPUs are idle: host_wait, the next kernel came too late; "
            "kernel_wait, it began at once; other. The command: profile idle.",
    SM_TRACE_TABLE_OPS,
    .wanted = sm_trace_has_gpu,
    .draw = draw_idle,
};
