/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/dashboard_feature.h"

static bool run_key(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard *d = sm_dashboard_shown(c->session);
    const char *at = sm_arena_xstrndup(&c->arena, c->raw.p, c->raw.n),
               *context = sm_call_next_word(c, &at), *key = sm_call_next_word(c, &at);
    (void)out;
    if (!*key)
        return sm_err_set(
            err, SM_ERR_USAGE,
            "Expected a context, a key and a command, as in: key everywhere X layout rules.");
    return !d || sm_dashboard_bind(d, context, key, at, err);
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
    .summary = "Bind a key of the dashboard to a command",
    .help = "The context selects the panes: everywhere, list, plot, value, or help. \"info keys\" "
            "shows the names of keys: a letter,\n"
            "Tab, Enter, F5, C-d. Without a command the key gets its initial action back. Without "
            "a dashboard the command does\n"
            "nothing, so an init file can use it.",
    .example = "key everywhere X layout rules",
    .see_also = "act",
    .args = key_args,
    .flags = SM_CMD_RAW,
    .run = run_key,
};
