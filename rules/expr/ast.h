/* SPDX-License-Identifier: Apache-2.0 */
/* The syntax tree of an expression, shared by the files of rules/expr: lex.c makes tokens, parse.c
 * and place.c the tree, bind.c replaces names by values (names.c finds the tensors), eval.c
 * evaluates with operate.c (arithmetic) and func_*.c (functions). */
#ifndef SM_AST_H
#define SM_AST_H

#include "reader/tensor/stats.h"
#include "reader/trial_place.h"
#include "rules/expr/expr.h"

#define SM_EXPR_ELEMENTS_MAX ((uint64_t)100000000) /* largest intermediate tensor */

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
    size_t at, end;      /* byte offsets in the whole text */
    struct sm_exact number;
};

/* How the end of a bare name is found: "a/b:0" may be one name, or a division and a range. With a
 * trial the longest run that is the name of a tensor is taken, so the meaning of a text can change
 * when tensors are added; without a trial it is guessed. */
struct sm_expr_names {
    const struct sm_trial *trial;
    bool subject;   /* x is a name */
    bool split;     /* guess that / and : are operators; otherwise that they are part of names */
    bool ambiguous; /* set if the meaning depends on the names of the trial */
};
/* The end of the word at `at`: letters, digits and _, with characters of `joins` between them. */
size_t sm_expr_word_end(struct sm_text text, size_t at, const char *joins);
/* Reads the token at or after byte `at`. Strings and quoted names are allocated in the arena.
 * Errors are SM_ERR_USAGE and give the column. */
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
    SM_AST_FAILED /* an error at binding, reported if the value is needed */
};
/* The step after @. */
struct sm_expr_place {
    enum sm_step_kind kind;
    int64_t n, to;         /* ALL: from n to `to`, inclusive */
    enum sm_mode mode;     /* ANY: that of the environment */
    struct sm_text worker; /* empty: that of the environment */
};
struct sm_ast {
    enum sm_ast_type type;
    enum sm_expr_token_type op; /* UNARY, BINARY */
    size_t column;              /* counted from 1 */
    unsigned depth;             /* of the subtree */
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
    struct sm_text text; /* a copy in the arena */
    struct sm_ast *tree; /* parsed without a trial */
    bool ambiguous;      /* must be parsed again with the names of the trial */
};
/* Parses the text once, with the current names. */
bool sm_ast_parse(struct sm_text text, struct sm_expr_names *names, struct sm_arena *arena,
                  struct sm_ast **out, struct sm_err *err);

/* The tree of the expression; if it is ambiguous, a new one in the arena, parsed with the current
 * names of the trial. */
bool sm_ast_of(const struct sm_expr *e, const struct sm_expr_env *env, struct sm_arena *arena,
               const struct sm_ast **out, struct sm_err *err);

/* place.c: parses the step after @ that starts at byte `at`; in_ternary: a colon is not a span.
 * Returns its end, or `at` if there is none. */
size_t sm_expr_place_parse(struct sm_text text, size_t at, bool in_ternary,
                           struct sm_expr_names *names, struct sm_arena *arena,
                           struct sm_expr_place *out);

/* ---- evaluation: on success the caller clears *out; on failure it is empty ---- */

bool sm_ast_eval(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                 struct sm_err *err);
/* Sets SM_ERR_USAGE with " at column N" appended. Returns false. */
bool sm_expr_error(size_t column, struct sm_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Sets *out to UNAVAILABLE with the reason. Returns true. */
bool sm_expr_unavailable(struct sm_expr_env *env, struct sm_value *out, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* names.c: finds the tensor, step, mode and worker that a NAME means. */
/* True for $t and $prev if env->of is set: they are looked up like names. */
bool sm_expr_is_condition_tensor(const struct sm_ast *e, const struct sm_expr_env *env);
/* True for the x of "where", also if a tensor has that name: `x` in backticks and x@10 are it. */
bool sm_expr_is_subject(const struct sm_ast *e, const struct sm_expr_env *env);
/* NULL if there is no trial or no such tensor. */
const struct sm_trial_tensor *sm_expr_find(const struct sm_ast *name,
                                           const struct sm_expr_env *env);
/* Sets tensor, mode and worker of l; its step is that of the environment. */
bool sm_expr_find_tensor(const struct sm_ast *name, struct sm_expr_env *env, struct sm_place *l,
                         struct sm_err *err);
/* Also sets the step. 1: something of the tensor was saved at it; 0: nothing was, *out is
 * UNAVAILABLE with the reason, and l->step.n < 0 without such a step; -1: error. */
int sm_expr_locate(const struct sm_ast *name, struct sm_expr_env *env, struct sm_place *l,
                   struct sm_value *out, struct sm_err *err);
/* Sets *out to UNAVAILABLE if sm_place_find_value found none. Returns true. */
bool sm_expr_no_payload(const struct sm_ast *name, struct sm_expr_env *env,
                        const struct sm_place *l, struct sm_value *out);
/* The series of the tensor; up_to: only steps up to the current one. */
bool sm_expr_read_series(const struct sm_ast *name, struct sm_expr_env *env, bool up_to,
                         struct sm_value *out, struct sm_err *err);

/* memory.c: the number of a rolling over the series of the name, up to the current step. *out is
 * UNAVAILABLE if it needs more points. rolling: its kind and argument; nothing is added to it. */
struct sm_rolling;
bool sm_expr_rolling_number(const struct sm_ast *name, struct sm_expr_env *env,
                            const struct sm_rolling *rolling, const char *func,
                            struct sm_value *out, struct sm_err *err);

/* over_steps.c */
/* The name with a span of steps: NAME@all, NAME@0:40. */
bool sm_expr_is_over_steps(const struct sm_ast *e, const struct sm_expr_env *env);
/* The statistics of elements of a type. */
struct sm_expr_measured {
    enum sm_dtype dtype;
    struct sm_stats stats;
    size_t unread; /* steps that cannot be read and were left out, and the first of them */
    struct sm_step first_unread;
};
/* Those of all elements at all steps of the name. 1: *out is filled; 0: there is no value, *none
 * says so; -1: error. */
int sm_expr_measure_steps(const struct sm_ast *name, struct sm_expr_env *env,
                          struct sm_expr_measured *out, struct sm_value *none, struct sm_err *err);
/* What was kept of the same question, and the entry of the tensor at which it goes on; 0: nothing.
 */
size_t sm_expr_recall_measured(const struct sm_ast *name, const struct sm_expr_env *env,
                               const struct sm_place *l, struct sm_expr_measured *out);
/* Keeps the statistics of the entries before `next`, which begins the last step. */
void sm_expr_keep_measured(const struct sm_ast *name, const struct sm_expr_env *env,
                           const struct sm_place *l, size_t next, const struct sm_expr_measured *m);
/* Copies to the result which steps were left out. */
void sm_expr_leave_out(const struct sm_expr_measured *m, struct sm_value *out);
/* Whether it is the series of the means of a tensor with several elements (NAME@all). */
bool sm_value_is_means(const struct sm_value *v);
/* False with an error for a series of means, where its meaning would not be clear. */
bool sm_expr_refuse_means(const struct sm_value *v, size_t column, struct sm_err *err);

/* sm_place_find_step for NUMBER, NEAREST and AGO, which are the same at all steps of env; what was
 * found is kept. */
bool sm_expr_same_step(const struct sm_expr_env *env, const struct sm_place *l,
                       enum sm_step_kind kind, int64_t n, struct sm_step *out);

/* Iterates over n elements in blocks: while (sm_blocks_next(&b)) handle b.from to b.to; at the end
 * call sm_blocks_done, which is false with SM_ERR_CANCELLED if *stop became true. */
struct sm_blocks {
    uint64_t n;
    const atomic_bool *stop;
    uint64_t from, to;
    bool stopped;
};
bool sm_blocks_next(struct sm_blocks *b);
bool sm_blocks_done(const struct sm_blocks *b, struct sm_err *err);

/* flat.c: operations on many elements without broadcasting: element i of the result is made from
 * element i of each operand, or from its number. */
struct sm_flat {
    const struct sm_tensor *tensor; /* NULL for a number */
    struct sm_exact number;
};
/* Writes elements from..to of out: a bool tensor for comparisons and logic, float64 for arithmetic,
 * int64 or uint64 for that of integers. NOT ignores b. False: an integer does not fit out. */
bool sm_flat_operate(enum sm_expr_token_type op, const struct sm_flat *a, const struct sm_flat *b,
                     uint64_t from, uint64_t to, struct sm_tensor *out);
/* The same for two numbers; logical: op is a comparison or logic. */
double sm_flat_number(enum sm_expr_token_type op, bool logical, double a, double b);
/* Number of elements for which a comparison is true. At least one operand is a tensor; two tensors
 * have the same number of elements. */
uint64_t sm_flat_count(enum sm_expr_token_type op, const struct sm_flat *a, const struct sm_flat *b,
                       uint64_t from, uint64_t to);
uint64_t sm_flat_count_true(const struct sm_tensor *t, uint64_t from, uint64_t to);

/* exact.c: integers of 64 bits, which a double may not hold. */
/* Whether a comparison is true. */
bool sm_exact_holds(enum sm_expr_token_type op, const struct sm_exact *a, const struct sm_exact *b);
/* False: not an integer within 64 bits; the operation is then that of doubles. */
bool sm_integer_operate(enum sm_expr_token_type op, struct sm_integer a, struct sm_integer b,
                        struct sm_integer *out);
/* Stores element i of an int64 or uint64 tensor. False: it does not fit. */
bool sm_integer_store(struct sm_tensor *out, uint64_t i, struct sm_integer v);
bool sm_dtype_has_integers(enum sm_dtype d); /* also bool */
/* Replaces an integer that a double does not hold, compared with doubles, by one that gives the
 * same answers: x < 2^53 + 1 is x <= 2^53. `number` is the right operand. */
void sm_exact_round_limit(enum sm_expr_token_type *op, struct sm_exact *number);

/* The operator with exchanged operands: > for <, and so on; others stay. */
enum sm_expr_token_type sm_expr_mirrored(enum sm_expr_token_type op);

/* operate.c: arithmetic and comparisons; NOT ignores b. May simplify a and b; the caller clears
 * them. */
bool sm_operate(enum sm_expr_token_type op, size_t column, struct sm_value *a, struct sm_value *b,
                const atomic_bool *stop, struct sm_value *out, struct sm_err *err);
/* The shape of the result by numpy's rule: axes are matched from the last one, and an axis of one
 * element is stretched. Returns the number of elements (UINT64_MAX on overflow). Shapes that do not
 * match are not detected here. */
uint64_t sm_broadcast(unsigned na, const uint64_t *da, unsigned nb, const uint64_t *db,
                      unsigned *n_dims, uint64_t *dims);

/* value.c */
void sm_value_number(struct sm_value *v, double x);
void sm_value_int(struct sm_value *v, int64_t x);
void sm_value_bool(struct sm_value *v, bool x);
/* Converts numbers and series. False for strings and other types. */
bool sm_value_to_tensor(struct sm_value *v, struct sm_err *err);
bool sm_dtype_has_numbers(enum sm_dtype d); /* float, int, bool; not complex, not strings */
double sm_tensor_at(const struct sm_tensor *t, uint64_t i); /* flat index */
struct sm_exact sm_tensor_exact(const struct sm_tensor *t, uint64_t i);

#endif
