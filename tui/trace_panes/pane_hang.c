/* SPDX-License-Identifier: Apache-2.0 */
/* Which rank and operation a job hangs in: the command hang. */
#include "tui/panes/pane_list.h"
#include "tui/trace_panes/trace_table.h"

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "role", .header = "ROLE"},
    {.key = "process_group", .header = "GROUP"},
    {.key = "collective_seq_id", .header = "SEQ", .format = SM_COL_NUMBER},
    {.key = "profiling_name", .header = "LAST OPERATION"},
    {.key = "state", .header = "STATE"},
    {.key = "stack", .header = "CALLED AT"},
};

/* Who is at fault stands out; the column ROLE says it, too. */
static enum sm_role role_of(const struct sm_node *row, const struct sm_column *c)
{
    const struct sm_node *role = sm_node_get(row, "role");
    bool fault = role && role->text.p && sm_text_is(role->text, "at fault");
    (void)c;
    return fault ? SM_ROLE_PROBLEM : SM_ROLE_TEXT;
}

static void draw_hang(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                      struct sm_rect r, bool focused, struct sm_str *note)
{
    const struct sm_answer_view_look look = {
        .line = "hang",
        .columns = {columns, sizeof columns / sizeof *columns, 0},
        .nothing = "no rank has a dump"};
    ((struct sm_answer_view *)p->state)->table.role = role_of;
    sm_trace_table_draw(p, v, &look, g, r, focused, note);
}

const struct sm_pane_ops sm_pane_hang = {
    .name = "hang",
    .title = "ranks that hang",
    .help = "The ranks of a job with their last collective operations, as their dumps of the "
            "flight recorder have them: who waits, and who is at fault. The command: hang.",
    SM_TRACE_TABLE_OPS,
    .draw = draw_hang,
};
