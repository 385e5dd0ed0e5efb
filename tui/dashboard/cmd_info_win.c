/* SPDX-License-Identifier: Apache-2.0 */
/* info win: the visible panes of the dashboard and their sizes. */
#include "commands/answer/shape.h"
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/dashboard_feature.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "lines", .header = "LINES", .format = SM_COL_NUMBER},
    {.key = "columns", .header = "COLUMNS", .format = SM_COL_NUMBER},
    {.key = "focus", .header = "FOCUS"},
};

static bool run_info_win(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard *d = sm_dashboard_shown(c->session);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    struct sm_dashboard_window w;
    (void)err;
    for (size_t i = 0; d && sm_dashboard_window(d, i, &w); i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "name", w.name);
        sm_node_int(out, row, "lines", w.lines);
        sm_node_int(out, row, "columns", w.columns);
        sm_node_text(out, row, "focus", w.focused ? "(has focus)" : "");
    }
    sm_result_listing(out, list, columns, COUNT(columns));
    if (!d)
        sm_result_dim(out, "The TUI is not active.");
    return true;
}

const struct sm_cmd sm_cmd_info_win = {
    .parent = "info",
    .name = "win",
    .cmd_class = SM_CLASS_TUI,
    .summary = "List the visible panes of the dashboard and their sizes",
    .help = "Lines and columns include the frame, as in winheight and winwidth.",
    .example = "info win",
    .see_also = "layout, winheight, focus",
    .flags = SM_CMD_LISTING,
    .answer = "[{name:text,lines:int,columns:int,focus:text}]",
    .run = run_info_win,
};
