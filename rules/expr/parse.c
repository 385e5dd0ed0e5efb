/* A Pratt parser: a row a token says how it begins an expression and how it goes on (as in wren). */
#include "rules/expr/ast.h"

#include <math.h>
#include <string.h>

enum { TEXT_MAX = 64 * 1024, DEPTH_MAX = 200 };

enum power { P_NONE, P_TERNARY, P_RANGE, P_OR, P_AND, P_EQUAL, P_COMPARE, P_SUM, P_PRODUCT, P_UNARY, P_POWER, P_SUFFIX };

struct parser {
    struct sm_text text;
    struct sm_arena *arena;
    struct sm_token token, before;
    struct sm_err *err;
    int depth;
};

typedef struct sm_expr *prefix_fn(struct parser *p);
typedef struct sm_expr *infix_fn(struct parser *p, struct sm_expr *left);

static struct sm_expr *expression(struct parser *p, enum power least);

static struct sm_expr *fail(struct parser *p, const char *what)
{
    sm_err_set(p->err, SM_ERR_USAGE, "%s at column %zu", what, p->token.at + 1);
    return NULL;
}

static bool advance(struct parser *p)
{
    p->before = p->token;
    return sm_expr_lex(p->text, p->token.end, p->arena, &p->token, p->err);
}

static struct sm_expr *node(struct parser *p, enum sm_expr_type type)
{
    struct sm_expr *e = sm_arena_alloc(p->arena, sizeof *e);
    if (!e) {
        sm_err_set(p->err, SM_ERR_MEMORY, "no memory for an expression");
        return NULL;
    }
    e->type = type;
    e->op = p->before.type;
    e->column = p->before.at + 1;
    return e;
}

/* ---- beginnings ---- */

static struct sm_expr *number(struct parser *p)
{
    struct sm_expr *e = node(p, SM_EXPR_CONSTANT);
    if (e)
        e->constant = (struct sm_value){.type = SM_NUMBER, .number = p->before.number, .is_int = p->before.is_int,
                                        .integer = p->before.integer};
    return e;
}

static struct sm_expr *string(struct parser *p)
{
    struct sm_expr *e = node(p, SM_EXPR_CONSTANT);
    if (e)
        e->constant = (struct sm_value){.type = SM_STRING, .text = p->before.text};
    return e;
}

static struct sm_expr *call(struct parser *p, struct sm_token name)
{
    struct sm_expr *e = node(p, SM_EXPR_CALL);
    if (!e)
        return NULL;
    e->text = name.text;
    e->column = name.at + 1;
    e->func = sm_expr_func_find(name.text);
    if (!e->func) {
        sm_err_set(p->err, SM_ERR_USAGE, "no function \"%.*s\" at column %zu; \"help expressions\" lists them", (int)name.text.n,
                   name.text.p, e->column);
        return NULL;
    }
    if (!advance(p))
        return NULL;
    while (p->token.type != SM_TOK_RPAREN) {
        if (e->n_args == 4)
            return fail(p, "too many arguments");
        if (!(e->args[e->n_args++] = expression(p, P_TERNARY)))
            return NULL;
        if (p->token.type == SM_TOK_COMMA && !advance(p))
            return NULL;
        if (p->before.type != SM_TOK_COMMA && p->token.type != SM_TOK_RPAREN)
            return fail(p, "\",\" or \")\" expected");
    }
    if (e->n_args < e->func->public.min_args || e->n_args > e->func->public.max_args) {
        sm_err_set(p->err, SM_ERR_USAGE, "%s(%s) at column %zu has %u argument%s", e->func->public.name, e->func->public.args,
                   e->column, e->n_args, e->n_args == 1 ? "" : "s");
        return NULL;
    }
    return advance(p) ? e : NULL;
}

static struct sm_expr *name(struct parser *p)
{
    static const struct {
        const char *word;
        double value;
        enum sm_value_type type;
    } words[] = {{"nan", 0, SM_NUMBER}, {"inf", 1, SM_NUMBER}, {"true", 1, SM_BOOL}, {"false", 0, SM_BOOL}};
    struct sm_token t = p->before;
    if (p->token.type == SM_TOK_LPAREN && t.type == SM_TOK_NAME)
        return call(p, t);
    for (size_t i = 0; i < sizeof words / sizeof *words && t.type == SM_TOK_NAME; i++)
        if (sm_text_is(t.text, words[i].word)) {
            struct sm_expr *e = node(p, SM_EXPR_CONSTANT);
            if (e)
                e->constant = (struct sm_value){.type = words[i].type, .number = i == 0 ? (double)NAN : i == 1 ? (double)INFINITY : words[i].value};
            return e;
        }
    struct sm_expr *e = node(p, SM_EXPR_NAME);
    if (e) {
        e->text = t.text;
        e->quoted = t.type == SM_TOK_QUOTED_NAME;
    }
    return e;
}

static struct sm_expr *variable(struct parser *p)
{
    struct sm_expr *e = node(p, SM_EXPR_VARIABLE);
    if (e)
        e->text = p->before.text;
    return e;
}

static struct sm_expr *group(struct parser *p)
{
    struct sm_expr *e = expression(p, P_TERNARY);
    if (!e)
        return NULL;
    if (p->token.type != SM_TOK_RPAREN)
        return fail(p, "\")\" expected");
    return advance(p) ? e : NULL;
}

static struct sm_expr *unary(struct parser *p)
{
    struct sm_expr *e = node(p, SM_EXPR_UNARY);
    if (!e || !(e->args[0] = expression(p, P_UNARY)))
        return NULL;
    e->n_args = 1;
    return e;
}

/* ---- continuations ---- */

static struct sm_expr *binary(struct parser *p, struct sm_expr *left);

static struct sm_expr *ternary(struct parser *p, struct sm_expr *left)
{
    struct sm_expr *e = node(p, SM_EXPR_TERNARY);
    if (!e || !(e->args[1] = expression(p, P_OR)))
        return NULL;
    e->args[0] = left;
    if (p->token.type != SM_TOK_COLON)
        return fail(p, "\":\" expected");
    if (!advance(p) || !(e->args[2] = expression(p, P_TERNARY)))
        return NULL;
    e->n_args = 3;
    return e;
}

static struct sm_expr *range(struct parser *p, struct sm_expr *left)
{
    struct sm_expr *e = node(p, SM_EXPR_RANGE);
    if (!e || !(e->args[1] = expression(p, P_OR)))
        return NULL;
    e->args[0] = left;
    e->n_args = 2;
    return e;
}

static struct sm_expr *slice(struct parser *p, struct sm_expr *left)
{
    struct sm_expr *e = node(p, SM_EXPR_SLICE);
    struct sm_slice *s = sm_arena_alloc(p->arena, sizeof *s);
    size_t used, at = p->before.at;
    if (!e || !s)
        return NULL;
    if (!sm_slice_parse(p->text.p + at, p->text.n - at, s, &used, p->err)) {
        sm_err_prefix(p->err, "after column %zu", at);
        return NULL;
    }
    e->slice = s;
    e->args[0] = left;
    e->n_args = 1;
    p->token.end = at + used;
    return advance(p) ? e : NULL;
}

static bool whole_number(struct parser *p, int64_t *n)
{
    if (p->token.type != SM_TOK_NUMBER || !p->token.is_int)
        return fail(p, "step number expected"), false;
    *n = p->token.integer;
    return advance(p);
}

static bool place_of_name(struct parser *p, struct sm_expr_place *x)
{
    struct sm_text word = p->token.text;
    const char *colon = memchr(word.p, ':', word.n);
    const char *slash = memchr(word.p, '/', word.n);
    if (sm_text_is(word, "all")) {
        x->all = true;
    } else if (sm_text_is(word, "first")) {
        x->first = true;
    } else if (sm_text_is(word, "last")) {
        x->last = true;
    } else if (colon) {
        struct sm_token n;
        x->mode = (enum sm_mode)sm_mode_of_name(word.p, (size_t)(colon - word.p));
        struct sm_text rest = {colon + 1, word.n - (size_t)(colon + 1 - word.p)};
        if (slash)
            rest.n = (size_t)(slash - rest.p);
        if (!x->mode || !sm_expr_lex(rest, 0, p->arena, &n, p->err) || n.type != SM_TOK_NUMBER || !n.is_int)
            return fail(p, "MODE:STEP expected"), false;
        x->n = n.integer;
        if (slash) {
            x->has_worker = true;
            x->worker = (struct sm_text){slash + 1, word.n - (size_t)(slash + 1 - word.p)};
        }
    } else {
        return fail(p, "step, MODE:STEP, first, last or all expected"), false;
    }
    return advance(p);
}

/* @100, @-5, @first, @eval:12, @100/worker_1, @all */
static struct sm_expr *place(struct parser *p, struct sm_expr *left)
{
    struct sm_expr *e = left;
    while (e && e->type == SM_EXPR_SLICE)
        e = e->args[0];
    if (!e || e->type != SM_EXPR_NAME)
        return fail(p, "a step belongs to a tensor's name");
    struct sm_expr_place *x = &e->place;
    x->given = true;
    if (p->token.type == SM_TOK_NAME)
        return place_of_name(p, x) ? left : NULL;
    bool minus = p->token.type == SM_TOK_MINUS;
    x->relative = minus || p->token.type == SM_TOK_PLUS;
    if (x->relative && !advance(p))
        return NULL;
    if (!whole_number(p, &x->n))
        return NULL;
    x->n = minus ? -x->n : x->n;
    if (p->token.type == SM_TOK_SLASH && p->token.at == p->before.end) {
        struct sm_token worker;
        if (sm_expr_lex(p->text, p->token.end, p->arena, &worker, NULL) && worker.type == SM_TOK_NAME && worker.at == p->token.end) {
            x->has_worker = true;
            x->worker = worker.text;
            if (!advance(p) || !advance(p))
                return NULL;
        }
    }
    return left;
}

static const struct {
    prefix_fn *prefix;
    infix_fn *infix;
    enum power power;
} rules[SM_TOK_TYPES] = {
    [SM_TOK_NUMBER] = {number, NULL, P_NONE},        [SM_TOK_STRING] = {string, NULL, P_NONE},
    [SM_TOK_NAME] = {name, NULL, P_NONE},            [SM_TOK_QUOTED_NAME] = {name, NULL, P_NONE},
    [SM_TOK_VARIABLE] = {variable, NULL, P_NONE},    [SM_TOK_LPAREN] = {group, NULL, P_NONE},
    [SM_TOK_LBRACKET] = {NULL, slice, P_SUFFIX},     [SM_TOK_AT] = {NULL, place, P_SUFFIX},
    [SM_TOK_QUESTION] = {NULL, ternary, P_TERNARY},  [SM_TOK_COLON] = {NULL, range, P_RANGE},
    [SM_TOK_OR] = {NULL, binary, P_OR},              [SM_TOK_AND] = {NULL, binary, P_AND},
    [SM_TOK_EQ] = {NULL, binary, P_EQUAL},           [SM_TOK_NE] = {NULL, binary, P_EQUAL},
    [SM_TOK_LT] = {NULL, binary, P_COMPARE},         [SM_TOK_LE] = {NULL, binary, P_COMPARE},
    [SM_TOK_GT] = {NULL, binary, P_COMPARE},         [SM_TOK_GE] = {NULL, binary, P_COMPARE},
    [SM_TOK_PLUS] = {unary, binary, P_SUM},          [SM_TOK_MINUS] = {unary, binary, P_SUM},
    [SM_TOK_STAR] = {NULL, binary, P_PRODUCT},       [SM_TOK_SLASH] = {NULL, binary, P_PRODUCT},
    [SM_TOK_PERCENT] = {NULL, binary, P_PRODUCT},    [SM_TOK_POWER] = {NULL, binary, P_POWER},
    [SM_TOK_NOT] = {unary, NULL, P_NONE},
};

static struct sm_expr *binary(struct parser *p, struct sm_expr *left)
{
    struct sm_expr *e = node(p, SM_EXPR_BINARY);
    enum power own = rules[p->before.type].power;
    if (!e || !(e->args[1] = expression(p, own == P_POWER ? P_UNARY : own + 1)))
        return NULL;                     /* the power goes to the right */
    e->args[0] = left;
    e->n_args = 2;
    return e;
}

static struct sm_expr *expression(struct parser *p, enum power least)
{
    if (++p->depth > DEPTH_MAX)
        return fail(p, "nested too deep");
    prefix_fn *prefix = rules[p->token.type].prefix;
    if (!prefix)
        return fail(p, p->token.type == SM_TOK_END ? "expression expected at the end," : "expression expected");
    struct sm_expr *e = advance(p) ? prefix(p) : NULL;
    while (e && rules[p->token.type].infix && rules[p->token.type].power >= least) {
        infix_fn *infix = rules[p->token.type].infix;
        e = advance(p) ? infix(p, e) : NULL;
    }
    p->depth--;
    return e;
}

bool sm_expr_parse(const char *text, size_t n, struct sm_arena *arena, struct sm_expr **out, struct sm_err *err)
{
    struct parser p = {.text = {text, n}, .arena = arena, .err = err};
    if (n > TEXT_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "expression of %zu bytes, at most %d", n, TEXT_MAX);
    if (!advance(&p) || !(*out = expression(&p, P_TERNARY)))
        return false;
    return p.token.type == SM_TOK_END || (fail(&p, "operator expected"), false);
}
