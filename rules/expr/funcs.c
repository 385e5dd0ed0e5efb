/* The functions: one row each; help, completion and the manual are made from the table. */
#include "rules/expr/ast.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef const struct sm_expr call_t;

/* ---- helpers ---- */

static bool wrong(call_t *e, struct sm_err *err, const char *what)
{
    return sm_err_set(err, SM_ERR_USAGE, "%s: %s at column %zu", e->func->public.name, what, e->column);
}

/* Evaluates an argument; 1 go on, 0 the answer is UNAVAILABLE in *out, -1 error. */
static int argument(call_t *e, unsigned i, struct sm_expr_env *env, struct sm_value *v, struct sm_value *out, struct sm_err *err)
{
    if (!sm_eval(e->args[i], env, v, err))
        return -1;
    if (v->type != SM_UNAVAILABLE)
        return 1;
    *out = *v;
    return 0;
}

static bool number_argument(call_t *e, unsigned i, struct sm_expr_env *env, double *x, struct sm_err *err)
{
    struct sm_value v = {0};
    if (!sm_eval(e->args[i], env, &v, err))
        return false;
    bool ok = sm_value_as_number(&v, x);
    sm_value_clear(&v);
    return ok || wrong(e, err, "a number is expected");
}

static bool as_tensor(call_t *e, struct sm_value *v, struct sm_err *err)
{
    if (v->type == SM_TENSOR)
        return true;
    if (v->type != SM_NUMBER && v->type != SM_BOOL)
        return wrong(e, err, "a tensor is expected");
    struct sm_tensor *t;
    if (!sm_tensor_new(SM_DTYPE_FLOAT64, 0, NULL, &v->number, &t, err))
        return false;
    *v = (struct sm_value){.type = SM_TENSOR, .tensor = t};
    return true;
}

/* ---- reductions and health: from statistics where the argument is a name, so no payload is kept ---- */

/* Saved reductions stand in for a missing payload where both define them alike (RULES: not std and variance). */
static bool from_saved(call_t *e, struct sm_expr_env *env, const struct sm_located *l, struct sm_value *out, struct sm_err *err, bool *done)
{
    int op = e->func->reduction & (SM_REDUCE_ABS - 1);
    const struct sm_facts *facts;
    *done = false;
    if (e->func->reduction <= 0 || op == SM_REDUCE_STD || op == SM_REDUCE_VARIANCE)
        return true;
    const struct sm_entry *x = sm_trial_entry(env->trial, l->tensor, l->step, l->worker, SM_ENTRY_REDUCTION, e->func->reduction);
    if (!x)
        return true;
    if (!sm_fetch_stats(env->fetch, env->trial, x, &facts, err))
        return false;
    sm_value_number(out, sm_dtype_load(facts->dtype, facts->first));
    out->single = sm_dtype_info(facts->dtype)->single;
    *done = true;
    return true;
}

/* 1: *s is filled; 0: *out is the answer already; -1 error. */
static int stats_of_name(call_t *e, struct sm_expr_env *env, struct sm_stats *s, struct sm_value *out, struct sm_err *err)
{
    struct sm_located l;
    const struct sm_facts *facts;
    const struct sm_expr *name = e->args[0];
    bool done;
    if (!sm_expr_locate(name, env, &l, out, err))
        return out->type == SM_UNAVAILABLE ? 0 : -1;
    if (!l.entry) {
        if (!from_saved(e, env, &l, out, err, &done))
            return -1;
        if (!done)
            sm_expr_unavailable(env, out, "%.*s has no value at step %lld", (int)name->text.n, name->text.p, (long long)l.step.n);
        return 0;
    }
    if (!sm_fetch_stats(env->fetch, env->trial, l.entry, &facts, err))
        return -1;
    *s = facts->stats;
    return 1;
}

static void stats_of_series(const struct sm_value *v, struct sm_stats *s)
{
    double *x = sm_alloc(v->n_points * sizeof *x + 1);
    struct sm_tensor *t = NULL;
    uint64_t n = v->n_points;
    *s = (struct sm_stats){0};
    for (size_t i = 0; x && i < v->n_points; i++)
        x[i] = v->points[i].value;
    if (x && sm_tensor_new(SM_DTYPE_FLOAT64, 1, &n, x, &t, NULL))
        sm_stats_of(t, s, NULL);
    sm_tensor_unref(t);
    sm_free(x);
}

static int stats_of_argument(call_t *e, struct sm_expr_env *env, struct sm_stats *s, struct sm_value *out, struct sm_err *err)
{
    const struct sm_expr *a = e->args[0];
    if (a->type == SM_EXPR_NAME && !a->place.all && env->trial && sm_trial_find(env->trial, a->text.p, a->text.n))
        return stats_of_name(e, env, s, out, err);
    struct sm_value v = {0};
    int go = argument(e, 0, env, &v, out, err);
    if (go <= 0)
        return go;
    bool ok = true;
    if (v.type == SM_SERIES)
        stats_of_series(&v, s);
    else
        ok = as_tensor(e, &v, err) && sm_stats_of(v.tensor, s, err);
    sm_value_clear(&v);
    return ok ? 1 : -1;
}

static bool run_reduction(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_stats s;
    int go = stats_of_argument(e, env, &s, out, err);
    if (go > 0)
        sm_value_number(out, sm_stats_get(&s, e->func->reduction));
    return go >= 0;
}

static uint64_t count_named(const struct sm_stats *s, const char *name)
{
    if (strcmp(name, "nan") == 0)
        return s->nan;
    if (strcmp(name, "inf") == 0)
        return s->pos_inf + s->neg_inf;
    return strcmp(name, "zeros") == 0 ? s->zero : s->n;
}

static bool run_count_of(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_stats s;
    int go = stats_of_argument(e, env, &s, out, err);
    if (go > 0)
        sm_value_int(out, (int64_t)count_named(&s, e->func->public.name));
    return go >= 0;
}

static bool quantile(call_t *e, struct sm_expr_env *env, double q, struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    double x;
    int go = argument(e, 0, env, &v, out, err);
    if (go <= 0)
        return go == 0;
    bool ok = q >= 0 && q <= 1 ? as_tensor(e, &v, err) && sm_quantiles(v.tensor, false, &q, 1, &x, err)
                               : wrong(e, err, "the quantile must be from 0 to 1");
    sm_value_clear(&v);
    if (ok)
        sm_value_number(out, x);
    return ok;
}

static bool run_median(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    return quantile(e, env, 0.5, out, err);
}

static bool run_q(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    double q;
    return number_argument(e, 1, env, &q, err) && quantile(e, env, q, out, err);
}

/* ---- over the elements of a condition ---- */

static bool run_truth(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    int go = argument(e, 0, env, &v, out, err);
    if (go <= 0)
        return go == 0;
    bool ok = as_tensor(e, &v, err);
    uint64_t n = 0, yes = 0;
    size_t size = ok ? sm_dtype_info(v.tensor->dtype)->size_bytes : 0;
    for (n = 0; size && n < v.tensor->n; n++) {
        double x = sm_dtype_load(v.tensor->dtype, v.tensor->data + n * size);
        yes += x != 0 && !isnan(x);
    }
    sm_value_clear(&v);
    const char *name = e->func->public.name;
    if (strcmp(name, "any") == 0)
        sm_value_bool(out, yes > 0);
    else if (strcmp(name, "all") == 0)
        sm_value_bool(out, yes == n);
    else if (strcmp(name, "count") == 0)
        sm_value_int(out, (int64_t)yes);
    else
        sm_value_number(out, n ? (double)yes / (double)n : (double)NAN);
    return ok;
}

static bool run_arg(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    int go = argument(e, 0, env, &v, out, err);
    if (go <= 0)
        return go == 0;
    bool ok = as_tensor(e, &v, err), most = strcmp(e->func->public.name, "argmax") == 0;
    size_t size = ok ? sm_dtype_info(v.tensor->dtype)->size_bytes : 0;
    int64_t at = -1;
    double best = 0;
    for (uint64_t i = 0; size && i < v.tensor->n; i++) {
        double x = sm_dtype_load(v.tensor->dtype, v.tensor->data + i * size);
        if (!isnan(x) && (at < 0 || (most ? x > best : x < best))) {
            best = x;
            at = (int64_t)i;
        }
    }
    sm_value_clear(&v);
    if (ok && at < 0)
        return sm_expr_unavailable(env, out, "%s of nothing", e->func->public.name);
    sm_value_int(out, at);
    return ok;
}

/* ---- what a tensor is ---- */

static bool run_shape(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    struct sm_str text = {0};
    int go = argument(e, 0, env, &v, out, err);
    if (go <= 0)
        return go == 0;
    bool ok = as_tensor(e, &v, err);
    if (ok && strcmp(e->func->public.name, "dtype") == 0)
        sm_str_add(&text, sm_dtype_info(v.tensor->dtype)->name);
    else if (ok)
        sm_shape_text(&text, v.tensor->dims, v.tensor->n_dims);
    sm_value_clear(&v);
    char *copy = ok ? sm_arena_strndup(env->arena, sm_str_text(&text), text.len) : NULL;
    if (copy)
        *out = (struct sm_value){.type = SM_STRING, .text = {copy, text.len}};
    sm_str_clear(&text);
    return copy;
}

static bool run_exists(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_expr name = *e->args[0];
    struct sm_located l;
    double step;
    if (name.type != SM_EXPR_NAME)
        return wrong(e, err, "a tensor's name is expected");
    if (e->n_args > 1) {
        if (!number_argument(e, 1, env, &step, err))
            return false;
        name.place = (struct sm_expr_place){.given = true, .n = (int64_t)step};
    }
    bool there = sm_expr_locate(&name, env, &l, out, err);
    if (!there && out->type != SM_UNAVAILABLE && err->code != SM_ERR_MISSING)
        return false;
    sm_value_clear(out);
    sm_value_bool(out, there);
    return true;
}

/* ---- one number or each element ---- */

static double map_one(const char *name, double x)
{
    static const struct {
        const char *name;
        double (*f)(double);
    } table[] = {{"abs", fabs}, {"sqrt", sqrt}, {"exp", exp}, {"log", log}, {"log10", log10}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i].name) == 0)
            return table[i].f(x);
    return strcmp(name, "isnan") == 0 ? isnan(x) != 0 : isinf(x) != 0;
}

static bool run_map(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    const char *name = e->func->public.name;
    bool logical = name[0] == 'i';
    double x;
    int go = argument(e, 0, env, &v, out, err);
    if (go <= 0)
        return go == 0;
    if (v.type == SM_SERIES) {
        for (size_t i = 0; i < v.n_points; i++)
            v.points[i].value = map_one(name, v.points[i].value);
        *out = v;
        return true;
    }
    if (sm_value_as_number(&v, &x)) {
        sm_value_clear(&v);
        sm_value_number(out, map_one(name, x));
        if (logical)
            out->type = SM_BOOL;
        return true;
    }
    bool ok = as_tensor(e, &v, err) &&
              sm_tensor_new(logical ? SM_DTYPE_BOOL : SM_DTYPE_FLOAT64, v.tensor->n_dims, v.tensor->dims, NULL, &out->tensor, err);
    size_t size = ok ? sm_dtype_info(v.tensor->dtype)->size_bytes : 0;
    for (uint64_t i = 0; size && i < v.tensor->n; i++) {
        x = map_one(name, sm_dtype_load(v.tensor->dtype, v.tensor->data + i * size));
        if (logical)
            ((uint8_t *)out->tensor->buffer)[i] = x != 0;
        else
            memcpy((uint8_t *)out->tensor->buffer + i * sizeof x, &x, sizeof x);
    }
    if (ok)
        out->type = SM_TENSOR;
    sm_value_clear(&v);
    return ok;
}

static bool run_cos(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value a = {0}, b = {0};
    int go = argument(e, 0, env, &a, out, err);
    if (go > 0)
        go = argument(e, 1, env, &b, out, err);
    bool ok = go == 0;
    if (go > 0) {
        ok = as_tensor(e, &a, err) && as_tensor(e, &b, err);
        if (ok && a.tensor->n != b.tensor->n)
            ok = wrong(e, err, "the tensors have different sizes");
        double ab = 0, aa = 0, bb = 0;
        size_t sa = ok ? sm_dtype_info(a.tensor->dtype)->size_bytes : 0, sb = ok ? sm_dtype_info(b.tensor->dtype)->size_bytes : 0;
        for (uint64_t i = 0; sa && sb && i < a.tensor->n; i++) {
            double x = sm_dtype_load(a.tensor->dtype, a.tensor->data + i * sa);
            double y = sm_dtype_load(b.tensor->dtype, b.tensor->data + i * sb);
            ab += x * y;
            aa += x * x;
            bb += y * y;
        }
        if (ok)
            sm_value_number(out, ab / sqrt(aa * bb));
    }
    if (go > 0 || a.type != SM_UNAVAILABLE)
        sm_value_clear(&a);
    if (go > 0)
        sm_value_clear(&b);
    return ok;
}

/* ---- over steps ---- */

static bool series_argument(call_t *e, struct sm_expr_env *env, struct sm_value *v, struct sm_err *err)
{
    struct sm_expr name = *e->args[0];
    if (name.type == SM_EXPR_NAME)
        name.place = (struct sm_expr_place){.given = true, .all = true};
    if (!sm_eval(&name, env, v, err))
        return false;
    if (v->type == SM_SERIES)
        return true;
    sm_value_clear(v);
    return wrong(e, err, "a tensor's name or a series is expected");
}

static bool run_ends(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    if (!series_argument(e, env, &v, err))
        return false;
    bool last = strcmp(e->func->public.name, "last") == 0;
    if (v.n_points)
        sm_value_number(out, v.points[last ? v.n_points - 1 : 0].value);
    else
        sm_expr_unavailable(env, out, "the series is empty");
    sm_value_clear(&v);
    return true;
}

static bool run_steps(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    if (!series_argument(e, env, &v, err))
        return false;
    sm_value_int(out, (int64_t)v.n_points);
    sm_value_clear(&v);
    return true;
}

static bool run_ema(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    double weight, last = 0, n = 0;
    if (!number_argument(e, 1, env, &weight, err) || !series_argument(e, env, out, err))
        return false;
    for (size_t i = 0; i < out->n_points; i++) {
        if (!isfinite(out->points[i].value))
            continue;
        last = last * weight + (1 - weight) * out->points[i].value;
        n++;
        out->points[i].value = last / (1 - pow(weight, n));
        out->points[i].dtype = SM_DTYPE_NONE;
    }
    return true;
}

static bool run_delta(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    double back = 1;
    if ((e->n_args > 1 && !number_argument(e, 1, env, &back, err)) || !series_argument(e, env, out, err))
        return false;
    size_t k = back >= 1 && back < 1e9 ? (size_t)back : 1, n = out->n_points > k ? out->n_points - k : 0;
    for (size_t i = out->n_points; i-- > k;) {
        out->points[i].value -= out->points[i - k].value;
        out->points[i].dtype = SM_DTYPE_NONE;
    }
    memmove(out->points, out->points + (out->n_points - n), n * sizeof *out->points);
    out->n_points = n;
    return true;
}

static bool run_slope(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    double most, n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    if (!number_argument(e, 1, env, &most, err) || !series_argument(e, env, &v, err))
        return false;
    size_t from = most > 0 && (double)v.n_points > most ? v.n_points - (size_t)most : 0;
    for (size_t i = from; i < v.n_points; i++) {
        double x = (double)(v.points[i].step.n - v.points[from].step.n), y = v.points[i].value;
        if (!isfinite(y))
            continue;
        n++;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    sm_value_clear(&v);
    sm_value_number(out, n > 1 ? (n * sxy - sx * sy) / (n * sxx - sx * sx) : (double)NAN);
    return true;
}

static bool run_z(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    struct sm_stats s;
    double most;
    if (!number_argument(e, 1, env, &most, err) || !series_argument(e, env, &v, err))
        return false;
    struct sm_value past = v;
    if (v.n_points < 2) {
        sm_value_clear(&v);
        return sm_expr_unavailable(env, out, "the series is too short");
    }
    double last = v.points[v.n_points - 1].value;
    past.n_points = v.n_points - 1;
    if (most > 0 && (double)past.n_points > most) {
        past.points += past.n_points - (size_t)most;
        past.n_points = (size_t)most;
    }
    stats_of_series(&past, &s);
    sm_value_clear(&v);
    sm_value_number(out, (last - s.mean) / sm_stats_get(&s, SM_REDUCE_STD));
    return true;
}

static bool run_ratio(call_t *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_expr divide = {.type = SM_EXPR_BINARY, .op = SM_TOK_SLASH, .column = e->column, .n_args = 2};
    divide.args[0] = e->args[0];
    divide.args[1] = e->args[1];
    return sm_eval(&divide, env, out, err);
}

/* By name. */
static const struct sm_expr_func_row table[] = {
    {{"abs", "x", "absolute value, of each element", 1, 1}, run_map, -1},
    {{"absmax", "x", "largest absolute value", 1, 1}, run_reduction, SM_REDUCE_ABS | SM_REDUCE_MAX},
    {{"absmean", "x", "mean of the absolute values", 1, 1}, run_reduction, SM_REDUCE_ABS | SM_REDUCE_MEAN},
    {{"all", "cond", "true if every element is", 1, 1}, run_truth, -1},
    {{"any", "cond", "true if an element is", 1, 1}, run_truth, -1},
    {{"argmax", "x", "flat index of the largest element", 1, 1}, run_arg, -1},
    {{"argmin", "x", "flat index of the smallest element", 1, 1}, run_arg, -1},
    {{"cos", "a, b", "cosine of the angle between two tensors", 2, 2}, run_cos, -1},
    {{"count", "cond", "how many elements are true", 1, 1}, run_truth, -1},
    {{"delta", "t[, n]", "series of differences to n saved steps before", 1, 2}, run_delta, -1},
    {{"dtype", "x", "element type, as a string", 1, 1}, run_shape, -1},
    {{"ema", "s, w", "TensorBoard's smoothing of a series, weight w", 2, 2}, run_ema, -1},
    {{"exists", "t[, step]", "true if the tensor was saved at the step", 1, 2}, run_exists, -1},
    {{"exp", "x", "e to the power of x, of each element", 1, 1}, run_map, -1},
    {{"first", "s", "first value of a series", 1, 1}, run_ends, -1},
    {{"frac", "cond", "share of the elements that are true", 1, 1}, run_truth, -1},
    {{"inf", "x", "how many elements are infinite", 1, 1}, run_count_of, 0},
    {{"isinf", "x", "true where an element is infinite", 1, 1}, run_map, -1},
    {{"isnan", "x", "true where an element is NaN", 1, 1}, run_map, -1},
    {{"l1", "x", "sum of the absolute values", 1, 1}, run_reduction, SM_REDUCE_L1},
    {{"l2", "x", "root of the sum of squares", 1, 1}, run_reduction, SM_REDUCE_L2},
    {{"last", "s", "last value of a series", 1, 1}, run_ends, -1},
    {{"log", "x", "natural logarithm, of each element", 1, 1}, run_map, -1},
    {{"log10", "x", "decimal logarithm, of each element", 1, 1}, run_map, -1},
    {{"max", "x", "largest finite element", 1, 1}, run_reduction, SM_REDUCE_MAX},
    {{"mean", "x", "mean of the finite elements", 1, 1}, run_reduction, SM_REDUCE_MEAN},
    {{"median", "x", "median of the finite elements", 1, 1}, run_median, -1},
    {{"min", "x", "smallest finite element", 1, 1}, run_reduction, SM_REDUCE_MIN},
    {{"nan", "x", "how many elements are NaN", 1, 1}, run_count_of, 0},
    {{"norm", "x", "the same as l2", 1, 1}, run_reduction, SM_REDUCE_L2},
    {{"prod", "x", "product of the finite elements", 1, 1}, run_reduction, SM_REDUCE_PROD},
    {{"q", "x, p", "quantile p of the finite elements, linear", 2, 2}, run_q, -1},
    {{"ratio", "a, b", "a / b", 2, 2}, run_ratio, -1},
    {{"shape", "x", "shape, as a string", 1, 1}, run_shape, -1},
    {{"size", "x", "number of elements", 1, 1}, run_count_of, 0},
    {{"slope", "s, n", "slope per step over the last n points", 2, 2}, run_slope, -1},
    {{"sqrt", "x", "square root, of each element", 1, 1}, run_map, -1},
    {{"std", "x", "standard deviation (n)", 1, 1}, run_reduction, SM_REDUCE_STD},
    {{"steps", "t", "number of saved values of a tensor", 1, 1}, run_steps, -1},
    {{"sum", "x", "sum of the finite elements", 1, 1}, run_reduction, SM_REDUCE_SUM},
    {{"var", "x", "variance (n)", 1, 1}, run_reduction, SM_REDUCE_VARIANCE},
    {{"z", "s, n", "distance of the last value from the n before, in std", 2, 2}, run_z, -1},
    {{"zeros", "x", "how many elements are zero", 1, 1}, run_count_of, 0},
};

const struct sm_expr_func_row *sm_expr_func_find(struct sm_text name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (sm_text_is(name, table[i].public.name))
            return &table[i];
    return NULL;
}

size_t sm_expr_func_count(void)
{
    return sizeof table / sizeof *table;
}

const struct sm_expr_func *sm_expr_func(size_t i)
{
    return &table[i].public;
}
