#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/dashboard_feature.h"

static bool run_key(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard *d = sm_dashboard_shown(c->session);
    const char *at = sm_arena_xstrndup(&c->arena, c->raw.p, c->raw.n),
               *context = sm_call_take(c, &at), *key = sm_call_take(c, &at);
    (void)out;
    if (!*key)
        return sm_err_set(
            err, SM_ERR_USAGE,
            "key needs a context, a key and a command: key everywhere X layout rules.");
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
