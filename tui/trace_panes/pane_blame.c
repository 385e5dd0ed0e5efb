/* SPDX-License-Identifier: Apache-2.0 */
/* Which rank the others wait for: the command profile blame ranks. */
#include "tui/panes/pane_list.h"
#include "tui/trace_panes/trace_table.h"

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "blame", .header = "BLAMED", .format = SM_COL_DURATION},
    {.key = "suffered", .header = "WAITS", .format = SM_COL_DURATION},
    {.key = "root_blame", .header = "FIRST", .format = SM_COL_DURATION},
};

static void draw_blame(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                       struct sm_rect r, bool focused, struct sm_str *note)
{
    const struct sm_answer_view_look look = {
        .line = "profile blame ranks",
        .columns = {columns, sizeof columns / sizeof *columns, 3},
        .nothing = "one rank only: nobody waits for another"};
    sm_trace_table_draw(p, v, &look, g, r, focused, note);
}

const struct sm_pane_ops sm_pane_blame = {
    .name = "blame",
    .title = "who waits for whom",
    .help = "How long the others wait for each rank in collective operations, how long it waits "
            "itself, and what of the waits it has caused first. The command: profile blame "
            "ranks.",
    SM_TRACE_TABLE_OPS,
    .wanted = sm_trace_has_ranks,
    .draw = draw_blame,
};
