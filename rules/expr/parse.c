/* SPDX-License-Identifier: Apache-2.0 */
/* A Pratt parser: a table gives for each token the function that parses it at the start of an
 * expression and the one that parses it after an operand (as in wren). */
#include "rules/expr/funcs.h"

#include <math.h>
#include <string.h>

enum {
    TEXT_MAX = 64 * 1024, /* bytes */
    NESTING_MAX = 200,    /* of parentheses and other nested expressions */
    DEPTH_MAX = 1000      /* of the tree: operators in a row */
};

/* Binding power of operators, weakest first. */
enum power {
    P_NONE,
    P_TERNARY,
    P_RANGE,
    P_OR,
    P_AND,
    P_EQUAL,
    P_COMPARE,
    P_SUM,
    P_PRODUCT,
    P_UNARY,
    P_POWER,
    P_SUFFIX
};

struct parser {
    struct sm_text text;
    struct sm_expr_names *names;
    struct sm_arena *arena;
    struct sm_expr_token token, previous;
    struct sm_err *err;
    unsigned nesting;
    bool in_ternary; /* between ? and :, where a colon is not a range */
};

typedef struct sm_ast *prefix_fn(struct parser *p);
typedef struct sm_ast *infix_fn(struct parser *p, struct sm_ast *left);

static struct sm_ast *parse_expression(struct parser *p, enum power least);

static struct sm_ast *fail_at_token(struct parser *p, const char *what)
{
    sm_err_set(p->err, SM_ERR_USAGE, "%s at column %zu", what, p->token.at + 1);
    return NULL;
}

/* Reads the next token. The text after [ and @ is not tokens: parse_slice and parse_place read its
 * bytes. */
static bool advance(struct parser *p)
{
    p->previous = p->token;
    if (p->previous.type == SM_TOK_LBRACKET || p->previous.type == SM_TOK_AT) {
        p->token = (struct sm_expr_token){
            .type = SM_TOK_END, .at = p->previous.end, .end = p->previous.end};
        return true;
    }
    return sm_expr_lex(p->text, p->token.end, p->names, p->arena, &p->token, p->err);
}

/* A new node for the previous token. */
static struct sm_ast *new_node(struct parser *p, enum sm_ast_type type)
{
    struct sm_ast *e = sm_arena_alloc(p->arena, sizeof *e);
    if (!e) {
        sm_err_set(p->err, SM_ERR_MEMORY, "no memory for an expression");
        return NULL;
    }
    e->type = type;
    e->op = p->previous.type;
    e->column = p->previous.at + 1;
    return e;
}

/* Adds an argument to e. NULL if the argument is NULL or the tree is too deep. */
static struct sm_ast *add_arg(struct parser *p, struct sm_ast *e, struct sm_ast *arg)
{
    if (!e || !arg)
        return NULL;
    e->args[e->n_args++] = arg;
    if (arg->depth >= e->depth)
        e->depth = arg->depth + 1;
    return e->depth < DEPTH_MAX ? e : fail_at_token(p, "too many operators");
}

/* An expression inside brackets, where a colon is a range again. */
static struct sm_ast *parse_nested(struct parser *p)
{
    bool outer = p->in_ternary;
    p->in_ternary = false;
    struct sm_ast *e = parse_expression(p, P_TERNARY);
    p->in_ternary = outer;
    return e;
}

/* ---- at the start of an expression ---- */

static struct sm_ast *new_constant(struct parser *p, struct sm_value v)
{
    struct sm_ast *e = new_node(p, SM_AST_CONSTANT);
    if (e)
        e->constant = v;
    return e;
}

static struct sm_ast *parse_number(struct parser *p)
{
    struct sm_value v;
    sm_value_set_exact(&v, &p->previous.number);
    return new_constant(p, v);
}

static struct sm_ast *parse_string(struct parser *p)
{
    return new_constant(p, (struct sm_value){.type = SM_STRING, .text = p->previous.text});
}

static struct sm_ast *parse_arguments(struct parser *p, struct sm_ast *e)
{
    bool more = p->token.type != SM_TOK_RPAREN;
    while (more) {
        if (e->n_args == e->func->public.max_args)
            return fail_at_token(p, "too many arguments");
        if (!add_arg(p, e, parse_nested(p)))
            return NULL;
        more = p->token.type == SM_TOK_COMMA;
        if (more && !advance(p))
            return NULL;
    }
    if (p->token.type != SM_TOK_RPAREN)
        return fail_at_token(p, "expected \",\" or \")\"");
    return advance(p) ? e : NULL;
}

static struct sm_ast *parse_call(struct parser *p)
{
    struct sm_expr_token name = p->previous;
    struct sm_ast *e = new_node(p, SM_AST_CALL);
    if (!e)
        return NULL;
    e->func = sm_expr_func_find(name.text);
    if (!e->func) {
        sm_err_set(p->err, SM_ERR_USAGE,
                   "no function \"%.*s\" at column %zu; \"help expressions\" lists them",
                   (int)name.text.n, name.text.p, e->column);
        return NULL;
    }
    if (!advance(p) || !parse_arguments(p, e))
        return NULL;
    if (e->n_args < e->func->public.min_args) {
        sm_err_set(p->err, SM_ERR_USAGE, "too few arguments for %s(%s) at column %zu",
                   e->func->public.name, e->func->public.args, e->column);
        return NULL;
    }
    return e;
}

static struct sm_ast *parse_name(struct parser *p)
{
    const struct {
        const char *word;
        struct sm_value value;
    } words[] = {
        {"nan", {.type = SM_NUMBER, .number = (double)NAN}},
        {"inf", {.type = SM_NUMBER, .number = (double)INFINITY}},
        {"true", {.type = SM_BOOL, .number = 1}},
        {"false", {.type = SM_BOOL, .number = 0}},
    };
    if (p->token.type == SM_TOK_LPAREN)
        return parse_call(p);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sm_text_is(p->previous.text, words[i].word))
            return new_constant(p, words[i].value);
    struct sm_ast *e = new_node(p, SM_AST_NAME);
    if (e)
        e->text = p->previous.text;
    return e;
}

static struct sm_ast *parse_quoted_name(struct parser *p)
{
    struct sm_ast *e = new_node(p, SM_AST_NAME);
    if (!e)
        return NULL;
    e->text = p->previous.text;
    e->quoted = true;
    return e;
}

static struct sm_ast *parse_variable(struct parser *p)
{
    struct sm_ast *e = new_node(p, SM_AST_VARIABLE);
    if (e)
        e->text = p->previous.text;
    return e;
}

static struct sm_ast *parse_group(struct parser *p)
{
    struct sm_ast *e = parse_nested(p);
    if (!e)
        return NULL;
    if (p->token.type != SM_TOK_RPAREN)
        return fail_at_token(p, "expected \")\"");
    return advance(p) ? e : NULL;
}

static struct sm_ast *parse_unary(struct parser *p)
{
    struct sm_ast *e = new_node(p, SM_AST_UNARY);
    return e ? add_arg(p, e, parse_expression(p, P_UNARY)) : NULL;
}

/* ---- after an operand ---- */

static struct sm_ast *parse_ternary(struct parser *p, struct sm_ast *left)
{
    struct sm_ast *e = new_node(p, SM_AST_TERNARY);
    bool outer = p->in_ternary;
    p->in_ternary = true;
    if (!e || !add_arg(p, e, left) || !add_arg(p, e, parse_expression(p, P_TERNARY)))
        return NULL;
    p->in_ternary = outer;
    if (p->token.type != SM_TOK_COLON)
        return fail_at_token(p, "expected \":\"");
    return advance(p) ? add_arg(p, e, parse_expression(p, P_TERNARY)) : NULL;
}

static struct sm_ast *parse_range(struct parser *p, struct sm_ast *left)
{
    struct sm_ast *e = new_node(p, SM_AST_RANGE);
    return e && add_arg(p, e, left) ? add_arg(p, e, parse_expression(p, P_OR)) : NULL;
}

static struct sm_ast *parse_slice(struct parser *p, struct sm_ast *left)
{
    struct sm_ast *e = new_node(p, SM_AST_SLICE);
    size_t used, at = p->previous.at;
    if (!e || !add_arg(p, e, left))
        return NULL;
    e->slice = sm_arena_alloc(p->arena, sizeof *e->slice);
    if (!e->slice) {
        sm_err_set(p->err, SM_ERR_MEMORY, "no memory for an expression");
        return NULL;
    }
    if (!sm_slice_parse(p->text.p + at, p->text.n - at, e->slice, &used, p->err)) {
        sm_err_prefix(p->err, "slice at column %zu", at + 1);
        return NULL;
    }
    p->token.end = at + used;
    return advance(p) ? e : NULL;
}

static struct sm_ast *parse_place(struct parser *p, struct sm_ast *left)
{
    struct sm_ast *e = left;
    while (e->type == SM_AST_SLICE)
        e = e->args[0];
    if (e->type != SM_AST_NAME) {
        sm_expr_error(p->previous.at + 1, p->err, "only the name of a tensor can have a step");
        return NULL;
    }
    size_t at = p->previous.end,
           end = sm_expr_place_parse(p->text, at, p->in_ternary, p->names, p->arena, &e->place);
    if (end == at) {
        sm_err_set(
            p->err, SM_ERR_USAGE,
            "expected a step such as 100, -1, ~100, -10m, 0:40, last, all or eval:12 at column %zu",
            at + 1);
        return NULL;
    }
    p->token.end = end;
    return advance(p) ? left : NULL;
}

/* ---- the table ---- */

static infix_fn parse_binary;

static const struct {
    prefix_fn *prefix;
    infix_fn *infix;
    enum power power;
} rules[SM_TOK_TYPES] = {
    [SM_TOK_NUMBER] = {parse_number, NULL, P_NONE},
    [SM_TOK_STRING] = {parse_string, NULL, P_NONE},
    [SM_TOK_NAME] = {parse_name, NULL, P_NONE},
    [SM_TOK_QUOTED_NAME] = {parse_quoted_name, NULL, P_NONE},
    [SM_TOK_VARIABLE] = {parse_variable, NULL, P_NONE},
    [SM_TOK_LPAREN] = {parse_group, NULL, P_NONE},
    [SM_TOK_LBRACKET] = {NULL, parse_slice, P_SUFFIX},
    [SM_TOK_AT] = {NULL, parse_place, P_SUFFIX},
    [SM_TOK_QUESTION] = {NULL, parse_ternary, P_TERNARY},
    [SM_TOK_COLON] = {NULL, parse_range, P_RANGE},
    [SM_TOK_OR] = {NULL, parse_binary, P_OR},
    [SM_TOK_AND] = {NULL, parse_binary, P_AND},
    [SM_TOK_EQ] = {NULL, parse_binary, P_EQUAL},
    [SM_TOK_NE] = {NULL, parse_binary, P_EQUAL},
    [SM_TOK_LT] = {NULL, parse_binary, P_COMPARE},
    [SM_TOK_LE] = {NULL, parse_binary, P_COMPARE},
    [SM_TOK_GT] = {NULL, parse_binary, P_COMPARE},
    [SM_TOK_GE] = {NULL, parse_binary, P_COMPARE},
    [SM_TOK_PLUS] = {parse_unary, parse_binary, P_SUM},
    [SM_TOK_MINUS] = {parse_unary, parse_binary, P_SUM},
    [SM_TOK_STAR] = {NULL, parse_binary, P_PRODUCT},
    [SM_TOK_SLASH] = {NULL, parse_binary, P_PRODUCT},
    [SM_TOK_PERCENT] = {NULL, parse_binary, P_PRODUCT},
    [SM_TOK_POWER] = {NULL, parse_binary, P_POWER},
    [SM_TOK_NOT] = {parse_unary, NULL, P_NONE},
};

/* ^ is right-associative and binds tighter than a sign before it: -2^2 is -4, 2^-1 is 0.5. */
static struct sm_ast *parse_binary(struct parser *p, struct sm_ast *left)
{
    struct sm_ast *e = new_node(p, SM_AST_BINARY);
    enum power own = rules[p->previous.type].power, least = own == P_POWER ? P_UNARY : own + 1;
    return e && add_arg(p, e, left) ? add_arg(p, e, parse_expression(p, least)) : NULL;
}

static bool continues(const struct parser *p, enum power least)
{
    enum sm_expr_token_type t = p->token.type;
    return rules[t].infix && rules[t].power >= least && !(t == SM_TOK_COLON && p->in_ternary);
}

static struct sm_ast *parse_expression(struct parser *p, enum power least)
{
    prefix_fn *prefix = rules[p->token.type].prefix;
    if (!prefix)
        return fail_at_token(p, p->token.type == SM_TOK_END ? "unexpected end of the expression"
                                                            : "expected a value");
    if (++p->nesting > NESTING_MAX)
        return fail_at_token(p, "nested too deeply");
    struct sm_ast *e = advance(p) ? prefix(p) : NULL;
    while (e && continues(p, least)) {
        infix_fn *infix = rules[p->token.type].infix;
        e = advance(p) ? infix(p, e) : NULL;
    }
    p->nesting--;
    return e;
}

bool sm_ast_parse(struct sm_text text, struct sm_expr_names *names, struct sm_arena *arena,
                  struct sm_ast **out, struct sm_err *err)
{
    struct parser p = {.text = text, .names = names, .arena = arena, .err = err};
    if (!advance(&p) || !(*out = parse_expression(&p, P_TERNARY)))
        return false;
    return p.token.type == SM_TOK_END || fail_at_token(&p, "expected an operator");
}

/* Without a trial, a/b:0 is first parsed as a single name, then, if that fails, as operators. */
bool sm_expr_parse(const char *text, size_t n, struct sm_arena *arena, struct sm_expr **out,
                   struct sm_err *err)
{
    if (n > TEXT_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "the expression has %zu bytes, the limit is %d", n,
                          TEXT_MAX);
    struct sm_expr *e = sm_arena_alloc(arena, sizeof *e);
    char *copy = sm_arena_strndup(arena, text, n);
    if (!e || !copy)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for an expression");
    struct sm_expr_names names = {.trial = NULL}, split = {.split = true};
    e->text = (struct sm_text){copy, n};
    *out = e;
    bool ok = sm_ast_parse(e->text, &names, arena, &e->tree, err);
    e->ambiguous = names.ambiguous;
    if (!ok && names.ambiguous && sm_ast_parse(e->text, &split, arena, &e->tree, NULL)) {
        sm_err_clear(err);
        ok = true;
    }
    return ok;
}

bool sm_expr_comparison(const struct sm_expr *e, struct sm_text *left, struct sm_text *rest)
{
    const struct sm_ast *tree = e->tree;
    size_t at = tree->column - 1, n = at;
    if (tree->type != SM_AST_BINARY || tree->op < SM_TOK_EQ || tree->op > SM_TOK_GE)
        return false;
    while (n && e->text.p[n - 1] == ' ')
        n--;
    *left = (struct sm_text){e->text.p, n};
    *rest = (struct sm_text){e->text.p + at, e->text.n - at};
    return true;
}
