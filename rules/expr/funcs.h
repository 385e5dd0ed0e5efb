/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the function table (funcs.c), the functions themselves and their shared helpers. */
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
    /* True if the function reads the record of its first argument itself; it is then called when
     * the expression is bound. NULL if it never does. */
    bool (*asks)(const struct sm_ast *call, const struct sm_expr_env *env);
};
const struct sm_expr_func_row *sm_expr_func_find(struct sm_text name);

/* Evaluates argument i. 1: *v is its value; 0: it is unavailable and *out says so; -1: error. */
int sm_func_argument(const struct sm_ast *call, unsigned i, struct sm_expr_env *env,
                     struct sm_value *v, struct sm_value *out, struct sm_err *err);
/* The same, converted to a tensor of numbers. */
int sm_func_tensor(const struct sm_ast *call, unsigned i, struct sm_expr_env *env,
                   struct sm_value *v, struct sm_value *out, struct sm_err *err);
/* Converts *v to a tensor of numbers; got: the result of sm_func_argument. */
int sm_func_to_tensor(const struct sm_ast *call, int got, struct sm_value *v, struct sm_err *err);
/* Evaluates argument i as a number. */
bool sm_func_number(const struct sm_ast *call, unsigned i, struct sm_expr_env *env, double *x,
                    struct sm_err *err);
/* Sets an error with the name of the function and the column. Returns false. */
bool sm_func_error(const struct sm_ast *call, struct sm_err *err, const char *what);

/* Values for `asks`. The first argument is a tensor at a step: */
bool sm_func_asks_name(const struct sm_ast *call, const struct sm_expr_env *env);
/* The same, or at several steps: NAME@all. */
bool sm_func_asks_statistic(const struct sm_ast *call, const struct sm_expr_env *env);
/* e is a tensor at a step */
bool sm_expr_is_at_step(const struct sm_ast *e, const struct sm_expr_env *env);
/* The first argument compares a tensor at a step with a number by < <= > or >=. */
bool sm_func_asks_limit(const struct sm_ast *call, const struct sm_expr_env *env);
/* The same, or at several steps. */
bool sm_func_asks_limits(const struct sm_ast *call, const struct sm_expr_env *env);
/* The first argument is a bare name. */
bool sm_func_asks_series(const struct sm_ast *call, const struct sm_expr_env *env);
/* The first argument is a name, bare or not. */
bool sm_func_asks_any(const struct sm_ast *call, const struct sm_expr_env *env);

/* func_reduce.c: one number of a tensor, from the statistics of its record if it is a name */
sm_expr_run sm_func_statistic, sm_func_size, sm_func_median, sm_func_quantile;
sm_expr_run sm_func_shape, sm_func_dtype, sm_func_exists;
/* The reduction saved by the hook, used if there is no payload and both definitions are the same;
 * not for std and variance, which some hooks divide by n - 1. NULL if there is none. */
struct sm_entry sm_func_saved_reduction(const struct sm_ast *call, const struct sm_expr_env *env,
                                        const struct sm_place *l);
/* func_element.c: element by element */
sm_expr_run sm_func_map, sm_func_test, sm_func_any, sm_func_all, sm_func_count, sm_func_frac,
    sm_func_argmin, sm_func_argmax;
sm_expr_run sm_func_cos;
/* limit.c: compares any (or all) elements with a number, using the statistics of the record.
 * 1: *out is the answer; 0: the elements are needed; -1: error. */
int sm_func_limit(const struct sm_ast *call, struct sm_expr_env *env, bool all,
                  struct sm_value *out, struct sm_err *err);
sm_expr_run sm_func_changed; /* change.c */
/* func_series.c: functions over steps. For a bare name they use its steps up to the current one and
 * give the number there; for name@all those that give a value per step give a series. */
sm_expr_run sm_func_first, sm_func_last, sm_func_steps, sm_func_ema, sm_func_delta, sm_func_slope,
    sm_func_z, sm_func_ratio;

#endif
