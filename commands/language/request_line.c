/* Converts a request with "cmd" to a command line. */
#include "commands/language/request.h"

#include "commands/language/cmd_set.h"
#include "commands/language/command_line.h"

#include <ctype.h>
#include <string.h>

/* Finds the command, and appends its full name to the line. */
static const struct sm_cmd *find_command(const struct sm_cmd_set *set, const char *words,
                                         struct sm_str *line, struct sm_err *err)
{
    const struct sm_cmd *cmd = NULL;
    const char *p = words + strspn(words, " ");
    do {
        size_t n = strcspn(p, " ");
        cmd = sm_cmd_find(set, cmd, p, n, err);
        if (!cmd)
            return NULL;
        sm_str_printf(line, "%s%s", line->len ? " " : "", cmd->name);
        p += n + strspn(p + n, " ");
    } while (*p && sm_cmd_subs(set, cmd));
    if (!*p)
        return cmd;
    sm_err_set(err, SM_ERR_USAGE, "\"%s\" has no subcommand \"%s\".", cmd->name, p);
    sm_err_kind(err, SM_ERR_IS_NO_COMMAND);
    return NULL;
}

/* True if key is the JSON name of an argument: in lower case, without the characters before the
 * first letter, and with '_' for other characters ("NAME = COMMAND" is name_command). */
static bool matches_key(const char *name, const char *key)
{
    name += strcspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    while (*name && *key) {
        size_t gap = isalnum((unsigned char)*name) ? 0 : strspn(name, " =_-|");
        if (gap ? *key != '_' : tolower((unsigned char)*name) != *key)
            return false;
        name += gap ? gap : 1;
        key++;
    }
    return !*name && !*key;
}

/* The next argument of this name, from index *at. */
static const struct sm_request_arg *next_named(const struct sm_request *r, const char *name,
                                               size_t *at)
{
    while (*at < r->n_args) {
        const struct sm_request_arg *a = &r->args[(*at)++];
        if (a->key && matches_key(name, a->key))
            return a;
    }
    return NULL;
}

static const char *slice_of(const struct sm_request *r)
{
    size_t at = 0;
    const struct sm_request_arg *a = next_named(r, "slice", &at);
    return a ? a->value.p : "";
}

/* True if a value has to be quoted: it would be read as an option or as several words. */
static bool needs_quotes(const struct sm_request_arg *a, enum sm_arg_kind kind)
{
    bool negative = a->value.p[0] == '-' && (kind == SM_ARG_STEP || kind == SM_ARG_NUMBER);
    return !a->value.n || (a->value.p[0] == '-' && !negative) || strlen(a->value.p) != a->value.n ||
           strpbrk(a->value.p, " \t\r\n\"'|>#");
}

static bool is_keyword(const struct sm_cmd *cmd, const char *text)
{
    for (const struct sm_arg *arg = cmd->args; arg && arg->name; arg++)
        if (arg->keyword && strcmp(arg->keyword, text) == 0)
            return true;
    return false;
}

/* Appends a value. Patterns, steps, numbers and so on, and values of arguments that repeat, are
 * appended unquoted if they are read back as one value; all others are quoted. */
static void add_value(const struct sm_request *r, const struct sm_cmd *cmd,
                      const struct sm_request_arg *a, enum sm_arg_kind kind, bool several,
                      struct sm_str *line)
{
    bool own_syntax = several || kind == SM_ARG_PATTERN || kind == SM_ARG_STEP ||
                      kind == SM_ARG_NUMBER || kind == SM_ARG_RULE_PARAM;
    struct sm_str quoted = {0};
    sm_line_quote(&quoted, a->value.p, a->value.n);
    bool bare = quoted.data[0] != '"';
    sm_str_addc(line, ' ');
    if (a->type == SM_REQUEST_NUMBER ||
        (own_syntax && !needs_quotes(a, kind) && !is_keyword(cmd, a->value.p)))
        sm_str_addn(line, a->value.p, a->value.n);
    else
        sm_str_printf(line, bare ? "\"%s\"" : "%s", sm_str_text(&quoted));
    sm_str_clear(&quoted);
    if (kind == SM_ARG_TENSOR)
        sm_str_add(line, slice_of(r));
}

static void add_options(const struct sm_request *r, const struct sm_cmd *cmd,
                        const struct sm_option *o, struct sm_str *line)
{
    for (; o && o->name; o++) {
        size_t at = 0;
        const struct sm_request_arg *a = next_named(r, o->name, &at);
        if (!a || (o->kind == SM_ARG_FLAG && a->type != SM_REQUEST_TRUE))
            continue;
        sm_str_printf(line, " -%s", o->name);
        if (o->kind != SM_ARG_FLAG)
            add_value(r, cmd, a, o->kind, false, line);
    }
}

/* True if there is a keyword argument of the same name. `tensor NAME 100` and
 * `tensor NAME step 100` are the same argument; only the second form is used. */
static bool has_keyword(const struct sm_cmd *cmd, const char *name)
{
    for (const struct sm_arg *arg = cmd->args; arg && arg->name; arg++)
        if (arg->keyword && matches_key(name, arg->keyword))
            return true;
    return false;
}

static void add_positional(const struct sm_request *r, const struct sm_cmd *cmd,
                           struct sm_str *line)
{
    for (const struct sm_arg *arg = cmd->args; arg && arg->name; arg++) {
        size_t at = 0;
        const struct sm_request_arg *a;
        while (!arg->keyword && !has_keyword(cmd, arg->name) && (a = next_named(r, arg->name, &at)))
            add_value(r, cmd, a, arg->kind, arg->repeats, line);
    }
    const struct sm_arg *first = cmd->args && cmd->args[0].name ? &cmd->args[0] : NULL;
    for (size_t i = 0; i < r->n_args; i++)
        if (!r->args[i].key)
            add_value(r, cmd, &r->args[i], first ? first->kind : SM_ARG_TEXT,
                      first && first->repeats, line);
}

static void add_keywords(const struct sm_request *r, const struct sm_cmd *cmd, struct sm_str *line)
{
    for (const struct sm_arg *arg = cmd->args; arg && arg->name; arg++) {
        size_t at = 0;
        const struct sm_request_arg *a = arg->keyword ? next_named(r, arg->keyword, &at) : NULL;
        if (!a)
            continue;
        sm_str_printf(line, " %s", arg->keyword);
        add_value(r, cmd, a, arg->kind, false, line);
    }
}

/* Appends the raw argument as the user would type it: for ", MESSAGE" including the comma. */
static void add_raw(const struct sm_request *r, const struct sm_cmd *cmd, struct sm_str *line)
{
    for (const struct sm_arg *arg = cmd->args; arg && arg->name; arg++) {
        size_t at = 0,
               front = strcspn(arg->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
        const struct sm_request_arg *a;
        while ((a = next_named(r, arg->name, &at))) {
            sm_str_printf(line, "%s%.*s", front && arg->name[0] == ',' ? "" : " ", (int)front,
                          arg->name);
            sm_str_addn(line, a->value.p, a->value.n);
        }
    }
    for (size_t i = 0; i < r->n_args; i++)
        if (!r->args[i].key) {
            sm_str_addc(line, ' ');
            sm_str_addn(line, r->args[i].value.p, r->args[i].value.n);
        }
}

/* Refuses arguments that start another line, or redirect the output to a file or a program. */
static bool check_line(const struct sm_cmd_set *set, const struct sm_str *line, struct sm_err *err)
{
    struct sm_arena arena = {0};
    struct sm_line parsed;
    struct sm_err other; /* reported when the line runs */
    if (memchr(line->data, '\n', line->len) || memchr(line->data, 0, line->len))
        return sm_err_set(err, SM_ERR_USAGE, "An argument contains a newline or a zero byte.");
    bool redirects = sm_line_parse(set, line->data, line->len, &arena, &parsed, &other) &&
                     parsed.redirect != SM_REDIRECT_NONE;
    sm_arena_clear(&arena);
    return !redirects ||
           sm_err_set(err, SM_ERR_USAGE, "An argument redirects the output; use \"cli\" for that.");
}

bool sm_request_line(const struct sm_cmd_set *set, const struct sm_request *r, struct sm_str *line,
                     struct sm_err *err)
{
    size_t at = 0;
    const struct sm_cmd *cmd = find_command(set, r->cmd, line, err);
    if (!cmd)
        return false;
    const struct sm_request_arg *format = next_named(r, "format", &at);
    if (format && (cmd->flags & SM_CMD_FORMAT))
        sm_str_printf(line, "/%s", format->value.p);
    if (cmd->flags & SM_CMD_RAW) {
        add_options(r, cmd, cmd->options, line);
        add_raw(r, cmd, line);
    } else {
        add_positional(r, cmd, line);
        add_keywords(r, cmd, line);
        add_options(r, cmd, cmd->options, line);
        if (cmd->flags & SM_CMD_LISTING)
            add_options(r, cmd, sm_line_options, line);
    }
    return check_line(set, line, err);
}
