/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/script.h"

#include "commands/language/command_line.h"
#include "reader/base/grow.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAIN_SHOWN = 8 }; /* maximum number of files in a message */

static bool read_all(FILE *f, struct sm_str *out)
{
    char buffer[1 << 14];
    size_t n;
    while (out->len <= SM_SCRIPT_BYTES_MAX && (n = fread(buffer, 1, sizeof buffer, f)) > 0)
        sm_str_addn(out, buffer, n);
    return !ferror(f);
}

struct sm_script *sm_script_read(const char *path, struct sm_err *err)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *f = is_stdin ? stdin : fopen(path, "re");
    if (!f) {
        sm_err_set(err, SM_ERR_USAGE, "%s: %s.", path, strerror(errno));
        return NULL;
    }
    struct sm_script *s = sm_script_of_text("");
    s->name = sm_xstrdup(is_stdin ? "<stdin>" : path);
    errno = 0;
    bool ok = read_all(f, &s->text);
    if (!ok)
        sm_err_set(err, SM_ERR_USAGE, "%s: %s.", path, strerror(errno));
    if (!is_stdin)
        fclose(f);
    if (ok && s->text.len > SM_SCRIPT_BYTES_MAX)
        ok = sm_err_set(err, SM_ERR_USAGE, "%s: too large for a script.", path);
    if (!ok) {
        sm_script_free(s);
        return NULL;
    }
    if (s->text.len >= 3 && memcmp(s->text.data, byte_order_mark, 3) == 0)
        s->at = 3;
    return s;
}

struct sm_script *sm_script_of_text(const char *text)
{
    struct sm_script *s = sm_xalloc_zero(1, sizeof *s);
    sm_str_add(&s->text, text);
    s->next_line = 1;
    return s;
}

struct sm_script *sm_script_of_body(struct sm_body *b)
{
    struct sm_script *s = sm_xalloc_zero(1, sizeof *s);
    s->body = sm_body_ref(b);
    s->name = b->file ? sm_xstrdup(b->file) : NULL;
    s->inside = true;
    return s;
}

void sm_script_add_arg(struct sm_script *s, struct sm_text arg)
{
    SM_GROW(s->args, s->n_args, s->cap_args);
    s->args[s->n_args++] = sm_xstrndup(arg.p, arg.n);
}

void sm_script_free(struct sm_script *s)
{
    if (!s)
        return;
    sm_body_unref(s->body);
    for (size_t i = 0; i < s->n_args; i++)
        sm_free(s->args[i]);
    sm_free(s->args);
    sm_free(s->name);
    sm_free(s->before);
    sm_free(s->returns);
    sm_free(s->user);
    sm_free(s->after);
    sm_free(s->target);
    sm_str_clear(&s->answer);
    sm_str_clear(&s->text);
    sm_free(s);
}

bool sm_script_next(struct sm_script *s, struct sm_str *line)
{
    bool more = true;
    if (s->at >= s->text.len)
        return false;
    s->line = s->next_line;
    while (more && s->at < s->text.len) {
        const char *p = s->text.data + s->at, *end = memchr(p, '\n', s->text.len - s->at);
        size_t n = end ? (size_t)(end - p) : s->text.len - s->at;
        s->at += n + (end != NULL);
        s->next_line++;
        n -= n && p[n - 1] == '\r';
        more = sm_line_continues(p, n);
        sm_str_addn(line, p, n - more);
    }
    return true;
}

const struct sm_statement *sm_script_statement(struct sm_script *s, struct sm_str *line)
{
    if (s->next >= s->body->n)
        return NULL;
    const struct sm_statement *st = &s->body->items[s->next++];
    s->line = st->line;
    sm_str_add(line, st->text);
    return st;
}

const struct sm_script *sm_script_owner(const struct sm_script *s)
{
    while (s && s->inside)
        s = s->below;
    return s;
}

bool sm_script_traced(const struct sm_script *s)
{
    s = sm_script_owner(s);
    return s && s->trace;
}

/* ---- arguments ---- */

/* The script whose arguments replace $arg0 and so on. NULL for the prompt and for scripts read in
 * parts: there $arg0 is an ordinary variable. */
static const struct sm_script *script_with_args(const struct sm_script *s)
{
    s = sm_script_owner(s);
    return s && (s->n_args || s->user || (s->name && !s->piece)) ? s : NULL;
}

static bool in_comment(const char *line, const char *at)
{
    char quote = 0;
    for (const char *p = line; p < at; p++) {
        if (!quote && *p == '#' && (p == line || isspace((unsigned char)p[-1])))
            return true;
        if (*p == '"' || *p == '\'')
            quote = quote == *p ? 0 : quote ? quote : *p;
    }
    return false;
}

static bool missing_argument(const struct sm_script *s, unsigned long i, struct sm_err *err)
{
    if (s->user)
        return sm_err_set(err, SM_ERR_USAGE, "Missing argument %lu of %s.", i, s->user);
    return sm_err_set(err, SM_ERR_USAGE,
                      "Missing argument %lu of the script: add arguments after --args (with -x) or "
                      "after the file "
                      "(with source).",
                      i);
}

static bool add_argument(const struct sm_script *s, const char *line, const char **p,
                         struct sm_str *out, struct sm_err *err)
{
    char *end;
    if (strncmp(*p, "$argc", 5) == 0 && !isalnum((unsigned char)(*p)[5]) && (*p)[5] != '_') {
        sm_str_printf(out, "%zu", s->n_args);
        *p += 5;
        return true;
    }
    unsigned long i = strtoul(*p + 4, &end, 10);
    if (i >= s->n_args && !in_comment(line, *p))
        return missing_argument(s, i, err);
    if (i >= s->n_args)
        sm_str_addn(out, *p, (size_t)(end - *p));
    else if (s->user)
        sm_str_add(out, s->args[i]);
    else
        sm_line_quote(out, s->args[i], strlen(s->args[i]));
    *p = end;
    return true;
}

bool sm_script_expand(const struct sm_script *s, struct sm_str *line, struct sm_err *err)
{
    const struct sm_script *args = script_with_args(s);
    struct sm_str out = {0};
    if (!args || !strstr(sm_str_text(line), "$arg"))
        return true;
    for (const char *p = sm_str_text(line); *p;) {
        bool is_arg = strncmp(p, "$arg", 4) == 0 && (isdigit((unsigned char)p[4]) || p[4] == 'c');
        if (is_arg && strncmp(p, "$argc", 5) == 0 && (isalnum((unsigned char)p[5]) || p[5] == '_'))
            is_arg = false;
        if (!is_arg) {
            sm_str_addc(&out, *p++);
        } else if (!add_argument(args, sm_str_text(line), &p, &out, err)) {
            sm_str_clear(&out);
            return false;
        }
    }
    sm_str_clear(line);
    *line = out;
    return true;
}

/* ---- position ---- */

static void add_file(const struct sm_script *s, struct sm_str *out)
{
    sm_str_add_escaped(out, s->name, strlen(s->name));
    sm_str_printf(out, ":%u", s->line);
}

static const struct sm_script *nearest_file(const struct sm_script *s)
{
    while (s && !s->name)
        s = s->below;
    return s;
}

void sm_script_place(const struct sm_script *s, struct sm_str *out)
{
    s = nearest_file(s);
    if (!s)
        return;
    add_file(s, out);
    sm_str_add(out, ": ");
}

void sm_script_chain(const struct sm_script *s, struct sm_str *out)
{
    unsigned shown = 0, more = 0;
    s = nearest_file(s);
    for (const struct sm_script *owner;
         (owner = sm_script_owner(s)) && (s = nearest_file(owner->below));) {
        if (shown == CHAIN_SHOWN) {
            more++;
            continue;
        }
        sm_str_add(out, owner->user ? " (called from " : " (sourced from ");
        add_file(s, out);
        sm_str_addc(out, ')');
        shown++;
    }
    if (more)
        sm_str_printf(out, " (and %u more)", more);
}

unsigned sm_script_depth(const struct sm_script *s)
{
    unsigned n = 0;
    for (; s; s = s->below)
        n += !s->inside && !s->user;
    return n;
}

unsigned sm_script_calls(const struct sm_script *s)
{
    unsigned n = 0;
    for (; s; s = s->below)
        n += s->user != NULL;
    return n;
}

/* False for the script of the single statement that has the body. */
static bool is_body(const struct sm_script *s)
{
    return s->inside && s->body && s->below && s->below->body;
}

unsigned sm_script_level(const struct sm_script *s)
{
    unsigned files = sm_script_depth(s), level = (files ? files : 1) + sm_script_calls(s);
    for (; s; s = s->below)
        level += is_body(s);
    return level;
}
