/* SPDX-License-Identifier: Apache-2.0 */
/* winheight, winwidth: set the size of a pane of the dashboard. */
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/dashboard_feature.h"

static bool resize(struct sm_call *c, bool columns, struct sm_err *err)
{
    struct sm_dashboard *d = sm_dashboard_shown(c->session);
    const char *at = sm_arena_xstrndup(&c->arena, c->raw.p, c->raw.n),
               *pane = sm_call_next_word(c, &at), *by = sm_call_next_word(c, &at);
    if (!*by)
        return sm_err_set(err, SM_ERR_USAGE,
                          columns ? "Expected a pane and columns, as in: winwidth tensors +10."
                                  : "Expected a pane and lines, as in: winheight value -3.");
    if (*at)
        return sm_err_set(err, SM_ERR_USAGE, "Too many arguments: \"%s\".  Try \"help %s\".", at,
                          c->cmd->name);
    return !d || sm_dashboard_resize(d, pane, columns, by, err);
}

static bool run_winheight(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return resize(c, false, err);
}

static bool run_winwidth(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return resize(c, true, err);
}

static const struct sm_arg win_args[] = {
    {.name = "PANE", .kind = SM_ARG_WORD, .required = true, .words = sm_pane_words},
    {.name = "SIZE", .kind = SM_ARG_TEXT, .required = true},
    {0},
};

const struct sm_cmd sm_cmd_winheight = {
    .name = "winheight",
    .aliases = "wh",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Set the height of a pane: N, +N or -N",
    .help = "\"winheight value 12\" sets twelve lines including the frame, \"winheight value +3\" "
            "adds three lines. The next pane changes\n"
            "first, and each pane keeps its minimum size. The layout is saved for the next "
            "session; \"tui reset-layout\" resets it.\n"
            "With the mouse on, a border between panes can be dragged.",
    .example = "winheight value +3",
    .see_also = "winwidth, layout, tui",
    .args = win_args,
    .flags = SM_CMD_RAW,
    .run = run_winheight,
};

const struct sm_cmd sm_cmd_winwidth = {
    .name = "winwidth",
    .aliases = "ww",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Set the width of a pane: N, +N or -N",
    .help = "Like winheight, for columns.",
    .example = "winwidth tensors +10",
    .see_also = "winheight, layout, tui",
    .args = win_args,
    .flags = SM_CMD_RAW,
    .run = run_winwidth,
};
