/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a trace's GPUs by their time: the command profile kernels. */
#include "tui/panes/pane_list.h"
#include "tui/trace_panes/trace_table.h"

static const struct sm_column columns[] = {
    {.key = "sum", .header = "TOTAL", .format = SM_COL_DURATION},
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "share", .header = "SHARE-%", .format = SM_COL_NUMBER},
    {.key = "count", .header = "COUNT", .format = SM_COL_NUMBER},
    {.key = "name", .header = "KERNEL"},
};

static void draw_kernels(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    const struct sm_answer_view_look look = {
        .line = "profile kernels",
        .columns = {columns, sizeof columns / sizeof *columns, 0},
        .bar = "sum",
        .nothing = "the traces have no work of GPUs"};
    sm_trace_table_draw(p, v, &look, g, r, focused, note);
}

const struct sm_pane_ops sm_pane_kernels = {
    .name = "kernels",
    .title = "kernels",
    .help = "The kernels, copies and fills of the GPUs of a trace, by their time. A share is of "
            "all work of the rank. The command: profile kernels.",
    SM_TRACE_TABLE_OPS,
    .wanted = sm_trace_has_gpu,
    .draw = draw_kernels,
};
