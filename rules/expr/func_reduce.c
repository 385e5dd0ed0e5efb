/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that reduce a tensor to one number, and functions of its type and shape. A bare name is
 * answered from the statistics of its record, so the payload is not kept; slices and calculated
 * tensors are reduced directly. */
#include "rules/expr/funcs.h"

#include <string.h>

/* ---- statistics ---- */

struct sm_entry sm_func_saved_reduction(const struct sm_ast *call, const struct sm_expr_env *env,
                                        const struct sm_place *l)
{
    int reduction = call->func->statistic ? call->func->statistic->reduction : SM_REDUCE_NONE;
    int op = reduction & (SM_REDUCE_ABS - 1);
    if (op == SM_REDUCE_NONE || op == SM_REDUCE_STD || op == SM_REDUCE_VARIANCE)
        return sm_entry_none();
    return sm_trial_entry(env->trial, sm_place_tensor(l), l->step, l->worker, SM_ENTRY_REDUCTION,
                          reduction);
}

static bool read_saved(struct sm_expr_env *env, const struct sm_entry *saved, struct sm_value *out,
                       struct sm_err *err)
{
    const struct sm_facts *facts;
    if (!sm_fetch_stats(env->fetch, env->trial, saved, &facts, err))
        return false;
    if (facts->n != 1 || !sm_dtype_has_numbers(facts->dtype))
        return sm_expr_unavailable(env, out, "the saved reduction is not a number");
    const struct sm_exact x = sm_dtype_load_exact(facts->dtype, facts->first);
    sm_value_set_exact(out, &x);
    out->single = sm_dtype_info(facts->dtype)->single;
    out->saved = true;
    return true;
}

/* Of complex numbers there are only the counts. */
static bool has_statistic(const struct sm_ast *call, enum sm_dtype d)
{
    bool complex = sm_dtype_info(d)->kind == SM_KIND_COMPLEX;
    return sm_dtype_has_numbers(d) ||
           (complex && call->func->statistic->kind == SM_STATISTIC_COUNT);
}

/* 1: *m is filled; 0: *out already has the answer; -1: error. */
static int stats_of_name(const struct sm_ast *call, struct sm_expr_env *env,
                         struct sm_expr_measured *m, struct sm_value *out, struct sm_err *err)
{
    struct sm_place l;
    const struct sm_facts *facts;
    const struct sm_ast *name = call->args[0];
    int there = sm_expr_locate(name, env, &l, out, err);
    if (there <= 0)
        return there;
    struct sm_entry payload = sm_place_find_value(&l), saved = sm_entry_none();
    if (!sm_entry_exists(&payload))
        saved = sm_func_saved_reduction(call, env, &l);
    if (sm_entry_exists(&saved))
        return read_saved(env, &saved, out, err) ? 0 : -1;
    if (!sm_entry_exists(&payload))
        return sm_expr_no_payload(name, env, &l, out) ? 0 : -1;
    if (!sm_fetch_stats(env->fetch, env->trial, &payload, &facts, err))
        return -1;
    if (!facts->has_stats || !has_statistic(call, facts->dtype))
        return sm_func_error(call, err, "its elements are not numbers") ? 0 : -1;
    *m = (struct sm_expr_measured){.dtype = facts->dtype, .stats = facts->stats};
    return 1;
}

static int stats_of_argument(const struct sm_ast *call, struct sm_expr_env *env,
                             struct sm_expr_measured *m, struct sm_value *out, struct sm_err *err)
{
    if (sm_func_asks_name(call, env))
        return stats_of_name(call, env, m, out, err);
    if (sm_expr_is_over_steps(call->args[0], env))
        return sm_expr_measure_steps(call->args[0], env, m, out, err);
    struct sm_value v = {0};
    int got = sm_func_argument(call, 0, env, &v, out, err);
    if (got <= 0 || v.type != SM_TENSOR || !has_statistic(call, v.tensor->dtype))
        got = sm_func_to_tensor(call, got, &v, err);
    if (got > 0)
        m->dtype = v.tensor->dtype;
    if (got > 0 && !sm_stats_of(v.tensor, &m->stats, err))
        got = -1;
    sm_value_clear(&v);
    return got;
}

static void set_statistic(const struct sm_expr_measured *m, const struct sm_statistic *x,
                          struct sm_value *out)
{
    struct sm_exact exact;
    double v = sm_statistic_of(&m->stats, x);
    if (x->kind == SM_STATISTIC_COUNT) {
        sm_value_int(out, (int64_t)v);
    } else if (sm_statistic_exact(&m->stats, m->dtype, x, &exact)) {
        sm_value_set_exact(out, &exact);
    } else {
        sm_value_number(out, v);
        out->rounded = m->stats.inexact;
    }
}

bool sm_func_statistic(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                       struct sm_err *err)
{
    const struct sm_statistic *x = call->func->statistic;
    struct sm_expr_measured m = {0};
    int got = stats_of_argument(call, env, &m, out, err);
    if (got > 0 && !sm_statistic_known(&m.stats, x))
        return sm_expr_unavailable(env, out, SM_NOT_SAVED, x->key);
    if (got > 0) {
        set_statistic(&m, x, out);
        sm_expr_leave_out(&m, out);
    }
    return got >= 0;
}

/* ---- quantiles need the elements ---- */

/* q: as for sm_quantiles */
static bool quantile_of(const struct sm_ast *call, struct sm_expr_env *env, double q,
                        struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    double x;
    int got = sm_func_tensor(call, 0, env, &v, out, err);
    if (got > 0 && !sm_quantiles(v.tensor, false, &q, 1, &x, err))
        got = -1;
    bool single = got > 0 && q == SM_MEDIAN && sm_dtype_info(v.tensor->dtype)->single;
    sm_value_clear(&v);
    if (got > 0)
        sm_value_number(out, x);
    out->single = single;
    return got >= 0;
}

bool sm_func_median(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                    struct sm_err *err)
{
    return quantile_of(call, env, SM_MEDIAN, out, err);
}

bool sm_func_quantile(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                      struct sm_err *err)
{
    double q;
    if (!sm_func_number(call, 1, env, &q, err))
        return false;
    if (!(q >= 0 && q <= 1))
        return sm_func_error(call, err, "p must be between 0 and 1");
    return quantile_of(call, env, q, out, err);
}

/* ---- type and shape: from the head of the record, or a saved shape ---- */

struct shape {
    enum sm_dtype dtype; /* NONE if only the shape was saved */
    unsigned n_dims;
    uint64_t dims[SM_DIMS_MAX], n;
};

static bool set_shape(struct shape *f, enum sm_dtype dtype, unsigned n_dims, const uint64_t *dims,
                      uint64_t n)
{
    *f = (struct shape){.dtype = dtype, .n_dims = n_dims, .n = n};
    if (n_dims > SM_DIMS_MAX)
        return false;
    for (unsigned i = 0; i < n_dims; i++)
        f->dims[i] = dims[i];
    return true;
}

static uint64_t elements_of(const uint64_t *dims, unsigned n_dims)
{
    uint64_t n = 1;
    for (unsigned i = 0; i < n_dims; i++)
        if (__builtin_mul_overflow(n, dims[i], &n))
            return INT64_MAX;
    return n;
}

/* Results as for stats_of_name. */
static int shape_of_name(const struct sm_ast *name, struct sm_expr_env *env, struct shape *f,
                         struct sm_value *out, struct sm_err *err)
{
    struct sm_place l;
    const struct sm_facts *facts;
    int there = sm_expr_locate(name, env, &l, out, err);
    if (there <= 0)
        return there;
    struct sm_entry payload = sm_place_find_value(&l);
    if (sm_entry_exists(&payload)) {
        if (!sm_fetch_head(env->fetch, env->trial, &payload, &facts, err))
            return -1;
        return set_shape(f, facts->dtype, facts->n_dims, facts->dims, facts->n);
    }
    struct sm_entry saved = sm_trial_entry(env->trial, sm_place_tensor(&l), l.step, l.worker,
                                           SM_ENTRY_SHAPE, SM_REDUCE_NONE);
    if (!sm_entry_exists(&saved))
        return sm_expr_no_payload(name, env, &l, out) ? 0 : -1;
    unsigned n_dims;
    const uint64_t *dims = sm_trial_shape(env->trial, &saved, &n_dims);
    return set_shape(f, SM_DTYPE_NONE, n_dims, dims, elements_of(dims, n_dims));
}

static int shape_of_argument(const struct sm_ast *call, struct sm_expr_env *env, struct shape *f,
                             struct sm_value *out, struct sm_err *err)
{
    if (sm_func_asks_name(call, env))
        return shape_of_name(call->args[0], env, f, out, err);
    struct sm_value v = {0};
    int got = sm_func_argument(call, 0, env, &v, out, err);
    if (got > 0 && !sm_expr_refuse_means(&v, call->column, err))
        got = -1;
    if (got > 0 && !sm_value_to_tensor(&v, NULL))
        got = sm_func_error(call, err, "expected a tensor") ? 0 : -1;
    if (got > 0)
        got = set_shape(f, v.tensor->dtype, v.tensor->n_dims, v.tensor->dims, v.tensor->n);
    sm_value_clear(&v);
    return got;
}

static bool set_string(struct sm_expr_env *env, const char *text, struct sm_value *out,
                       struct sm_err *err)
{
    size_t n = strlen(text);
    char *copy = sm_arena_strndup(env->arena, text, n);
    *out = (struct sm_value){.type = SM_STRING, .text = {copy, n}};
    return copy || sm_err_set(err, SM_ERR_MEMORY, "no memory for a value");
}

bool sm_func_shape(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                   struct sm_err *err)
{
    struct shape f;
    struct sm_str text = {0};
    int got = shape_of_argument(call, env, &f, out, err);
    if (got <= 0)
        return got == 0;
    sm_shape_text(&text, f.dims, f.n_dims);
    bool ok = set_string(env, sm_str_text(&text), out, err);
    sm_str_clear(&text);
    return ok;
}

bool sm_func_dtype(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                   struct sm_err *err)
{
    struct shape f;
    int got = shape_of_argument(call, env, &f, out, err);
    if (got <= 0)
        return got == 0;
    if (f.dtype == SM_DTYPE_NONE)
        return sm_expr_unavailable(env, out, "only the shape was saved");
    return set_string(env, sm_dtype_info(f.dtype)->name, out, err);
}

bool sm_func_size(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                  struct sm_err *err)
{
    struct shape f;
    struct sm_expr_measured m = {0};
    bool steps = sm_expr_is_over_steps(call->args[0], env);
    int got = steps ? sm_expr_measure_steps(call->args[0], env, &m, out, err)
                    : shape_of_argument(call, env, &f, out, err);
    if (got > 0)
        sm_value_int(out, (int64_t)(steps ? m.stats.n : f.n));
    if (got > 0)
        sm_expr_leave_out(&m, out);
    return got >= 0;
}

/* True if a value, reductions or a shape were saved. An unknown name is not an error here. */
bool sm_func_exists(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                    struct sm_err *err)
{
    struct sm_place l;
    struct sm_ast name = *call->args[0];
    double step;
    if (name.type != SM_AST_NAME && !sm_expr_is_condition_tensor(&name, env))
        return sm_func_error(call, err, "expected the name of a tensor");
    if (call->n_args > 1) {
        if (!sm_func_number(call, 1, env, &step, err))
            return false;
        if (!(step >= 0 && step < 0x1p62))
            return sm_func_error(call, err, "expected a step");
        name.place.kind = SM_STEP_NUMBER;
        name.place.n = (int64_t)step;
    }
    int there = sm_expr_find(&name, env) ? sm_expr_locate(&name, env, &l, out, err) : 0;
    sm_value_bool(out, there > 0);
    return there >= 0;
}
