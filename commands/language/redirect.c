/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the end of free text: comments, redirections, options after it. */
#include "commands/language/tokens.h"

#include <string.h>

/* In an expression '>' is a comparison, unless the text after it can only be a file name, or is in
 * quotes; that may be a text to compare with, see check_file. */
static bool looks_like_file(struct sm_text t)
{
    static const char *const starts[] = {"/", "./", "../", "~/", "\"", "'"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (t.n > strlen(starts[i]) && memcmp(t.p, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

/* After an expression, > "a" may be a comparison; the name of a file has a slash or a dot. */
static bool check_file(struct sm_text rest, struct sm_err *err)
{
    bool quoted = *rest.p == '"' || *rest.p == '\'';
    const char *end = quoted ? memchr(rest.p + 1, *rest.p, rest.n - 1) : NULL;
    struct sm_text name = {rest.p + 1, end ? (size_t)(end - rest.p) - 1 : 0};
    if (!end || memchr(name.p, '/', name.n) || memchr(name.p, '.', name.n))
        return true;
    return sm_err_set(
        err, SM_ERR_USAGE,
        "Is \"%.*s\" a text to compare with or a file?  Write \"> ./%.*s\" for the file, or "
        "put the comparison in parentheses.",
        (int)name.n, name.p, (int)name.n, name.p);
}

static bool read_file_name(struct sm_arena *arena, struct sm_text rest, struct sm_line *out,
                           struct sm_err *err)
{
    struct sm_reader r = {.p = rest.p, .n = rest.n, .arena = arena};
    struct sm_word file;
    if (!sm_reader_word(&r, false, &file, err))
        return false;
    sm_reader_join(arena, &file);
    sm_reader_skip(&r);
    out->target = file.text.p;
    return r.at == r.n || r.p[r.at] == '#' ||
           sm_err_set(
               err, SM_ERR_USAGE,
               "Unexpected text after the file name \"%s\" (\">\" before a word redirects to "
               "a file; quote a comparison).",
               file.text.p);
}

bool sm_reader_target(struct sm_reader *r, bool expression, struct sm_line *out, struct sm_err *err)
{
    const char *p = r->p + r->at;
    size_t n = r->n - r->at, skip = n > 1 && p[0] == '>' && p[1] == '>' ? 2 : 1;
    struct sm_text rest = sm_reader_trim(p + skip, n - skip);
    out->redirect = *p == '|'   ? SM_REDIRECT_PIPE
                    : skip == 2 ? SM_REDIRECT_APPEND
                                : SM_REDIRECT_WRITE;
    if (!rest.n)
        return sm_err_set(err, SM_ERR_USAGE, "Expected a %s after column %zu.",
                          *p == '|' ? "shell command" : "file name", r->at + 1);
    if (expression && *p != '|' && skip == 1 && !check_file(rest, err))
        return false;
    if (*p != '|')
        return read_file_name(r->arena, rest, out, err);
    out->target = sm_reader_keep(r->arena, rest.p, rest.n).p;
    return true;
}

bool sm_reader_redirect(const struct sm_reader *r, bool expression)
{
    char c = r->p[r->at], next = r->at + 1 < r->n ? r->p[r->at + 1] : 0;
    if (c == '|')
        return next != '|';
    if (c != '>')
        return false;
    if (next == '>' || !expression)
        return next != '=';
    return looks_like_file(sm_reader_trim(r->p + r->at + 1, r->n - r->at - 1));
}

const struct sm_option *sm_reader_option(const struct sm_cmd *cmd, const char *p, size_t n)
{
    for (const struct sm_option *o = cmd->options; o && o->name; o++)
        if (strlen(o->name) == n && memcmp(o->name, p, n) == 0)
            return o;
    for (const struct sm_option *o = sm_line_options; o->name; o++)
        if (((cmd->flags & SM_CMD_LISTING) || o == sm_line_options) && strlen(o->name) == n &&
            memcmp(o->name, p, n) == 0)
            return o;
    return NULL;
}

/* Whether "-0" is a number of the expression: where an operand is missing before it, and none
 * follows. "print -0 loss" and "print loss -0" have the option. */
static bool is_minus_zero(const struct sm_reader *r)
{
    static const char operators[] = "<>=!&|+-*/%?:^(,";
    struct sm_text next = sm_reader_trim(r->p + r->at + 2, r->n - r->at - 2),
                   before = sm_reader_trim(r->p + r->expression, r->at - r->expression);
    if (!r->in_expression)
        return false;
    if (before.n)
        return strchr(operators, before.p[before.n - 1]);
    return !next.n || next.p[0] == '#' || strchr(operators, next.p[0]);
}

const struct sm_option *sm_reader_option_here(const struct sm_reader *r)
{
    size_t i = r->at + 1;
    if (r->p[r->at] != '-')
        return NULL;
    while (i < r->n && !sm_reader_blank(r->p[i]))
        i++;
    if (i == r->at + 2 && r->p[r->at + 1] == '0' && is_minus_zero(r))
        return NULL;
    return sm_reader_option(r->cmd, r->p + r->at + 1, i - r->at - 1);
}

size_t sm_reader_text_end(const struct sm_reader *r, bool expression)
{
    struct sm_reader s = *r;
    size_t open = 0; /* brackets of an expression */
    s.in_expression = expression;
    s.expression = r->at;
    while (true) {
        sm_reader_skip(&s);
        if (s.at == s.n || s.p[s.at] == '#' || (!open && sm_reader_redirect(&s, expression)))
            return s.at;
        if (!open && (expression || (r->cmd->flags & SM_CMD_LISTING)) && s.at > r->at &&
            sm_reader_option_here(&s))
            return s.at;
        while (s.at < s.n && !sm_reader_blank(s.p[s.at])) {
            struct sm_str skipped = {0};
            size_t before = s.at;
            open += expression && strchr("([", s.p[s.at]);
            open -= open && strchr(")]", s.p[s.at]);
            bool quote = strchr("\"'`", s.p[s.at]) != NULL;
            if (!quote || !sm_reader_quoted(&s, &skipped, NULL))
                s.at = before + 1;
            sm_str_clear(&skipped);
        }
    }
}
