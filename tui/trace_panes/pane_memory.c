/* SPDX-License-Identifier: Apache-2.0 */
/* What the allocators gave out: the command profile memory. */
#include "tui/panes/pane_list.h"
#include "tui/trace_panes/trace_table.h"

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "device_id", .header = "GPU", .format = SM_COL_NUMBER},
    {.key = "peak_allocated", .header = "PEAK", .format = SM_COL_BYTES},
    {.key = "peak_reserved", .header = "RESERVED", .format = SM_COL_BYTES},
    {.key = "end_active", .header = "AT THE END", .format = SM_COL_BYTES},
    {.key = "events", .header = "EVENTS", .format = SM_COL_NUMBER},
};

static void draw_memory(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r, bool focused, struct sm_str *note)
{
    const struct sm_answer_view_look look = {
        .line = "profile memory",
        .columns = {columns, sizeof columns / sizeof *columns, 4},
        .bar = "peak_allocated",
        .nothing = "no memory: profile_memory=True records it"};
    sm_trace_table_draw(p, v, &look, g, r, focused, note);
}

const struct sm_pane_ops sm_pane_memory = {
    .name = "memory",
    .title = "memory",
    .help = "The peaks of what the allocators gave out and had reserved, of each snapshot of "
            "CUDA memory or each device of a trace. Who held it: the command profile memory.",
    SM_TRACE_TABLE_OPS,
    .draw = draw_memory,
};
