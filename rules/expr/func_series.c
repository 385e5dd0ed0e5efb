/* Functions over the saved steps of a tensor. */
#include "rules/expr/funcs.h"

#include <math.h>
#include <string.h>

/* ---- arguments and results ---- */

/* The series of argument 0; results as for sm_func_argument. *at_step: it was a bare name, so the
 * number at the current step is needed. */
static int series_argument(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *v,
                           bool *at_step, struct sm_value *out, struct sm_err *err)
{
    const struct sm_ast *e = call->args[0];
    bool name = sm_func_asks_series(call, env);
    *at_step = name && !env->whole_series;
    if (name ? !sm_expr_read_series(e, env, *at_step, v, err) : !sm_ast_eval(e, env, v, err))
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

/* Sets *out to the series, or to its last number; clears v. */
static bool set_series(const struct sm_ast *call, struct sm_expr_env *env, bool at_step,
                       struct sm_value *v, struct sm_value *out)
{
    if (!at_step) {
        *out = *v;
        return true;
    }
    if (v->n_points)
        sm_value_number(out, v->points[v->n_points - 1].value);
    else
        too_short(call, env, out);
    sm_value_clear(v);
    return true;
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

static size_t tail_start(const struct sm_value *v, size_t n)
{
    return v->n_points > n ? v->n_points - n : 0;
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
    bool at_step;
    if (sm_func_asks_series(call, env)) {
        name.place.kind = last ? SM_STEP_LAST : SM_STEP_FIRST;
        return sm_ast_eval(&name, env, out, err);
    }
    int got = series_argument(call, env, &v, &at_step, out, err);
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
    bool at_step;
    if (sm_func_asks_any(call, env)) {
        if (!sm_expr_find_tensor(call->args[0], env, &l, err))
            return false;
        sm_value_int(out, sm_place_count_steps(&l));
        return true;
    }
    int got = series_argument(call, env, &v, &at_step, out, err);
    if (got > 0)
        sm_value_int(out, (int64_t)v.n_points);
    sm_value_clear(&v);
    return got >= 0;
}

/* ---- smoothing and differences ---- */

static bool is_constant(const struct sm_value *v)
{
    for (size_t i = 1; i < v->n_points; i++)
        if (v->points[i].value != v->points[0].value)
            return false;
    return true;
}

/* TensorBoard's debiased moving average (doc/numerics.md). Values that are not finite are kept and
 * do not change the average; a constant series stays as it is. */
static void smooth(struct sm_value *v, double weight)
{
    double last = 0, n = 0;
    if (is_constant(v))
        return;
    for (size_t i = 0; i < v->n_points; i++) {
        struct sm_point *p = &v->points[i];
        if (!isfinite(p->value))
            continue;
        last = last * weight + (1 - weight) * p->value;
        n++;
        p->value = last / (1 - pow(weight, n));
        p->dtype = SM_DTYPE_NONE;
    }
}

bool sm_func_ema(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                 struct sm_err *err)
{
    struct sm_value v = {0};
    double weight;
    bool at_step;
    if (!sm_func_number(call, 1, env, &weight, err))
        return false;
    if (!(weight >= 0 && weight < 1))
        return sm_func_error(call, err, "w must be at least 0 and less than 1");
    int got = series_argument(call, env, &v, &at_step, out, err);
    if (got <= 0)
        return got == 0;
    smooth(&v, weight);
    return set_series(call, env, at_step, &v, out);
}

/* Each value minus the value n saved steps before; the first n steps give none. */
bool sm_func_delta(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                   struct sm_err *err)
{
    struct sm_value v = {0};
    size_t back = 1;
    bool at_step;
    if (call->n_args > 1 && !count_argument(call, 1, env, &back, err))
        return false;
    int got = series_argument(call, env, &v, &at_step, out, err);
    if (got <= 0)
        return got == 0;
    for (size_t i = v.n_points; i-- > back;) {
        v.points[i].value -= v.points[i - back].value;
        v.points[i].dtype = SM_DTYPE_NONE;
    }
    size_t left = v.n_points > back ? v.n_points - back : 0;
    memmove(v.points, v.points + (v.n_points - left), left * sizeof *v.points);
    v.n_points = left;
    return set_series(call, env, at_step, &v, out);
}

/* ---- trends over the last n points ---- */

/* Least-squares slope of the finite values over the steps; NaN with less than two of them. */
static double slope(const struct sm_point *p, size_t n)
{
    double count = 0, mean_x = 0, mean_y = 0, sxx = 0, sxy = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(p[i].value))
            continue;
        double x = (double)(p[i].step.n - p[0].step.n), dx = x - mean_x;
        count++;
        mean_x += dx / count;
        mean_y += (p[i].value - mean_y) / count;
        sxx += dx * (x - mean_x);
        sxy += dx * (p[i].value - mean_y);
    }
    return count > 1 ? sxy / sxx : (double)NAN;
}

bool sm_func_slope(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                   struct sm_err *err)
{
    struct sm_value v = {0};
    size_t n = 0;
    bool at_step;
    if (!count_argument(call, 1, env, &n, err))
        return false;
    int got = series_argument(call, env, &v, &at_step, out, err);
    if (got > 0 && v.n_points < 2)
        too_short(call, env, out);
    else if (got > 0)
        sm_value_number(out, slope(v.points + tail_start(&v, n), v.n_points - tail_start(&v, n)));
    sm_value_clear(&v);
    return got >= 0;
}

/* (last - mean) / std, with mean and std of the n points before the last. Consumes v. */
static bool z_score(struct sm_value *v, size_t n, struct sm_value *out, struct sm_err *err)
{
    struct sm_stats s;
    double last = v->points[--v->n_points].value;
    size_t from = tail_start(v, n);
    memmove(v->points, v->points + from, (v->n_points - from) * sizeof *v->points);
    v->n_points -= from;
    if (!sm_value_to_tensor(v, err) || !sm_stats_of(v->tensor, &s, err))
        return false;
    sm_value_number(out, (last - s.mean) / sm_stats_get(&s, SM_REDUCE_STD));
    return true;
}

bool sm_func_z(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
               struct sm_err *err)
{
    struct sm_value v = {0};
    size_t n = 0;
    bool at_step;
    if (!count_argument(call, 1, env, &n, err))
        return false;
    int got = series_argument(call, env, &v, &at_step, out, err);
    bool ok = got >= 0;
    if (got > 0 && v.n_points < 3)
        too_short(call, env, out);
    else if (got > 0)
        ok = z_score(&v, n, out, err);
    sm_value_clear(&v);
    return ok;
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
