/* The expression language (doc/language.md): one for print, find where, break, watch, assert, until
 * and rules.
 *
 * No side effects, bounded time and memory. Messages have the column. The function table (funcs.c)
 * is the one place where functions are added; help and completion come from it.
 *
 * A bare name goes on over / : . and - as long as the trial has a tensor of that name, the longest
 * wins; otherwise they are operators. So an expression with such names is read again at each
 * evaluation, and means what it means with the names that are there then. Backticks leave no doubt.
 *
 * Tensors are taken element by element, as numpy does: comparisons, && || and ! give bool tensors,
 * and such a condition is true if any element is. A one-element tensor is its number. Integers are
 * exact while they fit 64 bits. What is not saved is UNAVAILABLE, and so is what is made of it,
 * except where && || or ?: do not need it.
 *
 * Functions over steps (ema, delta, slope, z) take a series (t@all), or a bare name, which means
 * its steps up to the current one: then they give the number there. The series of a tensor with
 * more elements is that of its mean. */
#ifndef SM_EXPR_H
#define SM_EXPR_H

#include "rules/expr/value.h"

#include <stdatomic.h>

struct sm_expr; /* a syntax tree in an arena */

/* Where names get their values. Functions may be NULL. */
struct sm_expr_env {
    struct sm_fetch *fetch;
    struct sm_trial *trial; /* NULL: no tensors */
    struct sm_step step;    /* where a name without @step is read; n < 0: no current step */
    enum sm_mode mode;
    uint16_t worker;
    /* $t is this tensor at the step and of the worker, $prev as it was saved before in the same
     * mode, $v the number of a $t with one element. They are read only where the expression needs
     * them. NULL: `subject` decides. */
    const struct sm_trial_tensor *of;
    bool step_by_step; /* $s is the step */
    /* $t or x (its number: $v, its step: $s) in conditions and find where, or NULL */
    const struct sm_value *subject;
    /* functions over steps give series also for bare names: for plot and series */
    bool whole_series;
    /* $name, $1, $, $$; false: void */
    bool (*variable)(void *ctx, const char *name, size_t n, struct sm_value *out);
    /* it has none; false: that is an error */
    bool (*void_variable)(void *ctx, const char *name, size_t n, struct sm_err *err);
    void *ctx;
    struct sm_arena *arena; /* for strings and messages; the caller's */
    /* looked at now and then while much is calculated: SM_ERR_CANCELLED; NULL: none */
    const atomic_bool *stop;
};

/* Parses the whole text, which is copied. Bounds: 64 kB of text, 200 nested parentheses, 1000
 * operators in a row. The message reads "... at column 7". */
bool sm_expr_parse(const char *text, size_t n, struct sm_arena *arena, struct sm_expr **out,
                   struct sm_err *err);
/* Of a comparison what stands left of its sign, and the rest with the sign, both of the
 * expression's own text. False: it is something else. */
bool sm_expr_comparison(const struct sm_expr *e, struct sm_text *left, struct sm_text *rest);
/* False with SM_ERR_WAIT until the payloads are there (see reader/fetch.h). NaN stays NaN;
 * comparisons with NaN are false. */
bool sm_expr_eval(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out,
                  struct sm_err *err);

/* The same in two halves. Binding asks for everything the expression looks at, all at once
 * (SM_ERR_WAIT until it is there), and puts values in the place of names. What is bound can be
 * evaluated in any thread, while the trial goes on or goes away; what was missing or wrong is told
 * only if the answer needs it. */
struct sm_bound;
bool sm_expr_bind(const struct sm_expr *e, const struct sm_expr_env *env, struct sm_bound **out,
                  struct sm_err *err);
/* Only asks, which costs less. False: binding would have to wait. */
bool sm_expr_ask(const struct sm_expr *e, struct sm_expr_env *env);
/* Whether all it reads are numbers that are known of records without keeping them (statistics, $v,
 * sizes): as a condition it may then be evaluated at once, without binding; the value is true or
 * not. What it needs is asked for one by one. */
bool sm_expr_is_light(const struct sm_expr *e, const struct sm_expr_env *env);
bool sm_expr_eval_light(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out,
                        struct sm_err *err);
uint64_t sm_bound_elements(const struct sm_bound *b); /* how many will be calculated, about */
/* The answer's strings go to the arena. */
bool sm_expr_eval_bound(const struct sm_bound *b, struct sm_arena *arena, const atomic_bool *stop,
                        struct sm_value *out, struct sm_err *err);
void sm_bound_free(struct sm_bound *b); /* NULL is fine */

/* NaN, UNAVAILABLE, VOID and 0 are false; tensors: any element */
bool sm_expr_is_true(const struct sm_value *v);

struct sm_expr_func {
    /* "quantile"-like: name "q", args "x, p", help one line <= 70 columns */
    const char *name, *args, *help;
    unsigned min_args, max_args;
};
size_t sm_expr_func_count(void);
const struct sm_expr_func *sm_expr_func(size_t i); /* by name order */

#endif
