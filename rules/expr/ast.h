/* The syntax tree of an expression, and how the parts of rules/expr share it: lex -> parse -> bind,
 * which asks names.c for tensors -> eval, which asks operate.c for arithmetic and the func_*.c for
 * what is called. */
#ifndef SM_AST_H
#define SM_AST_H

#include "reader/tensor/slice.h"
#include "rules/expr/expr.h"

#define SM_EXPR_ELEMENTS_MAX ((uint64_t)100000000) /* of a tensor made on the way */

/* ---- tokens ---- */

enum sm_expr_token_type {
    SM_TOK_END,
    SM_TOK_NUMBER,
    SM_TOK_STRING,
    SM_TOK_NAME,
    SM_TOK_QUOTED_NAME,
    SM_TOK_VARIABLE,
    SM_TOK_LPAREN,
    SM_TOK_RPAREN,
    SM_TOK_LBRACKET,
    SM_TOK_COMMA,
    SM_TOK_AT,
    SM_TOK_QUESTION,
    SM_TOK_COLON,
    SM_TOK_OR,
    SM_TOK_AND,
    SM_TOK_EQ,
    SM_TOK_NE,
    SM_TOK_LT,
    SM_TOK_LE,
    SM_TOK_GT,
    SM_TOK_GE,
    SM_TOK_PLUS,
    SM_TOK_MINUS,
    SM_TOK_STAR,
    SM_TOK_SLASH,
    SM_TOK_PERCENT,
    SM_TOK_POWER,
    SM_TOK_NOT,
    SM_TOK_TYPES
};
struct sm_expr_token {
    enum sm_expr_token_type type;
    struct sm_text text; /* names and strings without their quotes */
    size_t at, end;      /* bytes of the whole text */
    double number;
    bool is_int;
    int64_t integer;
};

/* Where a bare name ends: "a/b:0" may be one name, or a division and a range. With a trial the
 * longest run that is a tensor's name wins, so the same text may read differently as names come;
 * without one it is guessed. */
struct sm_expr_names {
    const struct sm_trial *trial;
    bool subject;   /* x is the subject */
    bool split;     /* the guess: / and : are operators; otherwise they belong to names */
    bool ambiguous; /* set when names decided, or would */
};
/* Letters, digits and _ from `at` on, and any of `joins` between them. The end. */
size_t sm_expr_word_end(struct sm_text text, size_t at, const char *joins);
/* The token at or after byte `at`. False: SM_ERR_USAGE with the column. Strings and quoted names go
 * to the arena. */
bool sm_expr_lex(struct sm_text text, size_t at, struct sm_expr_names *names,
                 struct sm_arena *arena, struct sm_expr_token *out, struct sm_err *err);

/* ---- the tree ---- */

enum sm_ast_type {
    SM_AST_CONSTANT,
    SM_AST_NAME,
    SM_AST_VARIABLE,
    SM_AST_UNARY,
    SM_AST_BINARY,
    SM_AST_TERNARY,
    SM_AST_RANGE,
    SM_AST_CALL,
    SM_AST_SLICE, /* args[0] with a slice */
    SM_AST_FAILED /* bound, and there was an error */
};
/* What stands after @. */
enum sm_expr_place_kind {
    SM_EXPR_PLACE_CURRENT,
    SM_EXPR_PLACE_NUMBER,
    SM_EXPR_PLACE_RELATIVE,
    SM_EXPR_PLACE_NEAREST,
    SM_EXPR_PLACE_AGO, /* n microseconds before the newest data */
    SM_EXPR_PLACE_FIRST,
    SM_EXPR_PLACE_LAST,
    SM_EXPR_PLACE_ALL /* from n to `to`, both in */
};
struct sm_expr_place {
    enum sm_expr_place_kind kind;
    int64_t n, to;
    enum sm_mode mode;     /* ANY: the environment's */
    struct sm_text worker; /* empty: the environment's */
};
struct sm_ast {
    enum sm_ast_type type;
    enum sm_expr_token_type op; /* UNARY, BINARY */
    size_t column;              /* from 1 */
    unsigned depth;             /* of the tree below */
    struct sm_value constant;
    struct sm_text text;        /* NAME, VARIABLE */
    bool quoted;                /* NAME in backticks */
    struct sm_expr_place place; /* NAME */
    struct sm_slice *slice;
    const struct sm_expr_func_row *func; /* CALL */
    struct sm_ast *args[3];
    unsigned n_args;
    const struct sm_err *failure; /* FAILED */
};
struct sm_expr {
    struct sm_text text; /* the expression's own copy */
    struct sm_ast *tree; /* as guessed */
    bool ambiguous;      /* to be read again with the trial's names */
};
/* One reading of the text, with the names as they are. */
bool sm_ast_parse(struct sm_text text, struct sm_expr_names *names, struct sm_arena *arena,
                  struct sm_ast **out, struct sm_err *err);

/* The expression's tree; where names decide, of its text read again with the names there are, in
 * the arena. */
bool sm_ast_of(const struct sm_expr *e, const struct sm_expr_env *env, struct sm_arena *arena,
               const struct sm_ast **out, struct sm_err *err);

/* ---- evaluation: false leaves nothing in *out; true leaves a value the caller clears ---- */

bool sm_ast_eval(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                 struct sm_err *err);
bool sm_expr_wrong(size_t column, struct sm_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* *out becomes UNAVAILABLE with the reason. True. */
bool sm_expr_unavailable(struct sm_expr_env *env, struct sm_value *out, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* names.c: which record a NAME means. */
struct sm_located {
    const struct sm_trial_tensor *tensor;
    struct sm_step step;
    uint16_t worker;
    enum sm_mode mode;
};
/* $t or $prev of env->of: they are looked up as names are. */
bool sm_expr_is_own(const struct sm_ast *e, const struct sm_expr_env *env);
/* NULL: no trial or no such tensor. */
const struct sm_trial_tensor *sm_expr_find(const struct sm_ast *name,
                                           const struct sm_expr_env *env);
/* The tensor, mode and worker, without a step. */
bool sm_expr_find_tensor(const struct sm_ast *name, struct sm_expr_env *env, struct sm_located *l,
                         struct sm_err *err);
/* With the step. 1: something of the tensor was saved there; 0: *out says why not; -1: error. */
int sm_expr_locate(const struct sm_ast *name, struct sm_expr_env *env, struct sm_located *l,
                   struct sm_value *out, struct sm_err *err);
/* The record of its value; NULL: only reductions or a shape. */
const struct sm_entry *sm_expr_payload(const struct sm_expr_env *env, const struct sm_located *l);
bool sm_expr_no_payload(const struct sm_ast *name, struct sm_expr_env *env,
                        const struct sm_located *l, struct sm_value *out);
int64_t sm_expr_count_steps(const struct sm_expr_env *env, const struct sm_located *l); /* with
                                                                                           something
                                                                                           of it, in
                                                                                           the mode
                                                                                         */
/* The number of each step; up_to: none behind the current step. */
bool sm_expr_read_series(const struct sm_ast *name, struct sm_expr_env *env, bool up_to,
                         struct sm_value *out, struct sm_err *err);

/* Many elements, block by block: while (sm_blocks_next(&b)) those from b.from to b.to, then
 * sm_blocks_done. */
struct sm_blocks {
    uint64_t n;
    const atomic_bool *stop;
    uint64_t from, to;
    bool stopped;
};
bool sm_blocks_next(struct sm_blocks *b);
bool sm_blocks_done(const struct sm_blocks *b, struct sm_err *err); /* false: stopped */

/* flat.c: many elements at once, element i of the result from element i of each side, or from its
 * number. */
struct sm_flat {
    const struct sm_tensor *tensor; /* NULL: the number */
    double number;
};
/* Into out, a bool tensor for comparisons and logic, float64 for arithmetic. NOT ignores b. */
void sm_flat_operate(enum sm_expr_token_type op, const struct sm_flat *a, const struct sm_flat *b,
                     uint64_t from, uint64_t to, struct sm_tensor *out);
/* the same of two numbers */
double sm_flat_number(enum sm_expr_token_type op, bool logical, double a, double b);
/* How often a comparison holds; at least one side is a tensor, two have as many elements. */
uint64_t sm_flat_count(enum sm_expr_token_type op, const struct sm_flat *a, const struct sm_flat *b,
                       uint64_t from, uint64_t to);
uint64_t sm_flat_count_true(const struct sm_tensor *t, uint64_t from, uint64_t to);

/* operate.c: arithmetic and comparisons; op NOT ignores b. May simplify a and b, clears neither. */
bool sm_operate(enum sm_expr_token_type op, size_t column, struct sm_value *a, struct sm_value *b,
                const atomic_bool *stop, struct sm_value *out, struct sm_err *err);
/* numpy's rule: axes are matched from the last, and an axis of one element is stretched. The number
 * of elements; what does not fit together is found later. */
uint64_t sm_broadcast(unsigned na, const uint64_t *da, unsigned nb, const uint64_t *db,
                      unsigned *n_dims, uint64_t *dims);

/* value.c */
void sm_value_number(struct sm_value *v, double x);
void sm_value_int(struct sm_value *v, int64_t x);
void sm_value_bool(struct sm_value *v, bool x);
void sm_value_simplify(struct sm_value *v); /* a one-element tensor becomes its number, exactly */
/* numbers and series; false: strings and others */
bool sm_value_to_tensor(struct sm_value *v, struct sm_err *err);
bool sm_dtype_has_numbers(enum sm_dtype d); /* float, int, bool: not complex, not strings */
double sm_tensor_at(const struct sm_tensor *t, uint64_t i); /* flat */

#endif
