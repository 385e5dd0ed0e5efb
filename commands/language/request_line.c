/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a request with "cmd" to a command line. */
#include "commands/language/request.h"

#include "commands/language/cmd_set.h"
#include "commands/language/command_line.h"
#include "commands/language/parameter.h"

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

struct writer {
    const struct sm_request *r;
    const struct sm_cmd *cmd;
    struct sm_parameters all;
    const struct sm_parameter **of; /* of each argument of the request; NULL: it has no name */
    const struct sm_request_arg *slice, *format; /* or NULL */
    struct sm_str *line;
};

/* ---- checking the arguments ---- */

/* "reduce, mode, worker": those of the command, then those of all listings. */
static void add_names(const struct sm_parameters *all, struct sm_str *out)
{
    for (size_t i = 0; i < all->n; i++)
        sm_str_printf(out, "%s%s", i ? ", " : "", all->items[i].name);
}

static bool refuse_unknown(const struct sm_cmd *cmd, const struct sm_parameters *all,
                           const char *key, struct sm_err *err)
{
    const struct sm_parameter *near = sm_parameter_near(all, key);
    struct sm_str names = {0};
    add_names(all, &names);
    sm_err_set(err, SM_ERR_USAGE, "\"%s\" has no argument \"%.60s\".%s%s%s%s%s", cmd->name, key,
               near ? "  Did you mean \"" : "", near ? near->name : "", near ? "\"?" : "",
               all->n ? "  It has: " : "", sm_str_text(&names));
    sm_str_clear(&names);
    return sm_err_kind(err, SM_ERR_IS_NO_ARGUMENT);
}

/* Kinds whose values are never numbers. */
static bool is_name(enum sm_arg_kind k)
{
    return k == SM_ARG_COLLECTION || k == SM_ARG_MODE || k == SM_ARG_RULE ||
           k == SM_ARG_RULE_PARAM || k == SM_ARG_ANY_RULE || k == SM_ARG_INSTANCE ||
           k == SM_ARG_COMMAND || k == SM_ARG_SETTING || k == SM_ARG_DURATION;
}

/* A value of a setting, and of a variable, may be true or false. */
static bool check_type(const struct sm_parameter *p, const struct sm_request_arg *a,
                       struct sm_err *err)
{
    bool boolean = a->type == SM_REQUEST_TRUE || a->type == SM_REQUEST_FALSE;
    const char *expected = p->kind == SM_ARG_FLAG ? "true or false"
                           : boolean              ? "text or a number"
                                                  : "text";
    bool fits = p->kind == SM_ARG_FLAG         ? boolean
                : boolean                      ? p->kind == SM_ARG_EXPR
                : a->type == SM_REQUEST_NUMBER ? !is_name(p->kind)
                                               : true;
    return fits || sm_err_set(err, SM_ERR_USAGE, "The argument \"%s\" must be %s (%s: %s).",
                              p->name, expected, sm_arg_kind_name(p->kind), p->help);
}

/* A slice is one pair of brackets, a format one word: they cannot add words to the line. */
static bool check_attached(const struct sm_parameter *p, const struct sm_request_arg *a,
                           struct sm_err *err)
{
    const char *text = a->value.p;
    size_t n = a->value.n;
    if (p->form == SM_FORM_SLICE && (n < 2 || text[0] != '[' || strcspn(text + 1, "[]") != n - 2))
        return sm_err_set(err, SM_ERR_USAGE, "The argument \"slice\" must be text such as [0,:2].");
    if (p->form == SM_FORM_FORMAT && strspn(text, "0123456789.abcdefghijklmnopqrstuvwxyz") != n)
        return sm_err_set(err, SM_ERR_USAGE, "The argument \"format\" must be text such as 20g.");
    return true;
}

/* Finds the parameter of argument i. Values of a list are adjacent and share the key. */
static bool find_parameter(struct writer *w, size_t i, struct sm_err *err)
{
    const struct sm_request_arg *a = &w->r->args[i];
    bool again = i && a->key && a->key == a[-1].key;
    if (!a->key)
        return true;
    w->of[i] = again ? w->of[i - 1] : sm_parameter_find(&w->all, a->key);
    if (!w->of[i])
        return refuse_unknown(w->cmd, &w->all, a->key, err);
    if (again && !w->of[i]->repeats && !(w->cmd->flags & SM_CMD_RAW))
        return sm_err_set(err, SM_ERR_USAGE, "The argument \"%s\" has one value, not several.",
                          w->of[i]->name);
    return true;
}

/* Checks that the command has every argument, with this type and this many values. */
static bool check_args(struct writer *w, struct sm_err *err)
{
    for (size_t i = 0; i < w->r->n_args; i++) {
        const struct sm_request_arg *a = &w->r->args[i];
        if (!find_parameter(w, i, err) ||
            (w->of[i] && (!check_type(w->of[i], a, err) || !check_attached(w->of[i], a, err))))
            return false;
        if (w->of[i] && w->of[i]->form == SM_FORM_SLICE)
            w->slice = a;
        if (w->of[i] && w->of[i]->form == SM_FORM_FORMAT)
            w->format = a;
    }
    return true;
}

/* ---- writing the line ---- */

/* The next value of this parameter, from index *at. */
static const struct sm_request_arg *next_value(const struct writer *w, const struct sm_parameter *p,
                                               size_t *at)
{
    while (*at < w->r->n_args)
        if (w->of[(*at)++] == p)
            return &w->r->args[*at - 1];
    return NULL;
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

/* A number is read as it is, but -0 is also the name of an option. */
static bool is_plain_number(const struct sm_request_arg *a)
{
    return a->type == SM_REQUEST_NUMBER && strcmp(a->value.p, "-0") != 0;
}

/* Appends a value. Patterns, steps, numbers and so on, and values of arguments that repeat, are
 * appended unquoted if they are read back as one value; all others are quoted. */
static void add_value(const struct writer *w, const struct sm_request_arg *a, enum sm_arg_kind kind,
                      bool several)
{
    bool own_syntax = several || kind == SM_ARG_PATTERN || kind == SM_ARG_STEP ||
                      kind == SM_ARG_NUMBER || kind == SM_ARG_RULE_PARAM;
    struct sm_str quoted = {0};
    sm_line_quote(&quoted, a->value.p, a->value.n);
    bool bare = quoted.data[0] != '"';
    sm_str_addc(w->line, ' ');
    if (is_plain_number(a) || (own_syntax && a->type == SM_REQUEST_TEXT && !needs_quotes(a, kind) &&
                               !is_keyword(w->cmd, a->value.p)))
        sm_str_addn(w->line, a->value.p, a->value.n);
    else
        sm_str_printf(w->line, bare ? "\"%s\"" : "%s", sm_str_text(&quoted));
    sm_str_clear(&quoted);
    if (kind == SM_ARG_TENSOR && w->slice)
        sm_str_add(w->line, w->slice->value.p);
}

static void add_options(const struct writer *w)
{
    for (size_t i = 0; i < w->all.n; i++) {
        const struct sm_parameter *p = &w->all.items[i];
        size_t at = 0;
        const struct sm_request_arg *a = p->option ? next_value(w, p, &at) : NULL;
        if (!a || a->type == SM_REQUEST_FALSE)
            continue;
        sm_str_printf(w->line, " -%s", p->option->name);
        if (p->kind != SM_ARG_FLAG)
            add_value(w, a, p->kind, false);
    }
}

/* The positional argument that word n of the line is. */
static const struct sm_arg *positional(const struct sm_cmd *cmd, size_t n)
{
    const struct sm_arg *last = NULL;
    for (const struct sm_arg *arg = cmd->args; arg && arg->name; arg++) {
        if (arg->keyword)
            continue;
        last = arg;
        if (n-- == 0)
            return arg;
    }
    return last && last->repeats ? last : NULL;
}

static void add_positional(const struct writer *w)
{
    for (size_t i = 0; i < w->all.n; i++) {
        const struct sm_parameter *p = &w->all.items[i];
        const struct sm_request_arg *a;
        size_t at = 0;
        while (p->form == SM_FORM_POSITIONAL && (a = next_value(w, p, &at)))
            add_value(w, a, p->kind, p->repeats);
    }
    for (size_t i = 0, n = 0; i < w->r->n_args; i++) {
        const struct sm_arg *arg = positional(w->cmd, n);
        if (w->r->args[i].key)
            continue;
        add_value(w, &w->r->args[i], arg ? arg->kind : SM_ARG_TEXT, arg && arg->repeats);
        n++;
    }
}

static void add_keywords(const struct writer *w)
{
    for (size_t i = 0; i < w->all.n; i++) {
        const struct sm_parameter *p = &w->all.items[i];
        const struct sm_request_arg *a;
        size_t at = 0;
        if (p->form != SM_FORM_KEYWORD || !(a = next_value(w, p, &at)))
            continue;
        sm_str_printf(w->line, " %s", p->arg->keyword);
        add_value(w, a, p->kind, false);
    }
}

/* ---- raw arguments ---- */

/* In an expression -0 is a number; true and false of a setting are on and off. */
static const char *raw_text(const struct writer *w, const struct sm_request_arg *a)
{
    const struct sm_request_arg *first = &w->r->args[0];
    bool setting =
        w->cmd->args && w->cmd->args[0].kind == SM_ARG_SETTING && first->value.p[0] != '$';
    if (a->type == SM_REQUEST_NUMBER && !is_plain_number(a))
        return "-0.0";
    if (setting && a->type == SM_REQUEST_TRUE)
        return "on";
    return setting && a->type == SM_REQUEST_FALSE ? "off" : NULL;
}

static void add_raw_value(const struct writer *w, const struct sm_request_arg *a)
{
    const char *text = raw_text(w, a);
    sm_str_addn(w->line, text ? text : a->value.p, text ? strlen(text) : a->value.n);
}

/* Appends the raw argument as the user would type it: for ", MESSAGE" including the comma. */
static void add_raw(const struct writer *w)
{
    for (size_t i = 0; i < w->all.n; i++) {
        const struct sm_parameter *p = &w->all.items[i];
        const struct sm_request_arg *a;
        size_t at = 0;
        if (!p->arg)
            continue;
        size_t front =
            strcspn(p->arg->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
        while ((a = next_value(w, p, &at))) {
            sm_str_printf(w->line, "%s%.*s", front && p->arg->name[0] == ',' ? "" : " ", (int)front,
                          p->arg->name);
            add_raw_value(w, a);
        }
    }
    for (size_t i = 0; i < w->r->n_args; i++)
        if (!w->r->args[i].key) {
            sm_str_addc(w->line, ' ');
            add_raw_value(w, &w->r->args[i]);
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

static void write_line(const struct writer *w)
{
    if (w->format)
        sm_str_printf(w->line, "/%s", w->format->value.p);
    if (w->cmd->flags & SM_CMD_RAW) {
        add_options(w);
        add_raw(w);
    } else {
        add_positional(w);
        add_keywords(w);
        add_options(w);
    }
}

bool sm_request_line(const struct sm_cmd_set *set, const struct sm_request *r, struct sm_str *line,
                     struct sm_err *err)
{
    struct writer w = {.r = r, .line = line};
    w.cmd = find_command(set, r->cmd, line, err);
    if (!w.cmd)
        return false;
    sm_cmd_parameters(w.cmd, &w.all);
    w.of = sm_xalloc_zero(r->n_args + 1, sizeof *w.of);
    bool ok = check_args(&w, err);
    if (ok)
        write_line(&w);
    sm_free(w.of);
    return ok && check_line(set, line, err);
}
