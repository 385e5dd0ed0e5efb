/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/dashboard_feature.h"

static bool run_focus(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard *d = sm_dashboard_needed(c, err);
    (void)out;
    return d && sm_dashboard_focus(d, sm_dashboard_word(c, 0), err);
}

static const struct sm_arg focus_args[] = {
    {.name = "PANE", .kind = SM_ARG_TEXT, .required = true, .words = sm_pane_or_next_words}, {0}};

const struct sm_cmd sm_cmd_focus = {
    .name = "focus",
    .aliases = "fs",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Focus a pane by its name, or next, or prev",
    .help = "A pane that is not in the layout is zoomed; Esc goes back.",
    .example = "focus events",
    .see_also = "layout, act",
    .args = focus_args,
    .run = run_focus,
};
