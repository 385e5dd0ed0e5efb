/* layout, focus, act, screen, tui, key: the dashboard by commands. */
#include "commands/session/front.h"
#include "commands/session/outfile.h"
#include "commands/support/support.h"

#include <string.h>

static const struct sm_front_ops *front_of(const struct sm_call *c, struct sm_err *err)
{
    if (!c->session->front)
        sm_err_set(err, SM_ERR_USAGE, "There is no dashboard here: %s.",
                   c->session->may_switch ? "\"tui enable\" shows it" : "start with --tui");
    return c->session->front;
}

static const char *word_at(struct sm_call *c, size_t i)
{
    return sm_arena_xstrndup(&c->arena, c->words[i].text.p, c->words[i].text.n);
}

/* ---- layout ---- */

static bool run_layout(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_front_ops *f = front_of(c, err);
    (void)out;
    return f && f->layout(c->session->front_ctx, word_at(c, 0), err);
}

static const char *const layouts[] = {"main", "plots", "value", "rules", "health", "compare",
                                      "run",  "cmd",   "next",  "prev",  NULL};
static const struct sm_arg layout_args[] = {
    {.name = "NAME", .kind = SM_ARG_TEXT, .required = true, .words = layouts}, {0}};

const struct sm_cmd sm_cmd_layout = {
    .name = "layout",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Show other panes: main, plots, value, rules, health, compare, run, cmd",
    .help = "next and prev go through them, also those that \"tui new-layout\" made. The last one "
            "is there again the next time.",
    .example = "layout plots",
    .see_also = "focus tui",
    .args = layout_args,
    .run = run_layout,
};

/* ---- focus ---- */

static bool run_focus(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_front_ops *f = front_of(c, err);
    (void)out;
    return f && f->focus(c->session->front_ctx, word_at(c, 0), err);
}

static const char *const panes[] = {"tensors", "scalars", "value",   "rules",   "events",
                                    "health",  "steps",   "workers", "sources", "cmd",
                                    "runs",    "diff",    "next",    "prev",    NULL};
static const struct sm_arg focus_args[] = {
    {.name = "PANE", .kind = SM_ARG_TEXT, .required = true, .words = panes}, {0}};

const struct sm_cmd sm_cmd_focus = {
    .name = "focus",
    .aliases = "fs",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Go to a pane by its name, or to the next or prev one",
    .help = "A pane that the layout does not have gets all the room; Esc goes back.",
    .example = "focus events",
    .see_also = "layout act",
    .args = focus_args,
    .run = run_focus,
};

/* ---- act ---- */

static bool run_act(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_front_ops *f = front_of(c, err);
    (void)out;
    return f && f->act(c->session->front_ctx, word_at(c, 0), err);
}

static const struct sm_arg act_args[] = {{.name = "ACTION", .kind = SM_ARG_TEXT, .required = true},
                                         {0}};

const struct sm_cmd sm_cmd_act = {
    .name = "act",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Do what a key does, by the name of the action",
    .help = "\"info keys\" lists the actions with their keys.",
    .example = "act next-problem",
    .see_also = "key focus",
    .args = act_args,
    .run = run_act,
};

/* ---- screen ---- */

static bool run_save(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_front_ops *f = front_of(c, err);
    struct sm_str path = {0};
    if (c->session->readonly)
        return sm_err_set(err, SM_ERR_REFUSED, "screen save writes a file: --readonly forbids it.");
    bool ok = f && sm_outfile_path(c->session, word_at(c, 0), &path, err) &&
              f->save(c->session->front_ctx, sm_str_text(&path), err);
    if (ok)
        sm_result_text(out, "The screen is in %s.",
                       sm_result_escape(out, sm_str_text(&path), path.len));
    sm_str_clear(&path);
    return ok;
}

static const struct sm_arg save_args[] = {{.name = "FILE", .kind = SM_ARG_FILE, .required = true},
                                          {0}};

const struct sm_cmd sm_cmd_screen_save = {
    .parent = "screen",
    .name = "save",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Write the screen to a file: .svg picture, .ansi with colours, or text",
    .example = "screen save run.svg",
    .args = save_args,
    .run = run_save,
};

const struct sm_cmd sm_cmd_screen = {
    .name = "screen",
    .cmd_class = SM_CLASS_TUI,
    .summary = "The screen as it is",
};

/* ---- tui ---- */

static bool run_new_layout(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_front_ops *f = c->session->front;
    const char *line = sm_arena_xstrndup(&c->arena, c->raw.p, c->raw.n);
    size_t n = strcspn(line, " \t");
    (void)out;
    if (!n || !line[n])
        return sm_err_set(err, SM_ERR_USAGE,
                          "tui new-layout needs a name and panes with weights: tui new-layout two "
                          "scalars 2 rules 1.");
    const char *name = sm_arena_xstrndup(&c->arena, line, n);
    return !f || f->new_layout(c->session->front_ctx, name, line + n, err);
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
    const struct sm_front_ops *f = front_of(c, err);
    (void)out;
    return f && f->reset_layout(c->session->front_ctx, err);
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
    struct sm_session *s = c->session;
    (void)out;
    if (!s->front && !s->may_switch)
        return sm_err_set(err, SM_ERR_USAGE, "The dashboard is for a person at a terminal.");
    s->wanted = s->front ? SM_FRONT_THIS : SM_FRONT_DASHBOARD;
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
    struct sm_session *s = c->session;
    (void)out;
    if (s->front && !s->may_switch)
        return sm_err_set(err, SM_ERR_USAGE,
                          "The keys come from a script: there is no prompt to go to.");
    s->wanted = s->front ? SM_FRONT_PROMPT : SM_FRONT_THIS;
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

/* ---- key ---- */

static bool run_key(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_front_ops *f = c->session->front;
    const char *at = sm_arena_xstrndup(&c->arena, c->raw.p, c->raw.n),
               *context = sm_call_take(c, &at), *key = sm_call_take(c, &at);
    (void)out;
    if (!*key)
        return sm_err_set(
            err, SM_ERR_USAGE,
            "key needs a context, a key and a command: key everywhere X layout rules.");
    return !f || f->bind(c->session->front_ctx, context, key, at, err);
}

static const char *const contexts[] = {"everywhere", "list", "plot", "value", "help", NULL};
static const struct sm_arg key_args[] = {
    {.name = "CONTEXT", .kind = SM_ARG_WORD, .required = true, .words = contexts},
    {.name = "KEY", .kind = SM_ARG_TEXT, .required = true},
    {.name = "COMMAND", .kind = SM_ARG_COMMAND, .repeats = true},
    {0},
};

const struct sm_cmd sm_cmd_key = {
    .name = "key",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Let a key of the dashboard run a command",
    .help = "The context says in which panes: everywhere, list, plot, value, or help. Keys are "
            "named as \"info keys\" names them: a\n"
            "letter, Tab, Enter, F5, C-d. Without a command the key does again what it did at "
            "first. Where there is no dashboard\n"
            "nothing happens, so that an init file can have it.",
    .example = "key everywhere X layout rules",
    .see_also = "act",
    .args = key_args,
    .flags = SM_CMD_RAW,
    .run = run_key,
};
