/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/command_line.h"
#include "commands/language/cmd_set.h"

#include "commands/language/tokens.h"

#include <ctype.h>
#include <string.h>

bool sm_line_continues(const char *text, size_t n)
{
    size_t slashes = 0;
    while (slashes < n && text[n - 1 - slashes] == '\\')
        slashes++;
    return slashes % 2;
}

/* ---- raw commands ---- */

static bool is_expression(const struct sm_cmd *cmd)
{
    for (const struct sm_arg *a = cmd->args; a && a->name; a++)
        if (a->kind == SM_ARG_EXPR)
            return true;
    return false;
}

/* Options before or after a raw argument; only by full name, because '-' may be part of the text.
 */
static bool read_raw_options(struct sm_reader *r, struct sm_line *out, struct sm_err *err)
{
    sm_reader_skip(r);
    r->expression = r->at;
    while (r->at < r->n && sm_reader_option_here(r)) {
        if (!sm_reader_read_option(r, out, err))
            return false;
        sm_reader_skip(r);
        r->expression = r->at;
    }
    return true;
}

static bool read_raw(struct sm_reader *r, struct sm_line *out, struct sm_err *err)
{
    bool expression = r->in_expression = is_expression(r->cmd);
    if (!read_raw_options(r, out, err))
        return false;
    size_t end =
        (r->cmd->flags & (SM_CMD_SHELL | SM_CMD_LINE)) ? r->n : sm_reader_text_end(r, expression);
    bool rest = end == r->n && !expression; /* echo and complete need the blanks at the end */
    struct sm_text raw = rest ? (struct sm_text){r->p + r->at, end - r->at}
                              : sm_reader_trim(r->p + r->at, end - r->at);
    out->raw = sm_reader_keep(r->arena, raw.p, raw.n);
    r->at = end;
    r->in_expression = false;
    if (r->at < r->n && sm_reader_option_here(r)) {
        if (!read_raw_options(r, out, err))
            return false;
        expression = false;
    }
    if (r->at < r->n && r->p[r->at] == '#')
        return true;
    if (r->at < r->n && sm_reader_redirect(r, expression))
        return sm_reader_target(r, expression, out, err);
    if (r->at < r->n)
        return sm_err_set(err, SM_ERR_USAGE, "Unexpected text at column %zu.", r->at + 1);
    bool required = r->cmd->args && r->cmd->args[0].name && r->cmd->args[0].required;
    if (required && !out->raw.n && !out->help)
        return sm_err_set(err, SM_ERR_USAGE, "Argument required (%s).  Try \"help %s\".",
                          r->cmd->args[0].name, r->cmd->name);
    return true;
}

/* ---- the line ---- */

static bool is_command_char(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_';
}

static size_t command_word(const struct sm_reader *r)
{
    size_t end = r->at;
    while (end < r->n && is_command_char(r->p[end]))
        end++;
    if (end == r->at)
        while (end < r->n && !sm_reader_blank(r->p[end]))
            end++;
    return end - r->at;
}

static bool read_command(struct sm_reader *r, struct sm_line *out, struct sm_err *err)
{
    char c = r->p[r->at];
    size_t n = c == '!' || c == '|' ? 1 : command_word(r);
    const char *word = c == '!' ? "shell" : c == '|' ? "pipe" : r->p + r->at;
    size_t shown = sm_reader_trim(r->p + r->at, r->n - r->at).n;
    out->cmd = sm_cmd_find_in_line(r->set, NULL, word, c == '!' ? 5 : c == '|' ? 4 : n, shown, err);
    if (!out->cmd)
        return false;
    r->at += n;
    while (sm_cmd_subs(r->set, out->cmd)) {
        sm_reader_skip(r);
        n = r->at < r->n && is_command_char(r->p[r->at]) && r->p[r->at] != '-' ? command_word(r)
                                                                               : 0;
        if (!n)
            break;
        shown = sm_reader_trim(r->p + r->at, r->n - r->at).n;
        const struct sm_cmd *sub =
            sm_cmd_find_in_line(r->set, out->cmd, r->p + r->at, n, shown, err);
        if (!sub)
            return false;
        out->parent = r->parent = out->cmd;
        out->cmd = sub;
        r->at += n;
    }
    return true;
}

static void allocate_values(struct sm_reader *r, struct sm_line *out)
{
    size_t options = 0, args = 0;
    while (out->cmd->options && out->cmd->options[options].name)
        options++;
    while (out->cmd->args && out->cmd->args[args].name)
        args++;
    out->option_values = sm_arena_xalloc(r->arena, (options + 1) * sizeof *out->option_values);
    out->keyword_values = sm_arena_xalloc(r->arena, (args + 1) * sizeof *out->keyword_values);
}

bool sm_line_parse(const struct sm_cmd_set *set, const char *text, size_t n, struct sm_arena *arena,
                   struct sm_line *out, struct sm_err *err)
{
    struct sm_reader r = {.p = text, .n = n, .arena = arena, .set = set};
    *out = (struct sm_line){.format.precision = -1};
    if (n > SM_LINE_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "The line is longer than %d bytes.", SM_LINE_MAX);
    if (memchr(text, 0, n))
        return sm_err_set(err, SM_ERR_USAGE, "The line contains a zero byte.");
    sm_reader_skip(&r);
    if (r.at < n && text[r.at] == '-' && (r.at + 1 == n || text[r.at + 1] != '-')) {
        out->forgiven = true;
        r.at++;
        sm_reader_skip(&r);
    }
    if (r.at == n || text[r.at] == '#')
        return true;
    if (!read_command(&r, out, err) || !sm_reader_format(&r, out, err))
        return false;
    r.cmd = out->cmd;
    allocate_values(&r, out);
    size_t rest = r.at;
    if (out->cmd->flags & SM_CMD_RAW)
        return read_raw(&r, out, err);
    struct sm_text raw = sm_reader_trim(text + rest, n - rest);
    out->raw = sm_reader_keep(arena, raw.p, raw.n);
    return sm_reader_words(&r, out, err);
}
