/* SPDX-License-Identifier: Apache-2.0 */
/* The expression language (doc/language.md), used by print, find where, break, watch, assert, until
 * and rules. rules/expr hands out parsing, binding to the values of a trial, and evaluation to a
 * struct sm_value.
 *
 * Expressions have no side effects and bounded time and memory. Error messages give the column. New
 * functions are added to the table in funcs.c; help and completion are made from it.
 *
 * A bare name may contain / : . and - if the trial has a tensor of that name (the longest wins);
 * otherwise they are operators. Such an expression is therefore parsed again at each evaluation,
 * with the names of that moment. Names in backticks are unambiguous.
 *
 * Operators work on each element of a tensor, as in numpy: comparisons, && || and ! give bool
 * tensors, and a tensor is true as a condition if any element is. A one-element tensor is its
 * number. Integers are exact while they fit in 64 bits, with or without a sign. A value that was
 * not saved is UNAVAILABLE, and so is every result that needs it; && || and ?: may not need it.
 *
 * Functions over steps (ema, delta, slope, z) take a series (t@all) and give a series or a number.
 * Given a bare name, they use its steps up to the current one and give the number there. The series
 * of a tensor with more than one element is the series of its mean; only these functions and print
 * take it. Reductions of t@all (min, max, sum, mean, nan, any(t@all > 1) ...) are over all elements
 * of all steps. */
#ifndef SM_EXPR_H
#define SM_EXPR_H

#include "rules/expr/value.h"

#include <stdatomic.h>

struct sm_expr; /* a parsed expression in an arena */

/* What functions over steps (ema, delta, slope, z) and names such as loss@train:0 keep from one
 * evaluation to the next, so that a
 * condition that is evaluated at one step after another reads each step once. Zero-initialised is
 * empty; it may serve several expressions on one trial. */
struct sm_expr_memory {
    struct sm_expr_found *found; /* the last steps found by their number in a mode */
    size_t n_found;
    struct sm_expr_over *over; /* the last statistics over steps: max(loss@all) */
    size_t n_over;
    struct sm_expr_kept **items;
    size_t n, cap;
    size_t next;        /* the one that is probably asked for next */
    uint64_t n_entries; /* entries of tensors read so far, for tests */
};
void sm_expr_memory_clear(struct sm_expr_memory *m);

/* The environment that names and variables are resolved in. Functions may be NULL. */
struct sm_expr_env {
    struct sm_fetch *fetch;
    struct sm_trial *trial; /* NULL if there are no tensors */
    struct sm_step step;    /* of names without @step; n < 0 if there is no current step */
    enum sm_mode mode;
    uint16_t worker;
    /* The tensor of a condition, or NULL to use `subject`. $t is its value at the step and of the
     * worker, $prev the value saved before in the same mode, $v the number of a one-element $t.
     * They are read only if the expression needs them. */
    const struct sm_trial_tensor *of;
    bool step_by_step; /* $s is the step even without a subject */
    /* The value of $t and x (number: $v, step: $s) in conditions and find where, or NULL. */
    const struct sm_value *subject;
    /* functions over steps also give series for bare names; for plot and series */
    bool whole_series;
    struct sm_expr_memory *memory; /* NULL: nothing is kept */
    bool ahead; /* values are only requested, for a later step: the memory stays as it is */
    /* looks up $name, $1, $, $$; false if it is void */
    bool (*variable)(void *ctx, const char *name, size_t n, struct sm_value *out);
    /* called for a void variable; false if that is an error */
    bool (*void_variable)(void *ctx, const char *name, size_t n, struct sm_err *err);
    void *ctx;
    struct sm_arena *arena; /* for strings and messages; owned by the caller */
    /* checked during long calculations, which then fail with SM_ERR_CANCELLED; may be NULL */
    const atomic_bool *stop;
};

/* Parses the whole text, which is copied to the arena. Limits: 64 kB of text, 200 nested
 * parentheses, 1000 operators in a row. Error messages end with "at column 7". */
bool sm_expr_parse(const char *text, size_t n, struct sm_arena *arena, struct sm_expr **out,
                   struct sm_err *err);
/* False with SM_ERR_MISSING if a name is not a tensor of the trial and the expression does not call
 * exists() with it. env->subject: x is a name, too. No value is read. */
bool sm_expr_check_names(const struct sm_expr *e, const struct sm_expr_env *env,
                         struct sm_err *err);
/* Splits a comparison: left is the text before the operator, rest the operator and the text after
 * it. Both point into the text of the expression. False if it is not a comparison. */
bool sm_expr_comparison(const struct sm_expr *e, struct sm_text *left, struct sm_text *rest);
/* Binds and evaluates. False with SM_ERR_WAIT until the payloads are available (see
 * reader/fetch/fetch.h). Comparisons with NaN are false. */
bool sm_expr_eval(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out,
                  struct sm_err *err);

/* The same in two steps. Binding requests all values that the expression reads at once (SM_ERR_WAIT
 * until they are available) and replaces names by values. A bound expression does not refer to the
 * trial, so any thread can evaluate it. Missing values and errors are reported only if the result
 * needs them. */
struct sm_bound;
bool sm_expr_bind(const struct sm_expr *e, const struct sm_expr_env *env, struct sm_bound **out,
                  struct sm_err *err);
/* Only requests the values, which is cheaper. False if binding would have to wait. */
bool sm_expr_request(const struct sm_expr *e, struct sm_expr_env *env);
/* True if the expression reads only numbers that are known without keeping the payload (statistics,
 * $v, sizes). As a condition it can then be evaluated by sm_expr_eval_stats, without binding;
 * values are requested one by one. */
bool sm_expr_needs_stats_only(const struct sm_expr *e, const struct sm_expr_env *env);
bool sm_expr_eval_stats(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out,
                        struct sm_err *err);
/* Approximate number of elements to calculate. */
uint64_t sm_bound_elements(const struct sm_bound *b);
/* Strings of the result are allocated in the arena. */
bool sm_expr_eval_bound(const struct sm_bound *b, struct sm_arena *arena, const atomic_bool *stop,
                        struct sm_value *out, struct sm_err *err);
void sm_bound_free(struct sm_bound *b); /* NULL is fine */

/* NaN, UNAVAILABLE, VOID and 0 are false; a tensor is true if any element is. */
bool sm_expr_is_true(const struct sm_value *v);

struct sm_expr_func {
    /* for example name "q", args "x, p"; help is one line of at most 70 columns */
    const char *name, *args, *help;
    unsigned min_args, max_args;
};
size_t sm_expr_func_count(void);
const struct sm_expr_func *sm_expr_func(size_t i); /* sorted by name */

#endif
