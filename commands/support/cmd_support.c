/* set, source, echo, shell, pipe, complete, quit. */
#include "commands/language/command_line.h"
#include "commands/language/tokens.h"
#include "commands/place/evaluate.h"
#include "commands/run/exec.h"
#include "commands/run/logging.h"
#include "commands/support/complete.h"
#include "commands/support/support.h"

#include <ctype.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The words of a raw text; in the call's arena. */
static bool split_words(struct sm_call *c, struct sm_word **words, size_t *n, struct sm_err *err)
{
    size_t at = 0, most = c->raw.n / 2 + 2;
    struct sm_err e = {0};
    *words = sm_arena_xalloc(&c->arena, most * sizeof **words);
    *n = 0;
    while (sm_line_word(c->raw.p, c->raw.n, &at, &c->arena, &(*words)[*n], &e))
        ++*n;
    return e.code == SM_OK || sm_err_set(err, e.code, "%s", e.msg);
}

/* ---- set ---- */

/* "$lr = 0.1", "$lr" alone makes it void. */
static bool set_variable(struct sm_call *c, struct sm_err *err)
{
    const char *p = c->raw.p + 1;
    struct sm_value v = {0};
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    const char *name = sm_arena_xstrndup(&c->arena, p, n), *rest = p + n + strspn(p + n, " \t");
    if (!n || isdigit((unsigned char)name[0]) || name[0] == '_')
        return sm_err_set(err, SM_ERR_USAGE, "\"$%s\" cannot be set.", name);
    if (*rest == '=') {
        struct sm_text text = sm_text(rest + 1);
        if (!sm_evaluate(c, text, &v, err))
            return false;
        if (v.type == SM_UNAVAILABLE) {
            sm_err_set(err, SM_ERR_MISSING, "%.*s", (int)v.text.n, v.text.p);
            sm_value_clear(&v);
            return false;
        }
    } else if (*rest) {
        return sm_err_set(err, SM_ERR_USAGE, "\"=\" expected after \"$%s\".", name);
    }
    sm_session_set_variable(c->session, name, &v);
    sm_value_clear(&v);
    return true;
}

/* "set logging" begins and ends at once, and says so. */
static bool log_as_set(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_str said = {0};
    bool ok = sm_logging_sync(c->session, &said, err);
    if (ok && said.len)
        sm_result_text(out, "%s", sm_result_escape(out, said.data, said.len));
    sm_str_clear(&said);
    return ok;
}

static bool run_set(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_word *words;
    size_t n, used;
    if (c->raw.p[0] == '$')
        return set_variable(c, err);
    if (!split_words(c, &words, &n, err))
        return false;
    const char **names = sm_arena_xalloc(&c->arena, (n + 1) * sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = words[i].text.p;
    const struct sm_setting *row =
        sm_setting_find(&c->session->settings, "set", names, n, &used, err);
    if (!row)
        return false;
    if (c->line_redirected)
        return sm_err_set(err, SM_ERR_USAGE,
                          "set answers nothing that \"|\" or \">\" could take: put the value in "
                          "quotes if they belong to it.");
    /* one word without its quotes; several as they stand */
    const char *value = NULL;
    if (used + 1 == n)
        value = words[used].text.p;
    else if (used < n)
        value = c->raw.p + words[used].column - 1;
    return sm_setting_set(&c->session->settings, row, value, err) && log_as_set(c, out, err);
}

static const struct sm_arg set_args[] = {
    {.name = "NAME", .kind = SM_ARG_SETTING, .required = true},
    {.name = "VALUE", .kind = SM_ARG_EXPR},
    {0},
};
const struct sm_cmd sm_cmd_set = {
    .name = "set",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Change a setting, or give a variable a value",
    .help = "\"set NAME VALUE\" changes a setting; on and off need no value to mean on. \"info "
            "settings\" lists them.\n"
            "\"set $name = EXPR\" makes a variable for expressions.",
    .example = "set print precision 4",
    .see_also = "show info",
    .args = set_args,
    .flags = SM_CMD_RAW,
    .run = run_set,
};

/* ---- source, echo, shell, pipe ---- */

static bool run_source(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return sm_exec_source(c->exec, c->words[0].text.p, sm_call_flag(c, "v"), c->words + 1,
                          c->n_words - 1, err);
}

static const struct sm_arg source_args[] = {
    {.name = "FILE", .kind = SM_ARG_FILE, .required = true},
    {.name = "ARG", .kind = SM_ARG_TEXT, .repeats = true},
    {0},
};
static const struct sm_option source_options[] = {
    {.name = "v", .kind = SM_ARG_FLAG, .help = "print each command before it runs"},
    {0},
};
const struct sm_cmd sm_cmd_source = {
    .name = "source",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Run the commands in a file",
    .help = "The lines see the arguments as $arg0, $arg1 ... and their number as $argc. A failing "
            "line ends the script\n"
            "unless it begins with \"-\".",
    .example = "source check.smdbg conv0_weight",
    .see_also = "set",
    .args = source_args,
    .options = source_options,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_source,
};

/* A quoted word without its quotes, in front of nothing but "\\n" and the like. */
static bool add_quoted(struct sm_text raw, struct sm_arena *arena, struct sm_str *out)
{
    struct sm_reader r = {.p = raw.p, .n = raw.n, .arena = arena};
    if (!raw.n || (raw.p[0] != '"' && raw.p[0] != '\''))
        return false;
    bool ok = sm_reader_quoted(&r, out, NULL);
    for (size_t i = r.at; ok && i < raw.n; i++)
        ok = !isspace((unsigned char)raw.p[i]) && raw.p[i] != '"' && raw.p[i] != '\'';
    if (ok)
        sm_line_unescape(out, raw.p + r.at, raw.n - r.at);
    return ok;
}

/* C escapes as in gdb. */
static bool run_echo(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    struct sm_str text = {0};
    if (!add_quoted(c->raw, &c->arena, &text)) {
        sm_str_truncate(&text, 0);
        sm_line_unescape(&text, c->raw.p, c->raw.n);
    }
    sm_result_piece(out, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return true;
}

static const struct sm_arg echo_args[] = {{.name = "TEXT", .kind = SM_ARG_TEXT}, {0}};
const struct sm_cmd sm_cmd_echo = {
    .name = "echo",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Print a text, with the escapes of C",
    .help = "A line ends where \\n stands; what is printed next goes on behind it otherwise.",
    .example = "echo step\\tloss\\n",
    .see_also = "print",
    .args = echo_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT,
    .run = run_echo,
};

static bool run_shell(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    int status;
    (void)out;
    return sm_exec_shell(c->exec, c->raw.n ? c->raw.p : "${SHELL:-/bin/sh}", NULL, 0, &status, err);
}

static const struct sm_arg shell_args[] = {{.name = "COMMAND", .kind = SM_ARG_TEXT}, {0}};
const struct sm_cmd sm_cmd_shell = {
    .name = "shell",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Run a shell command (also \"!COMMAND\"), or a shell",
    .help = "Its exit status is in $_shell_exitcode.",
    .example = "shell nvidia-smi",
    .see_also = "pipe",
    .args = shell_args,
    .flags = SM_CMD_RAW | SM_CMD_SHELL | SM_CMD_NO_REPEAT,
    .run = run_shell,
};

/* "CMD | SHELL" is run as a line; -d names another separator. */
static bool run_pipe(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_word *d = sm_call_option(c, "d");
    const char *separator = d ? d->text.p : "|", *at = strstr(c->raw.p, separator);
    (void)out;
    if (!*separator || !at || at == c->raw.p || !at[strlen(separator)])
        return sm_err_set(err, SM_ERR_USAGE, "Usage: pipe COMMAND %s SHELL_COMMAND",
                          *separator ? separator : "|");
    sm_exec_next(c->exec, sm_arena_xprintf(&c->arena, "%.*s | %s", (int)(at - c->raw.p), c->raw.p,
                                           at + strlen(separator)));
    return true;
}

static const struct sm_arg pipe_args[] = {
    {.name = "COMMAND | SHELL_COMMAND", .kind = SM_ARG_TEXT, .required = true}, {0}};
static const struct sm_option pipe_options[] = {
    {.name = "d",
     .kind = SM_ARG_TEXT,
     .value = "DELIM",
     .help = "what stands between the two instead of |"},
    {0},
};
const struct sm_cmd sm_cmd_pipe = {
    .name = "pipe",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Send the answer of a command to a shell command",
    .help = "\"pipe CMD | SHELL\", \"|CMD | SHELL\" and \"CMD | SHELL\" are the same.",
    .example = "pipe tensors -csv | head -3",
    .see_also = "shell",
    .args = pipe_args,
    .options = pipe_options,
    .flags = SM_CMD_RAW | SM_CMD_SHELL | SM_CMD_NO_REPEAT,
    .run = run_pipe,
};

/* ---- complete ---- */

static const struct sm_column candidate_columns[] = {{.key = "line", .header = "LINE"}};

/* Whole lines, one a candidate, as gdb prints them. */
static bool run_complete(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_candidates found;
    struct sm_trial *t = sm_session_trial(c->session);
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    sm_complete(c->session, c->raw.p, c->raw.n, &found);
    for (size_t i = 0; i < found.n; i++) {
        const char *line =
            sm_arena_xprintf(&out->arena, "%.*s%s", (int)found.start, c->raw.p, found.items[i]);
        sm_node_text(out, sm_node_map(out, list, NULL), "line", line);
        sm_result_text(out, "%s", sm_result_escape(out, line, strlen(line)));
    }
    if (found.more)
        sm_result_text(out, "%s *** List may be truncated, max-completions reached. ***", c->raw.p);
    out->root = list;
    out->columns = candidate_columns;
    out->n_columns = COUNT(candidate_columns);
    sm_candidates_clear(&found);
    return true;
}

static const struct sm_arg complete_args[] = {{.name = "TEXT", .kind = SM_ARG_TEXT}, {0}};
const struct sm_cmd sm_cmd_complete = {
    .name = "complete",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "List what a line could be completed to",
    .example = "complete info t",
    .see_also = "help",
    .args = complete_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT,
    .run = run_complete,
};

/* ---- quit ---- */

static bool run_quit(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    int64_t status = -1;
    if (c->n_words && !sm_call_int(&c->words[0], 0, 255, &status, err))
        return false;
    out->quit = true;
    out->quit_status = (int)status;
    return true;
}

static const struct sm_arg quit_args[] = {{.name = "STATUS", .kind = SM_ARG_NUMBER}, {0}};
const struct sm_cmd sm_cmd_quit = {
    .name = "quit",
    .aliases = "q exit",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Leave the debugger, with an exit status if one is given",
    .example = "quit",
    .args = quit_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_quit,
};
