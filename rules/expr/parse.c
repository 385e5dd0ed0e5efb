/* A Pratt parser: a row a token says how it begins an expression and how it goes on (as in wren).
 */
#include "rules/expr/funcs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_MAX = 64 * 1024,
    NESTING_MAX = 200,
    DEPTH_MAX = 1000
}; /* of parentheses and the like; of a + b + c ... */

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
    struct sm_expr_token token, before;
    struct sm_err *err;
    unsigned nesting;
    bool in_choice; /* between ? and : a colon is no range */
};

typedef struct sm_ast *prefix_fn(struct parser *p);
typedef struct sm_ast *infix_fn(struct parser *p, struct sm_ast *left);

static struct sm_ast *expression(struct parser *p, enum power least);

static struct sm_ast *fail(struct parser *p, const char *what)
{
    sm_err_set(p->err, SM_ERR_USAGE, "%s at column %zu", what, p->token.at + 1);
    return NULL;
}

/* What follows [ and @ is no token: slice() and place() read it from the bytes. */
static bool advance(struct parser *p)
{
    p->before = p->token;
    if (p->before.type == SM_TOK_LBRACKET || p->before.type == SM_TOK_AT) {
        p->token =
            (struct sm_expr_token){.type = SM_TOK_END, .at = p->before.end, .end = p->before.end};
        return true;
    }
    return sm_expr_lex(p->text, p->token.end, p->names, p->arena, &p->token, p->err);
}

/* A node for the token before. */
static struct sm_ast *node(struct parser *p, enum sm_ast_type type)
{
    struct sm_ast *e = sm_arena_alloc(p->arena, sizeof *e);
    if (!e) {
        sm_err_set(p->err, SM_ERR_MEMORY, "no memory for an expression");
        return NULL;
    }
    e->type = type;
    e->op = p->before.type;
    e->column = p->before.at + 1;
    return e;
}

/* Hangs a part under e; NULL when the part is, or the tree gets too deep. */
static struct sm_ast *add(struct parser *p, struct sm_ast *e, struct sm_ast *part)
{
    if (!e || !part)
        return NULL;
    e->args[e->n_args++] = part;
    if (part->depth >= e->depth)
        e->depth = part->depth + 1;
    return e->depth < DEPTH_MAX ? e : fail(p, "too many operators");
}

/* Within brackets of any kind a colon makes ranges again. */
static struct sm_ast *inner(struct parser *p)
{
    bool before = p->in_choice;
    p->in_choice = false;
    struct sm_ast *e = expression(p, P_TERNARY);
    p->in_choice = before;
    return e;
}

/* ---- beginnings ---- */

static struct sm_ast *constant(struct parser *p, struct sm_value v)
{
    struct sm_ast *e = node(p, SM_AST_CONSTANT);
    if (e)
        e->constant = v;
    return e;
}

static struct sm_ast *number(struct parser *p)
{
    const struct sm_expr_token *t = &p->before;
    return constant(
        p, (struct sm_value){
               .type = SM_NUMBER, .number = t->number, .is_int = t->is_int, .integer = t->integer});
}

static struct sm_ast *string(struct parser *p)
{
    return constant(p, (struct sm_value){.type = SM_STRING, .text = p->before.text});
}

static struct sm_ast *arguments(struct parser *p, struct sm_ast *e)
{
    bool more = p->token.type != SM_TOK_RPAREN;
    while (more) {
        if (e->n_args == e->func->public.max_args)
            return fail(p, "too many arguments");
        if (!add(p, e, inner(p)))
            return NULL;
        more = p->token.type == SM_TOK_COMMA;
        if (more && !advance(p))
            return NULL;
    }
    if (p->token.type != SM_TOK_RPAREN)
        return fail(p, "\",\" or \")\" expected");
    return advance(p) ? e : NULL;
}

static struct sm_ast *call(struct parser *p)
{
    struct sm_expr_token name = p->before;
    struct sm_ast *e = node(p, SM_AST_CALL);
    if (!e)
        return NULL;
    e->func = sm_expr_func_find(name.text);
    if (!e->func) {
        sm_err_set(p->err, SM_ERR_USAGE,
                   "no function \"%.*s\" at column %zu; \"help expressions\" lists them",
                   (int)name.text.n, name.text.p, e->column);
        return NULL;
    }
    if (!advance(p) || !arguments(p, e))
        return NULL;
    if (e->n_args < e->func->public.min_args) {
        sm_err_set(p->err, SM_ERR_USAGE, "too few arguments for %s(%s) at column %zu",
                   e->func->public.name, e->func->public.args, e->column);
        return NULL;
    }
    return e;
}

static struct sm_ast *name(struct parser *p)
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
        return call(p);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sm_text_is(p->before.text, words[i].word))
            return constant(p, words[i].value);
    struct sm_ast *e = node(p, SM_AST_NAME);
    if (e)
        e->text = p->before.text;
    return e;
}

static struct sm_ast *quoted_name(struct parser *p)
{
    struct sm_ast *e = node(p, SM_AST_NAME);
    if (!e)
        return NULL;
    e->text = p->before.text;
    e->quoted = true;
    return e;
}

static struct sm_ast *variable(struct parser *p)
{
    struct sm_ast *e = node(p, SM_AST_VARIABLE);
    if (e)
        e->text = p->before.text;
    return e;
}

static struct sm_ast *group(struct parser *p)
{
    struct sm_ast *e = inner(p);
    if (!e)
        return NULL;
    if (p->token.type != SM_TOK_RPAREN)
        return fail(p, "\")\" expected");
    return advance(p) ? e : NULL;
}

static struct sm_ast *unary(struct parser *p)
{
    struct sm_ast *e = node(p, SM_AST_UNARY);
    return e ? add(p, e, expression(p, P_UNARY)) : NULL;
}

/* ---- continuations ---- */

static struct sm_ast *ternary(struct parser *p, struct sm_ast *left)
{
    struct sm_ast *e = node(p, SM_AST_TERNARY);
    bool before = p->in_choice;
    p->in_choice = true;
    if (!e || !add(p, e, left) || !add(p, e, expression(p, P_TERNARY)))
        return NULL;
    p->in_choice = before;
    if (p->token.type != SM_TOK_COLON)
        return fail(p, "\":\" expected");
    return advance(p) ? add(p, e, expression(p, P_TERNARY)) : NULL;
}

static struct sm_ast *range(struct parser *p, struct sm_ast *left)
{
    struct sm_ast *e = node(p, SM_AST_RANGE);
    return e && add(p, e, left) ? add(p, e, expression(p, P_OR)) : NULL;
}

static struct sm_ast *slice(struct parser *p, struct sm_ast *left)
{
    struct sm_ast *e = node(p, SM_AST_SLICE);
    size_t used, at = p->before.at;
    if (!e || !add(p, e, left))
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

/* ---- @100, @-5, @~137, @-10m, @0:40, @0..40, @first, @., @eval:12, @eval:all, @100/worker_1: read
 * from the bytes, as its signs are not operators ---- */

static size_t place_number(struct parser *p, size_t at, int64_t *n)
{
    char copy[24] = {0}, *end;
    size_t most = p->text.n - at;
    memcpy(copy, p->text.p + at, most < sizeof copy - 1 ? most : sizeof copy - 1);
    if (copy[0] < '0' || copy[0] > '9')
        return at;
    errno = 0;
    *n = strtoll(copy, &end, 10);
    return errno ? at : at + (size_t)(end - copy);
}

static size_t place_word(struct parser *p, size_t at, struct sm_expr_place *x)
{
    size_t end = sm_expr_word_end(p->text, at, "");
    struct sm_text word = {p->text.p + at, end - at};
    if (sm_text_is(word, "all"))
        *x = (struct sm_expr_place){SM_EXPR_PLACE_ALL, INT64_MIN, INT64_MAX, x->mode, x->worker};
    else if (sm_text_is(word, "first"))
        x->kind = SM_EXPR_PLACE_FIRST;
    else if (sm_text_is(word, "last"))
        x->kind = SM_EXPR_PLACE_LAST;
    else
        return at;
    return end;
}

/* The end of "MODE:" or `at`. */
static size_t place_mode(struct parser *p, size_t at, struct sm_expr_place *x)
{
    size_t end = sm_expr_word_end(p->text, at, "");
    int mode = end < p->text.n && p->text.p[end] == ':' ? sm_mode_of_name(p->text.p + at, end - at)
                                                        : SM_MODE_ANY;
    if (mode <= SM_MODE_ANY)
        return at;
    x->mode = (enum sm_mode)mode;
    return end + 1;
}

/* "-5" and "+5" count saved steps, "-10m" is a time. */
static size_t place_relative(struct parser *p, size_t at, struct sm_expr_place *x)
{
    static const struct {
        const char *unit;
        int64_t us;
    } units[] = {{"ms", 1000}, {"s", 1000000}, {"m", 60 * 1000000LL}, {"h", 3600 * 1000000LL}};
    size_t number = place_number(p, at + 1, &x->n), end = sm_expr_word_end(p->text, number, "");
    struct sm_text unit = {p->text.p + number, end - number};
    if (number == at + 1)
        return at;
    x->kind = SM_EXPR_PLACE_RELATIVE;
    x->n = p->text.p[at] == '-' ? -x->n : x->n;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (p->text.p[at] == '-' && sm_text_is(unit, units[i].unit)) {
            x->kind = SM_EXPR_PLACE_AGO;
            return __builtin_mul_overflow(-x->n, units[i].us, &x->n) ? at : end;
        }
    }
    return number;
}

/* "100", or a span of steps: "0:40" without its end, "0..40" with it. */
static size_t place_numbers(struct parser *p, size_t at, struct sm_expr_place *x)
{
    size_t end = place_number(p, at, &x->n), more = end;
    x->kind = SM_EXPR_PLACE_NUMBER;
    if (end == at || end >= p->text.n)
        return end;
    bool dots = end + 1 < p->text.n && memcmp(p->text.p + end, "..", 2) == 0;
    if (dots || (p->text.p[end] == ':' && !p->in_choice))
        more = place_number(p, end + (dots ? 2 : 1), &x->to);
    if (more <= end + (dots ? 2 : 1))
        return end;
    x->kind = SM_EXPR_PLACE_ALL;
    x->to -= !dots;
    return more;
}

static size_t place_step(struct parser *p, size_t at, struct sm_expr_place *x)
{
    char c = at < p->text.n ? p->text.p[at] : 0;
    if (c == '.')
        return at + 1;
    if (c == '+' || c == '-')
        return place_relative(p, at, x);
    if (c == '~') {
        size_t end = place_number(p, at + 1, &x->n);
        x->kind = SM_EXPR_PLACE_NEAREST;
        return end == at + 1 ? at : end;
    }
    return c >= '0' && c <= '9' ? place_numbers(p, at, x) : place_word(p, at, x);
}

static bool is_worker(struct parser *p, size_t at, size_t end)
{
    char *name = sm_arena_strndup(p->arena, p->text.p + at, end - at);
    return name && sm_trial_find_worker(p->names->trial, name) != SM_WORKER_ANY;
}

/* "/worker_1" or "/ 2": the trial knows its workers; without one a letter makes it a worker. */
static size_t place_worker(struct parser *p, size_t at, struct sm_expr_place *x)
{
    if (at + 1 >= p->text.n || p->text.p[at] != '/')
        return at;
    size_t end = sm_expr_word_end(p->text, at + 1, "."),
           longer = sm_expr_word_end(p->text, at + 1, ".-");
    char next = end < p->text.n ? p->text.p[end] : 0;
    p->names->ambiguous = true;
    if (p->names->trial && is_worker(p, at + 1, longer))
        end = longer;
    else if (end == at + 1 || (p->text.p[at + 1] >= '0' && p->text.p[at + 1] <= '9'))
        return at;
    else if (p->names->trial ? !is_worker(p, at + 1, end) : p->names->split || next == '(')
        return at;
    x->worker = (struct sm_text){p->text.p + at + 1, end - at - 1};
    return end;
}

static struct sm_ast *place(struct parser *p, struct sm_ast *left)
{
    struct sm_ast *e = left;
    while (e->type == SM_AST_SLICE)
        e = e->args[0];
    if (e->type != SM_AST_NAME) {
        sm_expr_wrong(p->before.at + 1, p->err, "only a tensor's name has steps");
        return NULL;
    }
    size_t at = p->before.end, from = place_mode(p, at, &e->place),
           end = place_step(p, from, &e->place);
    if (end == from) {
        sm_err_set(
            p->err, SM_ERR_USAGE,
            "a step such as 100, -1, ~100, -10m, 0:40, last, all or eval:12 expected at column %zu",
            at + 1);
        return NULL;
    }
    p->token.end = place_worker(p, end, &e->place);
    return advance(p) ? left : NULL;
}

/* ---- the table ---- */

static infix_fn binary;

static const struct {
    prefix_fn *prefix;
    infix_fn *infix;
    enum power power;
} rules[SM_TOK_TYPES] = {
    [SM_TOK_NUMBER] = {number, NULL, P_NONE},
    [SM_TOK_STRING] = {string, NULL, P_NONE},
    [SM_TOK_NAME] = {name, NULL, P_NONE},
    [SM_TOK_QUOTED_NAME] = {quoted_name, NULL, P_NONE},
    [SM_TOK_VARIABLE] = {variable, NULL, P_NONE},
    [SM_TOK_LPAREN] = {group, NULL, P_NONE},
    [SM_TOK_LBRACKET] = {NULL, slice, P_SUFFIX},
    [SM_TOK_AT] = {NULL, place, P_SUFFIX},
    [SM_TOK_QUESTION] = {NULL, ternary, P_TERNARY},
    [SM_TOK_COLON] = {NULL, range, P_RANGE},
    [SM_TOK_OR] = {NULL, binary, P_OR},
    [SM_TOK_AND] = {NULL, binary, P_AND},
    [SM_TOK_EQ] = {NULL, binary, P_EQUAL},
    [SM_TOK_NE] = {NULL, binary, P_EQUAL},
    [SM_TOK_LT] = {NULL, binary, P_COMPARE},
    [SM_TOK_LE] = {NULL, binary, P_COMPARE},
    [SM_TOK_GT] = {NULL, binary, P_COMPARE},
    [SM_TOK_GE] = {NULL, binary, P_COMPARE},
    [SM_TOK_PLUS] = {unary, binary, P_SUM},
    [SM_TOK_MINUS] = {unary, binary, P_SUM},
    [SM_TOK_STAR] = {NULL, binary, P_PRODUCT},
    [SM_TOK_SLASH] = {NULL, binary, P_PRODUCT},
    [SM_TOK_PERCENT] = {NULL, binary, P_PRODUCT},
    [SM_TOK_POWER] = {NULL, binary, P_POWER},
    [SM_TOK_NOT] = {unary, NULL, P_NONE},
};

/* The power binds to the right and tighter than a sign before it: -2^2 is -4, 2^-1 is 0.5. */
static struct sm_ast *binary(struct parser *p, struct sm_ast *left)
{
    struct sm_ast *e = node(p, SM_AST_BINARY);
    enum power own = rules[p->before.type].power, least = own == P_POWER ? P_UNARY : own + 1;
    return e && add(p, e, left) ? add(p, e, expression(p, least)) : NULL;
}

static bool goes_on(const struct parser *p, enum power least)
{
    enum sm_expr_token_type t = p->token.type;
    return rules[t].infix && rules[t].power >= least && !(t == SM_TOK_COLON && p->in_choice);
}

static struct sm_ast *expression(struct parser *p, enum power least)
{
    prefix_fn *prefix = rules[p->token.type].prefix;
    if (!prefix)
        return fail(p, p->token.type == SM_TOK_END ? "the expression ends too early"
                                                   : "a value is expected");
    if (++p->nesting > NESTING_MAX)
        return fail(p, "nested too deep");
    struct sm_ast *e = advance(p) ? prefix(p) : NULL;
    while (e && goes_on(p, least)) {
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
    if (!advance(&p) || !(*out = expression(&p, P_TERNARY)))
        return false;
    return p.token.type == SM_TOK_END || fail(&p, "an operator is expected");
}

/* Without a trial names are guessed twice: the whole of a/b:0, then the operators within. */
bool sm_expr_parse(const char *text, size_t n, struct sm_arena *arena, struct sm_expr **out,
                   struct sm_err *err)
{
    if (n > TEXT_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "expression of %zu bytes, at most %d", n, TEXT_MAX);
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
