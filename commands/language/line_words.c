/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the words after a command: keyword arguments, positional arguments, and steps without the
 * keyword. */
#include "commands/language/tokens.h"
#include "reader/trial_place.h"

#include <string.h>

static int keyword_index(const struct sm_cmd *cmd, const char *word)
{
    for (int i = 0; cmd->args && cmd->args[i].name; i++)
        if (cmd->args[i].keyword && strcmp(cmd->args[i].keyword, word) == 0)
            return i;
    return -1;
}

static bool set_keyword(struct sm_reader *r, struct sm_line *out, const char *keyword,
                        struct sm_word w, struct sm_err *err)
{
    int i = keyword_index(r->cmd, keyword);
    if (i < 0)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" does not accept a %s (column %zu).",
                          r->cmd->name, keyword, w.column);
    if (out->keyword_values[i])
        return sm_err_set(err, SM_ERR_USAGE, "Duplicate %s: \"%s\".", keyword, w.text.p);
    if (r->cmd->args[i].kind == SM_ARG_WORD &&
        !sm_reader_one_of(r->cmd->args[i].words, keyword, &w, err))
        return false;
    out->keyword_values[i] = sm_reader_new_word(r, w);
    return true;
}

/* "@100", "@eval:12", "@100/worker_1", "@eval", "@12:30:05", "@-10m". */
static bool read_at(struct sm_reader *r, struct sm_line *out, struct sm_word w, struct sm_err *err)
{
    struct sm_place_words at;
    if (!sm_place_split(w.text, &at))
        return sm_err_set(err, SM_ERR_USAGE, "Expected a step after \"@\".");
    const struct {
        const char *keyword;
        struct sm_text text;
    } parts[] = {{"worker", at.worker}, {"mode", at.mode}, {"step", at.step}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct sm_word part = w;
        part.text = sm_reader_keep(r->arena, parts[i].text.p, parts[i].text.n);
        if (parts[i].text.n && !set_keyword(r, out, parts[i].keyword, part, err))
            return false;
    }
    return true;
}

/* Positional argument n, from 0. The last one may repeat. NULL if there are no more. */
static const struct sm_arg *positional_arg(const struct sm_cmd *cmd, size_t n)
{
    for (const struct sm_arg *a = cmd->args; a && a->name; a++) {
        if (a->keyword)
            continue;
        if (n == 0 || a->repeats)
            return a;
        n--;
    }
    return NULL;
}

/* True if the word is a step without the keyword: `tensor conv0_weight 100`. */
static bool is_bare_step(const struct sm_reader *r, const struct sm_line *out,
                         const struct sm_arg *a, const struct sm_word *w)
{
    int step = keyword_index(r->cmd, "step");
    if (step < 0 || out->keyword_values[step] || w->quoted || !out->n_words || r->literal)
        return false;
    return !a || ((a->kind == SM_ARG_TENSOR || a->kind == SM_ARG_PATTERN) &&
                  sm_reader_looks_like_step(w->text.p));
}

/* "help info collection" */
static const char *help_topic(const struct sm_reader *r)
{
    return r->parent ? sm_arena_xprintf(r->arena, "%s %s", r->parent->name, r->cmd->name)
                     : r->cmd->name;
}

/* "tensor NAME [0]": a slice directly after the name belongs to it. */
static bool join_slice(const struct sm_reader *r, struct sm_line *out, const struct sm_word *w)
{
    struct sm_word *name = out->n_words ? &out->words[out->n_words - 1] : NULL;
    const struct sm_arg *a = name ? positional_arg(r->cmd, out->n_words - 1) : NULL;
    size_t before = w->column - 1;
    bool is_slice = !w->quoted && !r->literal && !w->slice.n && w->text.n > 2 &&
                    w->text.p[0] == '[' && w->text.p[w->text.n - 1] == ']';
    if (!a || a->kind != SM_ARG_TENSOR || !is_slice || name->slice.n)
        return false;
    while (before > r->after_word && sm_reader_blank(r->p[before - 1]))
        before--;
    if (before == r->after_word)
        name->slice = w->text;
    return before == r->after_word;
}

/* Some commands take the name of a tensor without a slice. */
static bool check_slice(const struct sm_reader *r, const struct sm_line *out, struct sm_err *err)
{
    const struct sm_word *w = &out->words[out->n_words - 1];
    const struct sm_arg *a = positional_arg(r->cmd, out->n_words - 1);
    return !w->slice.n || a->kind != SM_ARG_TENSOR || !a->whole ||
           sm_err_set(err, SM_ERR_USAGE,
                      "\"%s\" takes a tensor without a slice: \"%s\".  Quote a name that "
                      "contains brackets.",
                      help_topic(r), w->slice.p);
}

static bool add_word(struct sm_reader *r, struct sm_line *out, size_t *cap, struct sm_word w,
                     struct sm_err *err)
{
    const struct sm_arg *a = positional_arg(r->cmd, out->n_words);
    if (is_bare_step(r, out, a, &w))
        return set_keyword(r, out, "step", w, err);
    if (join_slice(r, out, &w))
        return check_slice(r, out, err);
    if (!a)
        return sm_err_set(err, SM_ERR_USAGE, "Too many arguments: \"%s\".  Try \"help %s\".",
                          w.text.p, help_topic(r));
    struct sm_err other = {0};
    if (a->kind == SM_ARG_WORD &&
        !sm_reader_one_of(a->words, r->cmd->name, &w, a->may_lack ? &other : err) && !a->may_lack)
        return false;
    if (out->n_words == *cap) {
        struct sm_word *more = sm_arena_xalloc(r->arena, (2 * *cap + 4) * sizeof *more);
        if (out->n_words)
            memcpy(more, out->words, out->n_words * sizeof *more);
        out->words = more;
        *cap = 2 * *cap + 4;
    }
    out->words[out->n_words++] = w;
    r->after_word = r->at;
    return check_slice(r, out, err);
}

/* The index of the argument whose keyword the next word is, or -1. */
static int next_keyword(const struct sm_reader *r)
{
    size_t end = r->at;
    while (end < r->n && !sm_reader_blank(r->p[end]))
        end++;
    for (int i = 0; !r->literal && r->cmd->args && r->cmd->args[i].name; i++) {
        const char *k = r->cmd->args[i].keyword;
        if (k && strlen(k) == end - r->at && memcmp(k, r->p + r->at, end - r->at) == 0)
            return i;
    }
    return -1;
}

/* Reads an option without its dash, if it may be written so. */
static bool read_bare_option(struct sm_reader *r, struct sm_line *out)
{
    size_t end = r->at;
    while (end < r->n && !sm_reader_blank(r->p[end]))
        end++;
    const struct sm_option *o = sm_reader_option(r->cmd, r->p + r->at, end - r->at);
    if (r->literal || !o || !o->bare)
        return false;
    out->option_values[o - r->cmd->options] = sm_reader_new_word(
        r, (struct sm_word){.text = sm_reader_keep(r->arena, r->p + r->at, end - r->at),
                            .column = r->at + 1});
    r->at = end;
    return true;
}

static bool read_keyword(struct sm_reader *r, struct sm_line *out, int i, struct sm_err *err)
{
    const struct sm_arg *a = &r->cmd->args[i];
    struct sm_word w;
    r->at += strlen(a->keyword);
    sm_reader_skip(r);
    if (r->at == r->n)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" requires a value (%s).", a->keyword, a->name);
    if (!sm_reader_value(r, a->kind, true, &w, err))
        return false;
    if (a->kind == SM_ARG_STEP && !w.quoted && w.text.p[0] == '@' &&
        keyword_index(r->cmd, "step") == i)
        return read_at(r, out, w, err);
    return set_keyword(r, out, a->keyword, w, err);
}

/* Whether an argument or option that is an expression was read. */
static bool has_expression(const struct sm_cmd *cmd, const struct sm_line *out)
{
    for (size_t i = 0; cmd->args && cmd->args[i].name; i++)
        if (cmd->args[i].kind == SM_ARG_EXPR && out->keyword_values[i])
            return true;
    for (size_t i = 0; cmd->options && cmd->options[i].name; i++)
        if (cmd->options[i].kind == SM_ARG_EXPR && out->option_values[i])
            return true;
    return false;
}

/* Reads the next word, option or keyword argument. Sets *done at a comment, a redirection or the
 * end. */
static bool read_item(struct sm_reader *r, struct sm_line *out, size_t *cap, bool *done,
                      struct sm_err *err)
{
    sm_reader_skip(r);
    *done = r->at == r->n || r->p[r->at] == '#';
    if (*done)
        return true;
    if (sm_reader_redirect(r, false)) {
        *done = true;
        return sm_reader_target(r, has_expression(r->cmd, out), out, err);
    }
    if (!r->literal && r->n - r->at >= 2 && memcmp(r->p + r->at, "--", 2) == 0 &&
        (r->at + 2 == r->n || sm_reader_blank(r->p[r->at + 2]))) {
        r->literal = true;
        r->at += 2;
        return true;
    }
    if (sm_reader_at_option(r))
        return sm_reader_read_option(r, out, err);
    if (read_bare_option(r, out))
        return true;
    int keyword = next_keyword(r);
    if (keyword >= 0)
        return read_keyword(r, out, keyword, err);
    const struct sm_arg *a = positional_arg(r->cmd, out->n_words);
    struct sm_word w;
    if (!sm_reader_value(r, a ? a->kind : SM_ARG_TEXT, true, &w, err))
        return false;
    if (!r->literal && !w.quoted && w.text.p[0] == '@' && keyword_index(r->cmd, "step") >= 0)
        return read_at(r, out, w, err);
    return add_word(r, out, cap, w, err);
}

static bool check_required(const struct sm_reader *r, const struct sm_line *out, struct sm_err *err)
{
    const struct sm_cmd *cmd = r->cmd;
    size_t at = 0;
    for (size_t i = 0; cmd->args && cmd->args[i].name; i++) {
        const struct sm_arg *a = &cmd->args[i];
        bool given = a->keyword ? out->keyword_values[i] != NULL : at++ < out->n_words;
        if (a->required && !given)
            return sm_err_set(err, SM_ERR_USAGE, "Argument required (%s%s%s).  Try \"help %s\".",
                              a->keyword ? a->keyword : "", a->keyword ? " " : "", a->name,
                              help_topic(r));
    }
    return true;
}

bool sm_reader_words(struct sm_reader *r, struct sm_line *out, struct sm_err *err)
{
    size_t cap = 0;
    bool done = false;
    while (!done)
        if (!read_item(r, out, &cap, &done, err))
            return false;
    return out->help || check_required(r, out, err);
}
