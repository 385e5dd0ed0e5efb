/* The rows of the function table (funcs.c) and what its functions share. */
#ifndef SM_FUNCS_H
#define SM_FUNCS_H

#include "reader/tensor/statistic_list.h"
#include "rules/expr/ast.h"

typedef bool sm_expr_run(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                         struct sm_err *err);
struct sm_expr_func_row {
    struct sm_expr_func public;
    sm_expr_run *run;
    const struct sm_statistic *statistic; /* for sm_func_statistic */
    const char *same_as;                  /* another name of that statistic */
    double (*map)(double x);              /* for sm_func_map and sm_func_test */
    /* True: it looks its first argument up by itself, so it is called when the expression is bound.
     * NULL: never. */
    bool (*asks)(const struct sm_ast *call, const struct sm_expr_env *env);
};
const struct sm_expr_func_row *sm_expr_func_find(struct sm_text name);

/* Evaluates argument i: 1 go on with *v, 0 it is unavailable and *out says so, -1 error. */
int sm_func_argument(const struct sm_ast *call, unsigned i, struct sm_expr_env *env,
                     struct sm_value *v, struct sm_value *out, struct sm_err *err);
/* The same as a tensor of numbers. */
int sm_func_tensor(const struct sm_ast *call, unsigned i, struct sm_expr_env *env,
                   struct sm_value *v, struct sm_value *out, struct sm_err *err);
/* What sm_func_argument has given as one. */
int sm_func_take_tensor(const struct sm_ast *call, int go, struct sm_value *v, struct sm_err *err);
bool sm_func_number(const struct sm_ast *call, unsigned i, struct sm_expr_env *env, double *x,
                    struct sm_err *err);
bool sm_func_wrong(const struct sm_ast *call, struct sm_err *err, const char *what);

/* a tensor at a step */
bool sm_func_asks_name(const struct sm_ast *call, const struct sm_expr_env *env);
/* the same: a tensor at a step */
bool sm_expr_is_at_step(const struct sm_ast *e, const struct sm_expr_env *env);
/* such a tensor < or > a number */
bool sm_func_asks_limit(const struct sm_ast *call, const struct sm_expr_env *env);
/* a bare name */
bool sm_func_asks_series(const struct sm_ast *call, const struct sm_expr_env *env);
bool sm_func_asks_any(const struct sm_ast *call, const struct sm_expr_env *env); /* any name */

/* func_reduce.c: one number of a tensor, from its statistics where it is a name */
sm_expr_run sm_func_statistic, sm_func_size, sm_func_median, sm_func_quantile;
sm_expr_run sm_func_shape, sm_func_dtype, sm_func_exists;
/* What the hook saved stands in for a missing payload where both definitions are the same: not std
 * and variance, which some hooks divide by n - 1. NULL: there is none. */
const struct sm_entry *sm_func_saved_reduction(const struct sm_ast *call,
                                               const struct sm_expr_env *env,
                                               const struct sm_located *l);
/* func_element.c: element by element */
sm_expr_run sm_func_map, sm_func_test, sm_func_any, sm_func_all, sm_func_count, sm_func_frac,
    sm_func_argmin, sm_func_argmax;
sm_expr_run sm_func_cos;
/* limit.c: any (or all) elements beside a number, answered by the smallest and the largest of them.
 * 1: *out is the answer; 0: the elements must be looked at; -1: error. */
int sm_func_limit(const struct sm_ast *call, struct sm_expr_env *env, bool all,
                  struct sm_value *out, struct sm_err *err);
sm_expr_run sm_func_changed; /* change.c */
/* func_series.c: over the steps. A bare name means its steps up to the current one, and the answer
 * is the number there; name@all is a series and gives one. */
sm_expr_run sm_func_first, sm_func_last, sm_func_steps, sm_func_ema, sm_func_delta, sm_func_slope,
    sm_func_z, sm_func_ratio;

#endif
