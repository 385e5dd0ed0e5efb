/* SPDX-License-Identifier: Apache-2.0 */
/* The table of functions, sorted by name, and helpers that the functions share. */
#include "rules/expr/funcs.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- shared helpers ---- */

bool sm_func_error(const struct sm_ast *call, struct sm_err *err, const char *what)
{
    return sm_err_set(err, SM_ERR_USAGE, "%s: %s at column %zu", call->func->public.name, what,
                      call->column);
}

int sm_func_argument(const struct sm_ast *call, unsigned i, struct sm_expr_env *env,
                     struct sm_value *v, struct sm_value *out, struct sm_err *err)
{
    if (!sm_ast_eval(call->args[i], env, v, err))
        return -1;
    if (v->type != SM_UNAVAILABLE)
        return 1;
    *out = *v;
    *v = (struct sm_value){0};
    return 0;
}

int sm_func_tensor(const struct sm_ast *call, unsigned i, struct sm_expr_env *env,
                   struct sm_value *v, struct sm_value *out, struct sm_err *err)
{
    return sm_func_to_tensor(call, sm_func_argument(call, i, env, v, out, err), v, err);
}

int sm_func_to_tensor(const struct sm_ast *call, int got, struct sm_value *v, struct sm_err *err)
{
    bool numbers = v->type == SM_NUMBER || v->type == SM_BOOL || v->type == SM_SERIES ||
                   (v->type == SM_TENSOR && sm_dtype_has_numbers(v->tensor->dtype));
    if (got > 0 && !sm_expr_refuse_means(v, call->column, err))
        got = -1;
    if (got > 0 && !numbers)
        got = sm_func_error(call, err, "expected a tensor of numbers") ? 0 : -1;
    if (got > 0 && !sm_value_to_tensor(v, err))
        got = -1;
    if (got < 0)
        sm_value_clear(v);
    return got;
}

bool sm_func_number(const struct sm_ast *call, unsigned i, struct sm_expr_env *env, double *x,
                    struct sm_err *err)
{
    struct sm_value v = {0};
    if (!sm_ast_eval(call->args[i], env, &v, err))
        return false;
    bool ok = sm_value_as_number(&v, x);
    sm_value_clear(&v);
    return ok || sm_func_error(call, err, "expected a number");
}

bool sm_func_asks_name(const struct sm_ast *call, const struct sm_expr_env *env)
{
    return sm_expr_is_at_step(call->args[0], env);
}

bool sm_expr_is_at_step(const struct sm_ast *e, const struct sm_expr_env *env)
{
    return sm_expr_is_condition_tensor(e, env) ||
           (e->type == SM_AST_NAME && e->place.kind != SM_STEP_ALL && sm_expr_find(e, env));
}

bool sm_func_asks_series(const struct sm_ast *call, const struct sm_expr_env *env)
{
    const struct sm_ast *e = call->args[0];
    return (e->type == SM_AST_NAME || sm_expr_is_condition_tensor(e, env)) &&
           e->place.kind == SM_STEP_CURRENT;
}

bool sm_func_asks_any(const struct sm_ast *call, const struct sm_expr_env *env)
{
    return call->args[0]->type == SM_AST_NAME || sm_expr_is_condition_tensor(call->args[0], env);
}

static double test_nan(double x)
{
    return isnan(x) != 0;
}

static double test_inf(double x)
{
    return isinf(x) != 0;
}

/* ---- the table ---- */

#define ASKS(what, function) .run = function, .asks = sm_func_asks_##what
static const struct sm_expr_func_row own[] = {
    {{"abs", "x", "absolute value of each element", 1, 1}, .run = sm_func_map, .map = fabs},
    {{"all", "cond", "true if every element is true", 1, 1},
     .run = sm_func_all,
     .asks = sm_func_asks_limits},
    {{"any", "cond", "true if any element is true", 1, 1},
     .run = sm_func_any,
     .asks = sm_func_asks_limits},
    {{"argmax", "x", "flat index of the largest element", 1, 1}, .run = sm_func_argmax},
    {{"argmin", "x", "flat index of the smallest element", 1, 1}, .run = sm_func_argmin},
    {{"changed", "a, b[, tol]", "number of elements that differ bitwise, or by more than tol", 2,
      3},
     .run = sm_func_changed},
    {{"cos", "a, b", "cosine of the angle between two tensors", 2, 2}, .run = sm_func_cos},
    {{"count", "cond", "number of elements that are true", 1, 1}, .run = sm_func_count},
    {{"delta", "t[, n]", "difference from the value n saved steps before", 1, 2},
     ASKS(series, sm_func_delta)},
    {{"dtype", "x", "element type, as a string", 1, 1}, ASKS(name, sm_func_dtype)},
    {{"ema", "s, w", "TensorBoard's smoothing with weight w", 2, 2}, ASKS(series, sm_func_ema)},
    {{"exists", "t[, step]", "true if the tensor was saved at the step", 1, 2},
     ASKS(any, sm_func_exists)},
    {{"exp", "x", "e to the power of each element", 1, 1}, .run = sm_func_map, .map = exp},
    {{"first", "s", "first value over the steps", 1, 1}, ASKS(series, sm_func_first)},
    {{"frac", "cond", "share of elements that are true", 1, 1}, .run = sm_func_frac},
    {{"isinf", "x", "true where an element is infinite", 1, 1},
     .run = sm_func_test,
     .map = test_inf},
    {{"isnan", "x", "true where an element is NaN", 1, 1}, .run = sm_func_test, .map = test_nan},
    {{"last", "s", "last value over the steps", 1, 1}, ASKS(series, sm_func_last)},
    {{"log", "x", "natural logarithm of each element", 1, 1}, .run = sm_func_map, .map = log},
    {{"log10", "x", "decimal logarithm of each element", 1, 1}, .run = sm_func_map, .map = log10},
    {{"median", "x", "median of the finite elements", 1, 1}, .run = sm_func_median},
    {{"norm", "x", "the same as l2", 1, 1}, ASKS(statistic, sm_func_statistic), .same_as = "l2"},
    {{"q", "x, p", "quantile p of the finite elements, linear", 2, 2}, .run = sm_func_quantile},
    {{"ratio", "a, b", "a / b", 2, 2}, .run = sm_func_ratio},
    {{"shape", "x", "shape, as a string", 1, 1}, ASKS(name, sm_func_shape)},
    {{"size", "x", "number of elements", 1, 1}, ASKS(statistic, sm_func_size)},
    {{"slope", "s, n", "least-squares slope per step over the last n values", 2, 2},
     ASKS(series, sm_func_slope)},
    {{"sqrt", "x", "square root of each element", 1, 1}, .run = sm_func_map, .map = sqrt},
    {{"steps", "t", "number of steps at which the tensor was saved", 1, 1},
     ASKS(any, sm_func_steps)},
    {{"z", "s, n", "distance of the last value from the mean of the n before, in std", 2, 2},
     ASKS(series, sm_func_z)},
};
enum { OWN = sizeof own / sizeof *own, COUNT_MAX = OWN + 64 };

/* The own ones and those of the statistics (reader/tensor/statistic_list.h), by name. */
static struct sm_expr_func_row table[COUNT_MAX];
static size_t count;
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void add_row(struct sm_expr_func_row row)
{
    size_t i = count++;
    for (; i && strcmp(table[i - 1].public.name, row.public.name) > 0; i--)
        table[i] = table[i - 1];
    table[i] = row;
}

static void make_table(void)
{
    for (size_t i = 0; i < OWN; i++) {
        struct sm_expr_func_row row = own[i];
        if (row.same_as)
            row.statistic = sm_statistic_find(sm_text(row.same_as));
        add_row(row);
    }
    for (size_t i = 0; i < sm_statistic_count() && count < COUNT_MAX; i++) {
        const struct sm_statistic *x = sm_statistic(i);
        if (x->function)
            add_row((struct sm_expr_func_row){{x->function, "x", x->help, 1, 1},
                                              ASKS(statistic, sm_func_statistic),
                                              .statistic = x});
    }
}

const struct sm_expr_func_row *sm_expr_func_find(struct sm_text name)
{
    for (size_t i = 0; i < sm_expr_func_count(); i++)
        if (sm_text_is(name, table[i].public.name))
            return &table[i];
    return NULL;
}

size_t sm_expr_func_count(void)
{
    pthread_once(&table_once, make_table);
    return count;
}

const struct sm_expr_func *sm_expr_func(size_t i)
{
    pthread_once(&table_once, make_table);
    return &table[i].public;
}
