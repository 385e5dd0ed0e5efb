/* The syntax tree of an expression and how the parts of rules/expr share it. */
#ifndef SM_EXPR_AST_H
#define SM_EXPR_AST_H

#include "reader/slice.h"
#include "rules/expr/expr.h"

enum sm_token_type {
    SM_TOK_END, SM_TOK_NUMBER, SM_TOK_STRING, SM_TOK_NAME, SM_TOK_QUOTED_NAME, SM_TOK_VARIABLE, SM_TOK_LPAREN, SM_TOK_RPAREN,
    SM_TOK_LBRACKET, SM_TOK_COMMA, SM_TOK_AT, SM_TOK_QUESTION, SM_TOK_COLON, SM_TOK_OR, SM_TOK_AND, SM_TOK_EQ, SM_TOK_NE,
    SM_TOK_LT, SM_TOK_LE, SM_TOK_GT, SM_TOK_GE, SM_TOK_PLUS, SM_TOK_MINUS, SM_TOK_STAR, SM_TOK_SLASH, SM_TOK_PERCENT,
    SM_TOK_POWER, SM_TOK_NOT, SM_TOK_TYPES
};
struct sm_token {
    enum sm_token_type type;
    struct sm_text text;                 /* names and strings without their quotes */
    size_t at, end;                      /* bytes in the whole */
    double number;
    bool is_int;
    int64_t integer;
};
/* The token at byte `at` of text. False: SM_ERR_USAGE with the column. Strings are unescaped into the arena. */
bool sm_expr_lex(struct sm_text text, size_t at, struct sm_arena *arena, struct sm_token *out, struct sm_err *err);

enum sm_expr_type {
    SM_EXPR_CONSTANT, SM_EXPR_NAME, SM_EXPR_VARIABLE, SM_EXPR_UNARY, SM_EXPR_BINARY, SM_EXPR_TERNARY, SM_EXPR_RANGE, SM_EXPR_CALL,
    SM_EXPR_SLICE                        /* args[0] with a slice */
};
/* What stands after @. */
struct sm_expr_place {
    bool given, all, relative, first, last, has_worker;
    int64_t n;
    enum sm_mode mode;                   /* ANY: a global step */
    struct sm_text worker;
};
struct sm_expr {
    enum sm_expr_type type;
    enum sm_token_type op;
    size_t column;                       /* from 1 */
    struct sm_value constant;
    struct sm_text text;                 /* NAME, VARIABLE, CALL */
    bool quoted;
    struct sm_expr_place place;
    struct sm_slice *slice;
    const struct sm_expr_func_row *func;
    struct sm_expr *args[4];
    unsigned n_args;
};

/* ---- evaluation ---- */

bool sm_eval(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err);
/* Where a NAME is read; false with *out set to UNAVAILABLE, or an error. NULL entry: no payload there. */
struct sm_located {
    const struct sm_trial_tensor *tensor;
    struct sm_step step;
    uint16_t worker;
    const struct sm_entry *entry;
};
bool sm_expr_locate(const struct sm_expr *e, struct sm_expr_env *env, struct sm_located *l, struct sm_value *out, struct sm_err *err);
bool sm_expr_unavailable(struct sm_expr_env *env, struct sm_value *out, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void sm_value_number(struct sm_value *v, double x);
void sm_value_int(struct sm_value *v, int64_t x);
void sm_value_bool(struct sm_value *v, bool x);
/* A one-element tensor is its number. */
bool sm_value_as_number(const struct sm_value *v, double *out);

struct sm_expr_func_row {
    struct sm_expr_func public;
    bool (*run)(const struct sm_expr *call, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err);
    int reduction;                       /* for those that are one: -1 otherwise */
};
const struct sm_expr_func_row *sm_expr_func_find(struct sm_text name);

#endif
