/* SPDX-License-Identifier: Apache-2.0 */
/* The operators of a trace by their own time: the command profile ops. */
#include "tui/panes/pane_list.h"
#include "tui/trace_panes/trace_table.h"

static const struct sm_column columns[] = {
    {.key = "self_cpu_time", .header = "SELF", .format = SM_COL_DURATION},
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "cpu_time", .header = "TOTAL", .format = SM_COL_DURATION},
    {.key = "count", .header = "COUNT", .format = SM_COL_NUMBER},
    {.key = "name", .header = "OPERATOR"},
};

static void draw_trace_ops(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                           struct sm_rect r, bool focused, struct sm_str *note)
{
    const struct sm_answer_view_look look = {
        .line = "profile ops",
        .columns = {columns, sizeof columns / sizeof *columns, 0},
        .bar = "self_cpu_time",
        .nothing = "the traces have no operators"};
    sm_trace_table_draw(p, v, &look, g, r, focused, note);
}

const struct sm_pane_ops sm_pane_trace_ops = {
    .name = "trace-ops",
    .title = "operators",
    .help = "The operators of a trace by the time that they take themselves. The command: "
            "profile ops.",
    SM_TRACE_TABLE_OPS,
    .draw = draw_trace_ops,
};
