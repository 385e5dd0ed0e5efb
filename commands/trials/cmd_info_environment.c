/* SPDX-License-Identifier: Apache-2.0 */
/* info environment: the environment variables that the debugger reads, and the terminal. */
#include "commands/answer/shape.h"
#include "commands/session/version.h"
#include "commands/trials/trials.h"

#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "value", .header = "VALUE"},
    {.key = "help", .header = "DECIDES", .wraps = true},
};

static const struct {
    const char *name, *help;
} variables[] = {
    {"LC_ALL", "characters and their width"},
    {"LC_CTYPE", "the same, if LC_ALL is not set"},
    {"LANG", "the same, if neither is set"},
    {"TERM", "the type of the terminal; the dashboard needs a known type"},
    {"COLORTERM", "truecolor or 24bit: all colours"},
    {"NO_COLOR", "not empty: no colours"},
    {"CLICOLOR_FORCE", "not 0: colours also without a terminal"},
    {"COLUMNS", "width of answers in a batch"},
    {"SSH_CONNECTION", "set: the screen follows new data less often"},
    {"TMUX", "set: sixel and kitty graphics only on request"},
    {"HOME", "init file, rules, history"},
    {"XDG_CONFIG_HOME", "init file, rules, layouts, keys; $HOME/.config"},
    {"XDG_STATE_HOME", "history and the state of the dashboard; $HOME/.local/state"},
    {"SMDBG_HISTFILE", "the history file"},
    {"SMDBG_HISTSIZE", "maximum number of history lines"},
    {"SMDEBUG_OUT", "the trial to open if none is given and ./debug-output does not exist"},
};

static void add_row(struct sm_result *out, struct sm_node *list, const char *name,
                    const char *value, const char *help)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "name", name);
    sm_node_text(out, row, "value", value);
    sm_node_text(out, row, "help", help);
}

static void add_terminal(struct sm_result *out, struct sm_node *list, const struct sm_session *s)
{
    static const char *const depths[] = {[SM_COLOR_MONO] = "none",
                                         [SM_COLOR_16] = "16",
                                         [SM_COLOR_256] = "256",
                                         [SM_COLOR_TRUE] = "24 bits"};
    const char *size =
        s->term.w > 0 ? sm_arena_xprintf(&out->arena, "%dx%d", s->term.w, s->term.h) : NULL;
    add_row(out, list, "version", SMDBG_VERSION, "of the debugger");
    add_row(out, list, "terminal", s->term.on_tty ? "yes" : "no",
            "whether the output is a terminal");
    add_row(out, list, "size", size, "of the terminal: columns x lines");
    add_row(out, list, "colours", depths[s->term.depth], "of the terminal");
    add_row(out, list, "characters", s->term.utf8 ? "UTF-8" : "other",
            "of the locale; decides how plots are drawn");
}

static bool run_info_environment(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    (void)err;
    add_terminal(out, list, c->session);
    for (size_t i = 0; i < COUNT(variables); i++)
        add_row(out, list, variables[i].name, getenv(variables[i].name), variables[i].help);
    sm_result_listing(out, list, columns, COUNT(columns));
    return true;
}

const struct sm_cmd sm_cmd_info_environment = {
    .parent = "info",
    .name = "environment",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show the environment variables of the debugger, and the terminal",
    .example = "info environment",
    .see_also = "info, show",
    .flags = SM_CMD_LISTING,
    .answer = "[{name:text,value:text?,help:text}]",
    .run = run_info_environment,
};
