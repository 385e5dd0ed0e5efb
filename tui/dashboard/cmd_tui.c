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
        return sm_err_set(err, SM_ERR_USAGE,
                          "tui new-layout needs a name and panes with weights: tui new-layout two "
                          "scalars 2 rules 1.");
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
    .help = "In braces stands a split of its own; one that begins with -horizontal goes from left "
            "to right. A pane of weight 0 has a\n"
            "few lines, and only while it has something to say. The layouts made so are there "
            "again the next time.",
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
    .summary = "Make the layout as it was: sizes, and which panes are to be seen",
    .example = "tui reset-layout",
    .see_also = "winheight pane",
    .run = run_reset_layout,
};

static bool run_enable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard_state *s = sm_dashboard_state(c->session);
    (void)out;
    if (!s->shown && !s->may_switch)
        return sm_err_set(err, SM_ERR_USAGE, "The dashboard is for a person at a terminal.");
    s->wanted = s->shown ? SM_FRONT_THIS : SM_FRONT_DASHBOARD;
    return true;
}

const struct sm_cmd sm_cmd_tui_enable = {
    .parent = "tui",
    .name = "enable",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Go from the prompt to the dashboard",
    .help = "Trials, current point, breakpoints, displays and settings stay. What is left of a "
            "script runs first.",
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
        return sm_err_set(err, SM_ERR_USAGE,
                          "The keys come from a script: there is no prompt to go to.");
    s->wanted = s->shown ? SM_FRONT_PROMPT : SM_FRONT_THIS;
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
    .summary = "The dashboard's own matters",
};
