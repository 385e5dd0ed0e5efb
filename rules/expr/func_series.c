/* SPDX-License-Identifier: Apache-2.0 */
/* Functions over the saved steps of a tensor. */
#include "rules/expr/funcs.h"
#include "rules/expr/rolling.h"

#include <string.h>

/* ---- arguments ---- */

/* The series of argument 0; results as for sm_func_argument. */
static int series_argument(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *v,
                           struct sm_value *out, struct sm_err *err)
{
    const struct sm_ast *e = call->args[0];
    bool name = sm_func_asks_series(call, env);
    if (name ? !sm_expr_read_series(e, env, false, v, err) : !sm_ast_eval(e, env, v, err))
        return -1;
    if (v->type == SM_SERIES)
        return 1;
    if (v->type == SM_UNAVAILABLE) {
        *out = *v;
        *v = (struct sm_value){0};
        return 0;
    }
    sm_value_clear(v);
    return sm_func_error(call, err, "expected the name of a tensor or a series such as loss@all")
               ? 0
               : -1;
}

static bool too_short(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out)
{
    return sm_expr_unavailable(env, out, "%s needs more saved steps", call->func->public.name);
}

static bool count_argument(const struct sm_ast *call, unsigned i, struct sm_expr_env *env,
                           size_t *n, struct sm_err *err)
{
    double x;
    if (!sm_func_number(call, i, env, &x, err))
        return false;
    if (!(x >= 1 && x <= 1e9))
        return sm_func_error(call, err, "n must be at least 1");
    *n = (size_t)x;
    return true;
}

/* ---- first, last and number of steps ---- */

static void value_of_point(const struct sm_point *p, struct sm_value *out)
{
    const struct sm_exact x = sm_point_exact(p);
    sm_value_set_exact(out, &x);
    out->single = sm_dtype_info(p->dtype)->single;
}

/* For a name only the first or last record is read, of any shape. */
static bool first_or_last(const struct sm_ast *call, struct sm_expr_env *env, bool last,
                          struct sm_value *out, struct sm_err *err)
{
    struct sm_ast name = *call->args[0];
    struct sm_value v = {0};
    if (sm_func_asks_series(call, env)) {
        name.place.kind = last ? SM_STEP_LAST : SM_STEP_FIRST;
        return sm_ast_eval(&name, env, out, err);
    }
    int got = series_argument(call, env, &v, out, err);
    if (got > 0 && !sm_expr_refuse_means(&v, call->column, err))
        got = -1;
    if (got > 0 && v.n_points)
        value_of_point(&v.points[last ? v.n_points - 1 : 0], out);
    else if (got > 0)
        too_short(call, env, out);
    sm_value_clear(&v);
    return got >= 0;
}

bool sm_func_first(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                   struct sm_err *err)
{
    return first_or_last(call, env, false, out, err);
}

bool sm_func_last(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                  struct sm_err *err)
{
    return first_or_last(call, env, true, out, err);
}

bool sm_func_steps(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                   struct sm_err *err)
{
    struct sm_place l;
    struct sm_value v = {0};
    if (sm_func_asks_any(call, env)) {
        if (!sm_expr_find_tensor(call->args[0], env, &l, err))
            return false;
        sm_value_int(out, sm_place_count_steps(&l));
        return true;
    }
    int got = series_argument(call, env, &v, out, err);
    if (got > 0)
        sm_value_int(out, (int64_t)v.n_points);
    sm_value_clear(&v);
    return got >= 0;
}

/* ---- rolling functions (rolling.h) ---- */

/* Whether the number at the current step is asked for: the argument is a bare name. */
static bool is_at_step(const struct sm_ast *call, const struct sm_expr_env *env)
{
    return sm_func_asks_series(call, env) && !env->whole_series;
}

/* Replaces the series by the numbers of the rolling at its points, and leaves out those without
 * one. With `last` only that of the last point stays. */
static bool roll_series(struct sm_value *v, struct sm_rolling *rolling, bool last,
                        struct sm_err *err)
{
    size_t n = 0;
    bool ok = true;
    for (size_t i = 0; i < v->n_points && ok; i++) {
        struct sm_point p = v->points[i];
        double before = p.value;
        ok = sm_rolling_add(rolling, p.step.n, p.value) ||
             sm_err_set(err, SM_ERR_MEMORY, "no memory for a window of steps");
        if ((last && i + 1 < v->n_points) || !ok || !sm_rolling_number(rolling, &p.value))
            continue;
        if (p.value != before)
            p.dtype = SM_DTYPE_NONE;
        v->points[n++] = p;
    }
    v->n_points = n;
    sm_rolling_clear(rolling);
    return ok;
}

/* A number for each step of the series that has one; at_step: the number at the current step. */
static bool roll_steps(const struct sm_ast *call, struct sm_expr_env *env,
                       struct sm_rolling *rolling, struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    if (is_at_step(call, env))
        return sm_expr_rolling_number(call->args[0], env, rolling, call->func->public.name, out,
                                      err);
    int got = series_argument(call, env, &v, out, err);
    if (got <= 0)
        return got == 0;
    v.rolled = true;
    bool ok = roll_series(&v, rolling, false, err);
    if (ok)
        *out = v;
    else
        sm_value_clear(&v);
    return ok;
}

/* The number at the last step of the series. */
static bool roll_to_number(const struct sm_ast *call, struct sm_expr_env *env,
                           struct sm_rolling *rolling, struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    if (is_at_step(call, env))
        return sm_expr_rolling_number(call->args[0], env, rolling, call->func->public.name, out,
                                      err);
    int got = series_argument(call, env, &v, out, err);
    bool ok = got > 0 ? roll_series(&v, rolling, true, err) : got == 0;
    if (got > 0 && ok && v.n_points)
        sm_value_number(out, v.points[0].value);
    else if (got > 0 && ok)
        too_short(call, env, out);
    sm_value_clear(&v);
    return ok;
}

bool sm_func_ema(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                 struct sm_err *err)
{
    struct sm_rolling rolling = {.kind = SM_ROLLING_EMA};
    if (!sm_func_number(call, 1, env, &rolling.weight, err))
        return false;
    if (!(rolling.weight >= 0 && rolling.weight < 1))
        return sm_func_error(call, err, "w must be at least 0 and less than 1");
    return roll_steps(call, env, &rolling, out, err);
}

/* Each value minus the value n saved steps before; the first n steps give none. */
bool sm_func_delta(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                   struct sm_err *err)
{
    struct sm_rolling rolling = {.kind = SM_ROLLING_DELTA, .size = 1};
    if (call->n_args > 1 && !count_argument(call, 1, env, &rolling.size, err))
        return false;
    return roll_steps(call, env, &rolling, out, err);
}

bool sm_func_slope(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                   struct sm_err *err)
{
    struct sm_rolling rolling = {.kind = SM_ROLLING_SLOPE};
    return count_argument(call, 1, env, &rolling.size, err) &&
           roll_to_number(call, env, &rolling, out, err);
}

bool sm_func_z(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
               struct sm_err *err)
{
    struct sm_rolling rolling = {.kind = SM_ROLLING_Z};
    return count_argument(call, 1, env, &rolling.size, err) &&
           roll_to_number(call, env, &rolling, out, err);
}

bool sm_func_ratio(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                   struct sm_err *err)
{
    struct sm_ast divide = {
        .type = SM_AST_BINARY, .op = SM_TOK_SLASH, .column = call->column, .n_args = 2};
    divide.args[0] = call->args[0];
    divide.args[1] = call->args[1];
    return sm_ast_eval(&divide, env, out, err);
}
