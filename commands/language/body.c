/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/body.h"
#include "commands/language/cmd_set.h"

#include "commands/language/command_line.h"
#include "reader/base/grow.h"

#include <ctype.h>
#include <string.h>

/* ---- the tree ---- */

static struct sm_body *body_new(const char *file)
{
    struct sm_body *b = sm_xalloc_zero(1, sizeof *b);
    b->refs = 1;
    b->file = file ? sm_xstrdup(file) : NULL;
    return b;
}

struct sm_body *sm_body_ref(struct sm_body *b)
{
    b->refs++;
    return b;
}

void sm_body_unref(struct sm_body *b)
{
    if (!b || --b->refs)
        return;
    for (size_t i = 0; i < b->n; i++) {
        sm_body_unref(b->items[i].body);
        sm_body_unref(b->items[i].otherwise);
        sm_free(b->items[i].text);
    }
    sm_free(b->items);
    sm_free(b->file);
    sm_free(b);
}

static void add_line(struct sm_str *out, unsigned indent, const char *text)
{
    if (*text)
        sm_str_fill(out, ' ', 2 * (size_t)indent);
    sm_str_add(out, text);
    sm_str_addc(out, '\n');
}

void sm_body_text(const struct sm_body *b, unsigned indent, struct sm_str *out)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct sm_statement *s = &b->items[i];
        add_line(out, indent, s->text);
        if (s->body)
            sm_body_text(s->body, indent + 1, out);
        if (s->otherwise) {
            add_line(out, indent, "else");
            sm_body_text(s->otherwise, indent + 1, out);
        }
        if (s->body)
            add_line(out, indent, "end");
    }
}

/* ---- lines ---- */

static struct sm_text trim_line(const char *line)
{
    size_t n = strlen(line);
    while (n && isspace((unsigned char)line[n - 1]))
        n--;
    while (n && isspace((unsigned char)*line)) {
        line++;
        n--;
    }
    return (struct sm_text){line, n};
}

/* True if the line is the word, optionally followed by a comment. */
static bool is_word(struct sm_text t, const char *word)
{
    size_t n = strlen(word), at = n;
    if (t.n < n || memcmp(t.p, word, n) != 0)
        return false;
    while (at < t.n && isspace((unsigned char)t.p[at]))
        at++;
    return at == t.n || (at > n && t.p[at] == '#');
}

/* The flags of the command at the start of the line; 0 if it is unknown, or only asked for its
 * help.
 */
static unsigned line_flags(const struct sm_cmd_set *set, struct sm_text t)
{
    size_t at = t.n && t.p[0] == '-', end;
    while (at < t.n && isspace((unsigned char)t.p[at]))
        at++;
    for (end = at; end < t.n && (isalnum((unsigned char)t.p[end]) || strchr("-_", t.p[end]));)
        end++;
    const struct sm_cmd *cmd = end > at ? sm_cmd_find(set, NULL, t.p + at, end - at, NULL) : NULL;
    while (end < t.n && isspace((unsigned char)t.p[end]))
        end++;
    bool help = is_word((struct sm_text){t.p + end, t.n - end}, "-help");
    return cmd && !help ? cmd->flags : 0;
}

static struct sm_statement *add_statement(struct sm_body *b, struct sm_text t, unsigned line)
{
    SM_GROW(b->items, b->n, b->cap);
    b->items[b->n] = (struct sm_statement){.text = sm_xstrndup(t.p, t.n), .line = line};
    return &b->items[b->n++];
}

/* ---- levels ---- */

/* The pointer to the owner is valid while its body is open, because nothing is added to the body
 * that contains it. */
static void open_body(struct sm_body_reader *r, struct sm_statement *owner, unsigned flags)
{
    owner->body = body_new(r->root->file);
    r->levels[++r->depth] = (struct sm_body_level){.body = owner->body,
                                                   .owner = owner,
                                                   .flags = flags,
                                                   .may_else = flags & SM_CMD_ELSE,
                                                   .text = flags & SM_CMD_TEXT};
}

static enum sm_body_news discard(struct sm_body_reader *r)
{
    sm_body_drop(r);
    return SM_BODY_BAD;
}

static enum sm_body_news read_else(struct sm_body_reader *r, struct sm_err *err)
{
    struct sm_body_level *level = &r->levels[r->depth];
    if (!level->may_else) {
        sm_err_set(err, SM_ERR_USAGE, "\"else\" without \"if\".");
        return discard(r);
    }
    level->may_else = false;
    level->body = level->owner->otherwise = body_new(r->root->file);
    return SM_BODY_MORE;
}

static enum sm_body_news add_body_line(struct sm_body_reader *r, struct sm_text t, unsigned number,
                                       struct sm_err *err)
{
    unsigned flags = line_flags(r->set, t);
    struct sm_statement *s = add_statement(r->levels[r->depth].body, t, number);
    if (!(flags & (SM_CMD_BODY | SM_CMD_TEXT)))
        return SM_BODY_MORE;
    if (r->depth == SM_BODY_DEPTH_MAX) {
        sm_err_set(err, SM_ERR_LIMIT, "Commands are nested more than %d levels deep.",
                   SM_BODY_DEPTH_MAX);
        return discard(r);
    }
    open_body(r, s, flags);
    return SM_BODY_MORE;
}

/* A line while no body is open. */
static enum sm_body_news read_first_line(struct sm_body_reader *r, struct sm_text t,
                                         const char *file, unsigned number, struct sm_err *err)
{
    if (is_word(t, "end") || is_word(t, "else")) {
        sm_err_set(err, SM_ERR_USAGE, "\"%.*s\" outside of a command with a body.",
                   t.p[1] == 'n' ? 3 : 4, t.p);
        return SM_BODY_BAD;
    }
    if (!(line_flags(r->set, t) & (SM_CMD_BODY | SM_CMD_TEXT)))
        return SM_BODY_SIMPLE;
    r->root = body_new(file);
    r->levels[0] = (struct sm_body_level){.body = r->root};
    return add_body_line(r, t, number, err);
}

enum sm_body_news sm_body_feed(struct sm_body_reader *r, const char *line, const char *file,
                               unsigned number, struct sm_err *err)
{
    struct sm_text t = trim_line(line);
    if (!r->root)
        return read_first_line(r, t, file, number, err);
    if (is_word(t, "end"))
        return --r->depth ? SM_BODY_MORE : SM_BODY_WHOLE;
    if (r->levels[r->depth].text) {
        add_statement(r->levels[r->depth].body, (struct sm_text){line, strlen(line)}, number);
        return SM_BODY_MORE;
    }
    if (is_word(t, "else"))
        return read_else(r, err);
    if (!t.n || t.p[0] == '#')
        return SM_BODY_MORE;
    return add_body_line(r, t, number, err);
}

bool sm_body_open(const struct sm_body_reader *r)
{
    return r->root != NULL;
}

unsigned sm_body_flags(const struct sm_body_reader *r)
{
    return r->root ? r->levels[r->depth].flags : 0;
}

struct sm_body *sm_body_take(struct sm_body_reader *r)
{
    struct sm_body *b = r->root;
    r->root = NULL;
    return b;
}

bool sm_body_end(struct sm_body_reader *r, struct sm_err *err)
{
    if (!r->root)
        return true;
    const struct sm_statement *s = r->levels[r->depth].owner;
    if (s->line)
        sm_err_set(err, SM_ERR_USAGE, "\"%s\" in line %u has no \"end\".", s->text, s->line);
    else
        sm_err_set(err, SM_ERR_USAGE, "\"%s\" has no \"end\".", s->text);
    sm_body_drop(r);
    return false;
}

void sm_body_drop(struct sm_body_reader *r)
{
    sm_body_unref(r->root);
    r->root = NULL;
    r->depth = 0;
}
