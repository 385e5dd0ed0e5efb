/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/run_filter.h"

#include "commands/place/kept_regex.h"
#include "reader/logs/log_json.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { DEPTH_MAX = 100 };
enum operator{
    OR,
    AND,
    NOT,
    ALONE,
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_EQUAL,
    MORE,
    MORE_EQUAL,
    LIKE,
    NOT_LIKE
};
struct sm_run_filter {
    enum operator op;
    struct sm_run_filter *left, *right; /* OR, AND; NOT: left */
    struct sm_text name;                /* of a test */
    struct sm_run_value operand;
    bool regex; /* operand of ~, or the name alone, is a regular expression */
};
struct parser {
    struct sm_text text;
    size_t at;
    unsigned depth;
    struct sm_arena *arena;
    struct sm_err *err;
};

/* ---- reading ---- */

static void skip_blanks(struct parser *p)
{
    while (p->at < p->text.n && isspace((unsigned char)p->text.p[p->at]))
        p->at++;
}

static bool set_unexpected(struct parser *p, const char *expected)
{
    return sm_err_set(p->err, SM_ERR_USAGE, "Expected %s at column %zu.", expected, p->at + 1);
}

static bool take(struct parser *p, const char *symbol)
{
    size_t n = strlen(symbol);
    skip_blanks(p);
    if (p->text.n - p->at < n || strncmp(p->text.p + p->at, symbol, n) != 0)
        return false;
    p->at += n;
    return true;
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || strchr("_./-+:@*?", c);
}

static struct sm_text word_here(const struct parser *p)
{
    size_t end = p->at;
    while (end < p->text.n && is_word_char(p->text.p[end]))
        end++;
    return (struct sm_text){p->text.p + p->at, end - p->at};
}

static bool take_word(struct parser *p, const char *word)
{
    skip_blanks(p);
    struct sm_text w = word_here(p);
    if (w.n != strlen(word) || strncasecmp(w.p, word, w.n) != 0)
        return false;
    p->at += w.n;
    return true;
}

/* A quoted text: no escapes, up to the same quote. */
static bool take_quoted(struct parser *p, const char *quotes, struct sm_text *out)
{
    if (p->at >= p->text.n || !strchr(quotes, p->text.p[p->at]))
        return false;
    const char *from = p->text.p + p->at + 1;
    const char *end = memchr(from, p->text.p[p->at], p->text.n - p->at - 1);
    if (!end)
        return false;
    *out = (struct sm_text){from, (size_t)(end - from)};
    p->at = (size_t)(end + 1 - p->text.p);
    return true;
}

/* 0-terminated. */
static struct sm_text keep(struct parser *p, struct sm_text t)
{
    return (struct sm_text){sm_arena_xprintf(p->arena, "%.*s", (int)t.n, t.p), t.n};
}

static bool read_name(struct parser *p, struct sm_text *out)
{
    skip_blanks(p);
    bool quoted = take_quoted(p, "`\"'", out);
    if (!quoted)
        *out = word_here(p);
    p->at += quoted ? 0 : out->n;
    *out = keep(p, *out);
    return quoted || out->n || set_unexpected(p, "a name");
}

/* "/re/": its end is a slash with nothing of a word after it. A filter that is only the start of
 * one is being typed. */
static bool take_regex(struct parser *p, struct sm_text *out)
{
    skip_blanks(p);
    size_t from = p->at + 1, to = from;
    if (p->at >= p->text.n || p->text.p[p->at] != '/')
        return false;
    while (to < p->text.n && (p->text.p[to] != '/' || p->text.p[to - 1] == '\\' ||
                              (to + 1 < p->text.n && is_word_char(p->text.p[to + 1]))))
        to++;
    if (to >= p->text.n && from > 1)
        return false;
    *out = keep(p, (struct sm_text){p->text.p + from, to - from});
    p->at = to < p->text.n ? to + 1 : to;
    return out->n;
}

static bool read_operand(struct parser *p, struct sm_run_value *out)
{
    skip_blanks(p);
    out->type = SM_RUN_TEXT;
    bool quoted = p->at < p->text.n && strchr("\"'", p->text.p[p->at]);
    if (!read_name(p, &out->text))
        return false;
    if (quoted)
        return true;
    if (sm_log_number(out->text.p, out->text.n, &out->number))
        out->type = SM_RUN_NUMBER;
    else if (sm_text_is(out->text, "true") || sm_text_is(out->text, "false"))
        *out = (struct sm_run_value){
            .type = SM_RUN_NUMBER, .number = sm_text_is(out->text, "true"), .text = out->text};
    return true;
}

static struct sm_run_filter *new_filter(struct parser *p, enum operator op)
{
    struct sm_run_filter *f = sm_arena_xalloc(p->arena, sizeof *f);
    *f = (struct sm_run_filter){.op = op};
    return f;
}

static bool read_or(struct parser *p, struct sm_run_filter **out);

static bool read_test(struct parser *p, struct sm_run_filter **out)
{
    static const struct {
        const char *symbol;
        enum operator op;
    } operators[] = {{"==", EQUAL},    {"!=", NOT_EQUAL}, {"<=", LESS_EQUAL}, {">=", MORE_EQUAL},
                     {"!~", NOT_LIKE}, {"=~", LIKE},      {"<", LESS},        {">", MORE},
                     {"=", EQUAL},     {"~", LIKE}};
    struct sm_run_filter *f = *out = new_filter(p, ALONE);
    f->regex = take_regex(p, &f->name);
    if (f->regex)
        return sm_kept_regex_check(f->name, p->err);
    if (!read_name(p, &f->name))
        return false;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (take(p, operators[i].symbol)) {
            f->op = operators[i].op;
            bool like = f->op == LIKE || f->op == NOT_LIKE;
            f->regex = like && take_regex(p, &f->operand.text);
            return f->regex ? sm_kept_regex_check(f->operand.text, p->err)
                            : read_operand(p, &f->operand);
        }
    return true;
}

static bool read_not(struct parser *p, struct sm_run_filter **out)
{
    bool negated = take_word(p, "not") || take(p, "!"), ok;
    if (++p->depth > DEPTH_MAX)
        return sm_err_set(p->err, SM_ERR_LIMIT, "The filter is nested deeper than %d.", DEPTH_MAX);
    if (negated) {
        *out = new_filter(p, NOT);
        ok = read_not(p, &(*out)->left);
    } else if (take(p, "(")) {
        ok = read_or(p, out) && (take(p, ")") || set_unexpected(p, "\")\""));
    } else {
        ok = read_test(p, out);
    }
    p->depth--;
    return ok;
}

static bool read_and(struct parser *p, struct sm_run_filter **out)
{
    bool ok = read_not(p, out);
    while (ok && (take(p, "&&") || take_word(p, "and"))) {
        struct sm_run_filter *f = new_filter(p, AND);
        f->left = *out;
        *out = f;
        ok = read_not(p, &f->right);
    }
    return ok;
}

static bool read_or(struct parser *p, struct sm_run_filter **out)
{
    bool ok = read_and(p, out);
    while (ok && (take(p, "||") || take_word(p, "or"))) {
        struct sm_run_filter *f = new_filter(p, OR);
        f->left = *out;
        *out = f;
        ok = read_and(p, &f->right);
    }
    return ok;
}

bool sm_run_filter_parse(struct sm_text text, struct sm_arena *arena, struct sm_run_filter **out,
                         struct sm_err *err)
{
    struct parser p = {.text = text, .arena = arena, .err = err};
    if (!read_or(&p, out))
        return false;
    skip_blanks(&p);
    return p.at == text.n || set_unexpected(&p, "an operator");
}

/* ---- matching ---- */

static bool contains(struct sm_text text, struct sm_text part)
{
    for (size_t i = 0; i + part.n <= text.n; i++)
        if (strncasecmp(text.p + i, part.p, part.n) == 0)
            return true;
    return false;
}

static bool is_like(const struct sm_run_value *v, struct sm_text pattern)
{
    bool glob = memchr(pattern.p, '*', pattern.n) || memchr(pattern.p, '?', pattern.n);
    return glob ? sm_glob_match(pattern.p, v->text.p) : contains(v->text, pattern);
}

/* Less than 0, 0, or more; of numbers that are not comparable, NaN. */
static double compare(const struct sm_run_value *a, const struct sm_run_value *b)
{
    if (a->type == SM_RUN_NUMBER && b->type == SM_RUN_NUMBER)
        return a->number < b->number    ? -1
               : a->number > b->number  ? 1
               : a->number == b->number ? 0
                                        : (double)NAN;
    size_t n = a->text.n < b->text.n ? a->text.n : b->text.n;
    int order = memcmp(a->text.p, b->text.p, n);
    return order ? order : a->text.n < b->text.n ? -1 : a->text.n == b->text.n ? 0 : 1;
}

static bool test(const struct sm_run_filter *f, const struct sm_run_value *v)
{
    bool negative = f->op == NOT_EQUAL || f->op == NOT_LIKE;
    if (v->type == SM_RUN_MISSING)
        return negative;
    if (f->regex)
        return sm_kept_regex_matches(f->operand.text, v->text) != negative;
    if (f->op == LIKE || f->op == NOT_LIKE)
        return is_like(v, f->operand.text) != negative;
    double order = compare(v, &f->operand);
    switch (f->op) {
    case EQUAL:
        return order == 0;
    case NOT_EQUAL:
        return order != 0;
    case LESS:
        return order < 0;
    case LESS_EQUAL:
        return order <= 0;
    case MORE:
        return order > 0;
    default:
        return order >= 0;
    }
}

static bool is_true(const struct sm_run_value *v)
{
    return v->type == SM_RUN_NUMBER ? v->number != 0 : v->type == SM_RUN_TEXT && v->text.n;
}

bool sm_run_filter_matches(const struct sm_run_filter *f,
                           bool (*value)(void *ctx, struct sm_text name, struct sm_run_value *out),
                           void *ctx, struct sm_text run_name)
{
    struct sm_run_value v = {.type = SM_RUN_MISSING};
    switch (f->op) {
    case OR:
        return sm_run_filter_matches(f->left, value, ctx, run_name) ||
               sm_run_filter_matches(f->right, value, ctx, run_name);
    case AND:
        return sm_run_filter_matches(f->left, value, ctx, run_name) &&
               sm_run_filter_matches(f->right, value, ctx, run_name);
    case NOT:
        return !sm_run_filter_matches(f->left, value, ctx, run_name);
    case ALONE:
        if (f->regex)
            return sm_kept_regex_matches(f->name, run_name);
        if (value(ctx, f->name, &v))
            return is_true(&v);
        v = (struct sm_run_value){.type = SM_RUN_TEXT, .text = run_name};
        return is_like(&v, f->name);
    default:
        value(ctx, f->name, &v);
        return test(f, &v);
    }
}

const char *sm_run_filter_unknown(const struct sm_run_filter *f,
                                  bool (*value)(void *ctx, struct sm_text name,
                                                struct sm_run_value *out),
                                  void *ctx)
{
    struct sm_run_value v = {.type = SM_RUN_MISSING};
    if (f->op == ALONE)
        return NULL;
    if (f->op != OR && f->op != AND && f->op != NOT)
        return value(ctx, f->name, &v) ? NULL : f->name.p;
    const char *left = sm_run_filter_unknown(f->left, value, ctx);
    return left || !f->right ? left : sm_run_filter_unknown(f->right, value, ctx);
}
