#include "rules/expr/ast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool bad(size_t at, struct sm_err *err, const char *what)
{
    return sm_err_set(err, SM_ERR_USAGE, "%s at column %zu", what, at + 1);
}

/* k m g by thousands, Ki Mi Gi by 1024. Letters that go on are no suffix. */
static double suffix(const char *p, size_t *used)
{
    static const struct {
        const char *text;
        double factor;
    } table[] = {{"Ki", 1024}, {"Mi", 1048576}, {"Gi", 1073741824}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t n = strlen(table[i].text);
        if (strncmp(p, table[i].text, n) == 0 && !is_letter(p[n]) && !is_digit(p[n])) {
            *used += n;
            return table[i].factor;
        }
    }
    return 1;
}

static bool lex_number(const char *copy, size_t at, struct sm_token *out, struct sm_err *err)
{
    char *end, *int_end;
    out->type = SM_TOK_NUMBER;
    out->number = sm_parse_double(copy, &end);
    if (end == copy)
        return bad(at, err, "number expected");
    out->integer = strtoll(copy, &int_end, 0);
    out->is_int = int_end == end && out->integer != INT64_MAX && (copy[0] != '0' || end - copy == 1 || copy[1] == 'x');
    size_t used = (size_t)(end - copy);
    double factor = suffix(end, &used);
    if (factor != 1) {
        out->number *= factor;
        out->is_int = out->is_int && fabs(out->number) < 0x1p53;
        out->integer = out->is_int ? (int64_t)out->number : 0;
    }
    out->end = at + used;
    return true;
}

static bool lex_quoted(struct sm_text text, size_t at, struct sm_arena *arena, struct sm_token *out, struct sm_err *err)
{
    char quote = text.p[at];
    struct sm_str s = {0};
    size_t i = at + 1;
    for (; i < text.n && text.p[i] != quote; i++) {
        if (text.p[i] == '\\' && quote == '"' && i + 1 < text.n)
            i++;
        sm_str_addc(&s, text.p[i]);
    }
    if (i == text.n) {
        sm_str_clear(&s);
        return bad(at, err, quote == '`' ? "no closing backtick for the one" : "no closing quote for the one");
    }
    char *copy = sm_arena_strndup(arena, sm_str_text(&s), s.len);
    out->type = quote == '`' ? SM_TOK_QUOTED_NAME : SM_TOK_STRING;
    out->text = (struct sm_text){copy, s.len};
    out->end = i + 1;
    sm_str_clear(&s);
    return copy || sm_err_set(err, SM_ERR_MEMORY, "no memory for an expression");
}

/* Bare names go on over / : . where a letter or digit follows: gradient/conv0:0 is one name. Put blanks around a division
 * of two tensors, or backticks around names. */
static void lex_name(struct sm_text text, size_t at, struct sm_token *out)
{
    size_t i = at;
    while (i < text.n && (is_letter(text.p[i]) || is_digit(text.p[i]) ||
                          (strchr("/:.", text.p[i]) && i + 1 < text.n && (is_letter(text.p[i + 1]) || is_digit(text.p[i + 1])))))
        i++;
    out->type = SM_TOK_NAME;
    out->text = (struct sm_text){text.p + at, i - at};
    out->end = i;
}

static void lex_variable(struct sm_text text, size_t at, struct sm_token *out)
{
    size_t i = at + 1;
    while (i < text.n && text.p[i] == '$')
        i++;
    while (i < text.n && (is_letter(text.p[i]) || is_digit(text.p[i])))
        i++;
    out->type = SM_TOK_VARIABLE;
    out->text = (struct sm_text){text.p + at + 1, i - at - 1};
    out->end = i;
}

static bool lex_operator(struct sm_text text, size_t at, struct sm_token *out, struct sm_err *err)
{
    static const struct {
        const char *text;
        enum sm_token_type type;
    } table[] = {{"||", SM_TOK_OR}, {"&&", SM_TOK_AND}, {"==", SM_TOK_EQ}, {"!=", SM_TOK_NE}, {"<=", SM_TOK_LE}, {">=", SM_TOK_GE},
                 {"**", SM_TOK_POWER}, {"<", SM_TOK_LT}, {">", SM_TOK_GT}, {"+", SM_TOK_PLUS}, {"-", SM_TOK_MINUS},
                 {"*", SM_TOK_STAR}, {"/", SM_TOK_SLASH}, {"%", SM_TOK_PERCENT}, {"^", SM_TOK_POWER}, {"!", SM_TOK_NOT},
                 {"(", SM_TOK_LPAREN}, {")", SM_TOK_RPAREN}, {"[", SM_TOK_LBRACKET}, {",", SM_TOK_COMMA}, {"@", SM_TOK_AT},
                 {"?", SM_TOK_QUESTION}, {":", SM_TOK_COLON}};
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

bool sm_expr_lex(struct sm_text text, size_t at, struct sm_arena *arena, struct sm_token *out, struct sm_err *err)
{
    while (at < text.n && (text.p[at] == ' ' || text.p[at] == '\t'))
        at++;
    *out = (struct sm_token){.type = SM_TOK_END, .at = at, .end = at};
    if (at == text.n)
        return true;
    char c = text.p[at];
    if (is_digit(c) || (c == '.' && at + 1 < text.n && is_digit(text.p[at + 1]))) {
        char copy[64] = {0};             /* longer literals are cut: the rest fails to parse */
        size_t n = text.n - at < sizeof copy - 1 ? text.n - at : sizeof copy - 1;
        memcpy(copy, text.p + at, n);
        return lex_number(copy, at, out, err);
    }
    if (c == '"' || c == '\'' || c == '`')
        return lex_quoted(text, at, arena, out, err);
    if (is_letter(c)) {
        lex_name(text, at, out);
        return true;
    }
    if (c == '$') {
        lex_variable(text, at, out);
        return true;
    }
    return lex_operator(text, at, out, err);
}
