/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/dashboard_feature.h"

#include <string.h>

static bool run_new_layout(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard *d = sm_dashboard_shown(c->session);
    const char *line = sm_arena_xstrndup(&c->arena, c->raw.p, c->raw.n);
    size_t n = strcspn(line, " \t");
    (void)out;
    if (!n || !line[n])
        return sm_err_set(
            err, SM_ERR_USAGE,
            "Expected a name and panes with weights, as in: tui new-layout two scalars 2 rules 1.");
    const char *name = sm_arena_xstrndup(&c->arena, line, n);
    return !d || sm_dashboard_new_layout(d, name, line + n, err);
}

static const struct sm_arg new_layout_args[] = {
    {.name = "NAME", .kind = SM_ARG_TEXT, .required = true},
    {.name = "PANE-AND-WEIGHT", .kind = SM_ARG_TEXT, .required = true, .repeats = true},
    {0},
};

const struct sm_cmd sm_cmd_tui_new_layout = {
    .parent = "tui",
    .name = "new-layout",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Define a layout: panes with weights, from top to bottom",
    .help = "Braces contain a nested split; with -horizontal first it goes from left to right. A "
            "pane of weight 0 has a few lines, and\n"
            "is visible only while it has contents. Layouts are saved for the next session.",
    .example = "tui new-layout two {-horizontal scalars 2 health 1} 3 rules 0",
    .see_also = "layout",
    .args = new_layout_args,
    .flags = SM_CMD_RAW,
    .run = run_new_layout,
};

static bool run_reset_layout(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard *d = sm_dashboard_needed(c, err);
    (void)out;
    return d && sm_dashboard_reset_layout(d, err);
}

const struct sm_cmd sm_cmd_tui_reset_layout = {
    .parent = "tui",
    .name = "reset-layout",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Reset the layout: sizes and hidden panes",
    .example = "tui reset-layout",
    .see_also = "winheight, pane",
    .run = run_reset_layout,
};

static bool run_enable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard_state *s = sm_dashboard_state(c->session);
    (void)out;
    if (!s->shown && !s->may_switch)
        return sm_err_set(err, SM_ERR_USAGE, "The dashboard needs a terminal.");
    s->next_frontend = s->shown ? SM_FRONTEND_SAME : SM_FRONTEND_DASHBOARD;
    return true;
}

const struct sm_cmd sm_cmd_tui_enable = {
    .parent = "tui",
    .name = "enable",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Go from the prompt to the dashboard",
    .help = "Trials, the current step and tensor, breakpoints, displays and settings are kept. The "
            "rest of a script runs first.",
    .example = "tui enable",
    .see_also = "layout",
    .flags = SM_CMD_NO_REPEAT,
    .run = run_enable,
};

static bool run_disable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard_state *s = sm_dashboard_state(c->session);
    (void)out;
    if (s->shown && !s->may_switch)
        return sm_err_set(err, SM_ERR_USAGE, "The keys come from a script, so there is no prompt.");
    s->next_frontend = s->shown ? SM_FRONTEND_PROMPT : SM_FRONTEND_SAME;
    return true;
}

const struct sm_cmd sm_cmd_tui_disable = {
    .parent = "tui",
    .name = "disable",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Go from the dashboard to the prompt",
    .help = "\"tui enable\" goes back.",
    .example = "tui disable",
    .see_also = "layout",
    .flags = SM_CMD_NO_REPEAT,
    .run = run_disable,
};

const struct sm_cmd sm_cmd_tui = {
    .name = "tui",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Commands for the dashboard",
};
