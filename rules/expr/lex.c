/* SPDX-License-Identifier: Apache-2.0 */
/* Splits the text of an expression into tokens. */
#include "rules/expr/ast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBER_MAX = 400, /* bytes of a number */
    KNOWN_MAX = 1024  /* bytes of a bare name that is looked up */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

size_t sm_expr_word_end(struct sm_text text, size_t at, const char *joins)
{
    for (; at < text.n; at++) {
        bool more = at + 1 < text.n && (is_letter(text.p[at + 1]) || is_digit(text.p[at + 1]));
        if (!is_letter(text.p[at]) && !is_digit(text.p[at]) &&
            !(is_one_of(text.p[at], joins) && more))
            break;
    }
    return at;
}

static bool lex_error(size_t at, struct sm_err *err, const char *what)
{
    return sm_err_set(err, SM_ERR_USAGE, "%s at column %zu", what, at + 1);
}

/* ---- numbers ---- */

/* k m g are powers of 1000, Ki Mi Gi of 1024. 1 if there is no suffix, or it is part of a word. */
static double number_suffix(const char *p, size_t *used)
{
    static const struct {
        const char *text;
        double factor;
    } table[] = {{"Ki", 1024}, {"Mi", 1048576}, {"Gi", 1073741824},
                 {"k", 1e3},   {"m", 1e6},      {"g", 1e9}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t n = strlen(table[i].text);
        if (strncmp(p, table[i].text, n) == 0 && !is_letter(p[n]) && !is_digit(p[n])) {
            *used += n;
            return table[i].factor;
        }
    }
    return 1;
}

/* An integer if the product is one that a double holds. */
static struct sm_exact times(const struct sm_exact *x, double factor)
{
    double v = x->real * factor;
    bool whole = fabs(v) < 0x1p53 && v == floor(v);
    return whole ? sm_exact_integer(sm_integer_of((int64_t)v)) : sm_exact_real(v);
}

static bool lex_number(struct sm_text text, size_t at, struct sm_expr_token *out,
                       struct sm_err *err)
{
    char copy[NUMBER_MAX + 1] = {0}, *end;
    memcpy(copy, text.p + at, text.n - at < NUMBER_MAX ? text.n - at : NUMBER_MAX);
    out->type = SM_TOK_NUMBER;
    out->number = sm_exact_parse(copy, &end);
    if (end == copy || end == copy + NUMBER_MAX)
        return lex_error(at, err, end == copy ? "expected a number" : "number too long");
    size_t used = (size_t)(end - copy);
    double factor = number_suffix(end, &used);
    if (factor != 1)
        out->number = times(&out->number, factor);
    out->end = at + used;
    return true;
}

/* ---- quoted strings and names ---- */

/* C escapes, only in "..."; *i is the index of the byte after the backslash. */
static char read_escape(struct sm_text text, size_t *i)
{
    static const char from[] = "ntr0", to[] = "\n\t\r";
    char c = text.p[*i];
    const char *found = c ? strchr(from, c) : NULL;
    if (c == 'x' && *i + 2 < text.n) {
        char digits[3] = {text.p[*i + 1], text.p[*i + 2], 0}, *end;
        long v = strtol(digits, &end, 16);
        if (end == digits + 2 && v >= 0) {
            *i += 2;
            return (char)v;
        }
    }
    return found ? to[found - from] : c;
}

static bool lex_quoted(struct sm_text text, size_t at, struct sm_arena *arena,
                       struct sm_expr_token *out, struct sm_err *err)
{
    char quote = text.p[at];
    struct sm_str s = {0};
    size_t i = at + 1;
    for (; i < text.n && text.p[i] != quote; i++) {
        bool escaped = text.p[i] == '\\' && quote == '"' && i + 1 < text.n;
        i += escaped;
        sm_str_addc(&s, escaped ? read_escape(text, &i) : text.p[i]);
    }
    out->type = quote == '`' ? SM_TOK_QUOTED_NAME : SM_TOK_STRING;
    out->text = (struct sm_text){sm_arena_strndup(arena, sm_str_text(&s), s.len), s.len};
    out->end = i + 1;
    bool failed = s.failed || !out->text.p;
    sm_str_clear(&s);
    if (failed)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for an expression");
    return i < text.n || lex_error(at, err,
                                   quote == '`' ? "no closing backtick for the one"
                                                : "no closing quote for the one");
}

/* ---- bare names ---- */

static bool is_known(const struct sm_expr_names *names, struct sm_text name)
{
    return (names->trial && sm_trial_find(names->trial, name.p, name.n)) ||
           (names->subject && sm_text_is(name, "x"));
}

/* The end of the longest known name that starts at `at` and ends at `end` or before; 0 if none. */
static size_t longest_known(const struct sm_expr_names *names, struct sm_text text, size_t at,
                            size_t end)
{
    if (end - at > KNOWN_MAX)
        return 0;
    for (size_t i = end; i > at; i--)
        if ((i == end || is_one_of(text.p[i], "/:-")) &&
            is_known(names, (struct sm_text){text.p + at, i - at}))
            return i;
    return 0;
}

/* Guesses the end of a name without a trial: a keyword ends it (nan:loss), and so does the / or :
 * before a function call (a/mean(b)). */
static size_t guess_name_end(struct sm_text text, size_t at, size_t plain, size_t greedy)
{
    struct sm_text first = {text.p + at, plain - at};
    size_t next = greedy;
    if (sm_text_is(first, "nan") || sm_text_is(first, "inf") || sm_text_is(first, "true") ||
        sm_text_is(first, "false"))
        return plain;
    while (next < text.n && text.p[next] == ' ')
        next++;
    if (next == text.n || text.p[next] != '(')
        return greedy;
    for (size_t i = greedy; i > plain; i--)
        if (is_one_of(text.p[i], "/:"))
            return i;
    return plain;
}

static void lex_name(struct sm_text text, size_t at, struct sm_expr_names *names,
                     struct sm_expr_token *out)
{
    size_t plain = sm_expr_word_end(text, at, "."), greedy = sm_expr_word_end(text, at, "/:."),
           all = sm_expr_word_end(text, at, "/:.-");
    out->type = SM_TOK_NAME;
    out->end = plain;
    if (plain < all) {
        names->ambiguous = true;
        out->end = longest_known(names, text, at, all);
        if (!out->end)
            out->end = names->split ? plain : guess_name_end(text, at, plain, greedy);
    }
    out->text = (struct sm_text){text.p + at, out->end - at};
}

static void lex_variable(struct sm_text text, size_t at, struct sm_expr_token *out)
{
    size_t i = at + 1;
    while (i < text.n && text.p[i] == '$')
        i++;
    out->end = sm_expr_word_end(text, i, "");
    out->type = SM_TOK_VARIABLE;
    out->text = (struct sm_text){text.p + at + 1, out->end - at - 1};
}

static bool lex_operator(struct sm_text text, size_t at, struct sm_expr_token *out,
                         struct sm_err *err)
{
    static const struct {
        const char *text;
        enum sm_expr_token_type type;
    } table[] = {
        {"||", SM_TOK_OR},    {"&&", SM_TOK_AND},     {"==", SM_TOK_EQ},      {"!=", SM_TOK_NE},
        {"<=", SM_TOK_LE},    {">=", SM_TOK_GE},      {"**", SM_TOK_POWER},   {"<", SM_TOK_LT},
        {">", SM_TOK_GT},     {"+", SM_TOK_PLUS},     {"-", SM_TOK_MINUS},    {"*", SM_TOK_STAR},
        {"/", SM_TOK_SLASH},  {"%", SM_TOK_PERCENT},  {"^", SM_TOK_POWER},    {"!", SM_TOK_NOT},
        {"(", SM_TOK_LPAREN}, {")", SM_TOK_RPAREN},   {"[", SM_TOK_LBRACKET}, {",", SM_TOK_COMMA},
        {"@", SM_TOK_AT},     {"?", SM_TOK_QUESTION}, {":", SM_TOK_COLON},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t n = strlen(table[i].text);
        if (text.n - at >= n && memcmp(text.p + at, table[i].text, n) == 0) {
            out->type = table[i].type;
            out->end = at + n;
            return true;
        }
    }
    return sm_err_set(err, SM_ERR_USAGE, "unexpected \"%c\" at column %zu", text.p[at], at + 1);
}

bool sm_expr_lex(struct sm_text text, size_t at, struct sm_expr_names *names,
                 struct sm_arena *arena, struct sm_expr_token *out, struct sm_err *err)
{
    while (at < text.n && is_one_of(text.p[at], " \t\n"))
        at++;
    *out = (struct sm_expr_token){.type = SM_TOK_END, .at = at, .end = at};
    if (at == text.n)
        return true;
    char c = text.p[at];
    if (is_digit(c) || (c == '.' && at + 1 < text.n && is_digit(text.p[at + 1])))
        return lex_number(text, at, out, err);
    if (is_one_of(c, "\"'`"))
        return lex_quoted(text, at, arena, out, err);
    if (is_letter(c)) {
        lex_name(text, at, names, out);
        return true;
    }
    if (c == '$') {
        lex_variable(text, at, out);
        return true;
    }
    return lex_operator(text, at, out, err);
}
