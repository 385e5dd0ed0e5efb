/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of each element. NaN counts as false. */
#include "rules/expr/funcs.h"

#include "reader/base/bytes.h"

#include <math.h>
#include <string.h>

static bool is_number(const struct sm_value *v)
{
    return v->type == SM_NUMBER || v->type == SM_BOOL;
}

/* ---- f of each element ---- */

static bool map_tensor(const struct sm_ast *call, const struct sm_tensor *t, enum sm_dtype dtype,
                       const atomic_bool *stop, struct sm_value *out, struct sm_err *err)
{
    struct sm_value made = {.type = SM_TENSOR};
    struct sm_blocks blocks = {.n = t->n, .stop = stop};
    if (!sm_tensor_new(dtype, t->n_dims, t->dims, NULL, &made.tensor, err))
        return false;
    uint8_t *to = made.tensor->buffer;
    while (sm_blocks_next(&blocks)) {
        for (uint64_t i = blocks.from; i < blocks.to; i++) {
            double x = call->func->map(sm_tensor_at(t, i));
            if (dtype == SM_DTYPE_BOOL)
                to[i] = x != 0;
            else
                memcpy(to + i * sizeof x, &x, sizeof x);
        }
    }
    if (!sm_blocks_done(&blocks, err)) {
        sm_value_clear(&made);
        return false;
    }
    *out = made;
    return true;
}

/* |x| of integers, as int64, or uint64 if it does not fit. */
static bool magnitudes(const struct sm_tensor *t, const atomic_bool *stop, struct sm_value *out,
                       struct sm_err *err)
{
    bool fits = true;
    for (enum sm_dtype d = SM_DTYPE_INT64;; d = SM_DTYPE_UINT64, fits = true) {
        struct sm_value made = {.type = SM_TENSOR};
        struct sm_blocks blocks = {.n = t->n, .stop = stop};
        if (!sm_tensor_new(d, t->n_dims, t->dims, NULL, &made.tensor, err))
            return false;
        while (fits && sm_blocks_next(&blocks))
            for (uint64_t i = blocks.from; i < blocks.to; i++) {
                struct sm_integer v = sm_tensor_exact(t, i).integer;
                v.negative = false;
                fits = sm_integer_store(made.tensor, i, v) && fits;
            }
        if (fits && sm_blocks_done(&blocks, err)) {
            *out = made;
            return true;
        }
        sm_value_clear(&made);
        if (fits)
            return false;
    }
}

static void map_number(const struct sm_ast *call, struct sm_value *v, enum sm_dtype dtype,
                       struct sm_value *out)
{
    struct sm_exact x = sm_value_exact(v);
    x.integer.negative = false;
    x.real = fabs(x.real);
    if (call->func->map == fabs)
        sm_value_set_exact(out, &x);
    else if (dtype == SM_DTYPE_BOOL)
        sm_value_bool(out, call->func->map(v->number) != 0);
    else
        sm_value_number(out, call->func->map(v->number));
}

static void map_point(const struct sm_ast *call, struct sm_point *p)
{
    struct sm_exact x = sm_point_exact(p);
    int64_t v;
    bool integer = x.is_int && sm_integer_signed(x.integer, &v);
    p->value = call->func->map(p->value);
    p->dtype = SM_DTYPE_NONE;
    if (call->func->map != fabs || !integer || v == INT64_MIN)
        return;
    p->dtype = SM_DTYPE_INT64;
    sm_put_u64(p->first, x.integer.magnitude);
}

static void map_series(const struct sm_ast *call, struct sm_value *v, struct sm_value *out)
{
    for (size_t i = 0; i < v->n_points; i++)
        map_point(call, &v->points[i]);
    *out = *v;
    *v = (struct sm_value){0};
}

static bool map_argument(const struct sm_ast *call, struct sm_expr_env *env, enum sm_dtype dtype,
                         struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    int got = sm_func_argument(call, 0, env, &v, out, err);
    if (got <= 0)
        return got == 0;
    bool ok = sm_expr_refuse_means(&v, call->column, err);
    sm_value_simplify(&v);
    if (!ok)
        sm_value_clear(&v);
    else if (v.type == SM_SERIES)
        map_series(call, &v, out);
    else if (is_number(&v))
        map_number(call, &v, dtype, out);
    else if (v.type == SM_TENSOR && call->func->map == fabs &&
             sm_dtype_has_integers(v.tensor->dtype))
        ok = magnitudes(v.tensor, env->stop, out, err);
    else if (v.type == SM_TENSOR && sm_dtype_has_numbers(v.tensor->dtype))
        ok = map_tensor(call, v.tensor, dtype, env->stop, out, err);
    else
        ok = sm_func_error(call, err, "expected numbers");
    sm_value_clear(&v);
    return ok;
}

bool sm_func_map(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                 struct sm_err *err)
{
    return map_argument(call, env, SM_DTYPE_FLOAT64, out, err);
}

bool sm_func_test(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                  struct sm_err *err)
{
    return map_argument(call, env, SM_DTYPE_BOOL, out, err);
}

/* ---- how many are true ---- */

static bool is_comparison(const struct sm_ast *e)
{
    return e->type == SM_AST_BINARY && e->op >= SM_TOK_EQ && e->op <= SM_TOK_GE;
}

static bool has_numbers(const struct sm_value *v)
{
    return v->type == SM_TENSOR && sm_dtype_has_numbers(v->tensor->dtype);
}

/* A tensor with a number, or with a tensor of the same shape. */
static bool is_flat(const struct sm_value *a, const struct sm_value *b)
{
    if (has_numbers(a) && has_numbers(b))
        return a->tensor->n_dims == b->tensor->n_dims &&
               memcmp(a->tensor->dims, b->tensor->dims,
                      a->tensor->n_dims * sizeof *a->tensor->dims) == 0;
    return (has_numbers(a) && is_number(b)) || (is_number(a) && has_numbers(b));
}

static bool count_flat(const struct sm_ast *e, const struct sm_value *a, const struct sm_value *b,
                       const atomic_bool *stop, uint64_t *yes, uint64_t *n, struct sm_err *err)
{
    const struct sm_flat x = {a->tensor, sm_value_exact(a)}, y = {b->tensor, sm_value_exact(b)};
    struct sm_blocks blocks = {.n = *n = a->tensor ? a->tensor->n : b->tensor->n, .stop = stop};
    *yes = 0;
    while (sm_blocks_next(&blocks))
        *yes += sm_flat_count(e->op, &x, &y, blocks.from, blocks.to);
    return sm_blocks_done(&blocks, err);
}

enum { COUNTED = 2 };

/* Counts a comparison without making a bool tensor, if possible: then COUNTED, else the result is
 * in *v, as for sm_func_argument. */
static int count_comparison(const struct sm_ast *call, struct sm_expr_env *env, uint64_t *yes,
                            uint64_t *n, struct sm_value *v, struct sm_value *out,
                            struct sm_err *err)
{
    const struct sm_ast *e = call->args[0];
    struct sm_value a = {0}, b = {0};
    bool ok = sm_ast_eval(e->args[0], env, &a, err) && sm_ast_eval(e->args[1], env, &b, err);
    int got = 1;
    if (ok) {
        sm_value_simplify(&a);
        sm_value_simplify(&b);
    }
    if (ok && is_flat(&a, &b)) {
        ok = count_flat(e, &a, &b, env->stop, yes, n, err);
        got = COUNTED;
    } else if (ok) {
        ok = sm_operate(e->op, e->column, &a, &b, env->stop, v, err);
    }
    sm_value_clear(&a);
    sm_value_clear(&b);
    if (!ok || v->type != SM_UNAVAILABLE)
        return ok ? got : -1;
    *out = *v;
    *v = (struct sm_value){0};
    return 0;
}

static int count_true(const struct sm_ast *call, struct sm_expr_env *env, uint64_t *yes,
                      uint64_t *n, struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    int got = is_comparison(call->args[0]) ? count_comparison(call, env, yes, n, &v, out, err)
                                           : sm_func_argument(call, 0, env, &v, out, err);
    if (got == COUNTED)
        return 1;
    got = sm_func_to_tensor(call, got, &v, err);
    *yes = 0;
    *n = got > 0 ? v.tensor->n : 0;
    struct sm_blocks blocks = {.n = *n, .stop = env->stop};
    while (sm_blocks_next(&blocks))
        *yes += sm_flat_count_true(v.tensor, blocks.from, blocks.to);
    sm_value_clear(&v);
    return sm_blocks_done(&blocks, err) ? got : -1;
}

bool sm_func_any(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                 struct sm_err *err)
{
    uint64_t yes, n;
    int known = sm_func_limit(call, env, false, out, err);
    if (known)
        return known > 0;
    int got = count_true(call, env, &yes, &n, out, err);
    if (got > 0)
        sm_value_bool(out, yes > 0);
    return got >= 0;
}

bool sm_func_all(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                 struct sm_err *err)
{
    uint64_t yes, n;
    int known = sm_func_limit(call, env, true, out, err);
    if (known)
        return known > 0;
    int got = count_true(call, env, &yes, &n, out, err);
    if (got > 0)
        sm_value_bool(out, yes == n);
    return got >= 0;
}

bool sm_func_count(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                   struct sm_err *err)
{
    uint64_t yes, n;
    int got = count_true(call, env, &yes, &n, out, err);
    if (got > 0)
        sm_value_int(out, (int64_t)yes);
    return got >= 0;
}

bool sm_func_frac(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                  struct sm_err *err)
{
    uint64_t yes, n;
    int got = count_true(call, env, &yes, &n, out, err);
    if (got > 0)
        sm_value_number(out, n ? (double)yes / (double)n : (double)NAN);
    return got >= 0;
}

/* ---- index of the extreme: the first of equals; NaN is ignored ---- */

static bool extreme_index(const struct sm_ast *call, struct sm_expr_env *env, int sign,
                          struct sm_value *out, struct sm_err *err)
{
    struct sm_value v = {0};
    int got = sm_func_tensor(call, 0, env, &v, out, err);
    int64_t at = -1;
    struct sm_exact best = {0};
    struct sm_blocks blocks = {.n = got > 0 ? v.tensor->n : 0, .stop = env->stop};
    while (sm_blocks_next(&blocks)) {
        for (uint64_t i = blocks.from; i < blocks.to; i++) {
            struct sm_exact x = sm_tensor_exact(v.tensor, i);
            if (isnan(x.real) || (at >= 0 && sign * sm_exact_compare(&x, &best) <= 0))
                continue;
            best = x;
            at = (int64_t)i;
        }
    }
    sm_value_clear(&v);
    if (!sm_blocks_done(&blocks, err))
        return false;
    if (got > 0 && at < 0)
        return sm_expr_unavailable(env, out, "%s of no numbers", call->func->public.name);
    if (got > 0)
        sm_value_int(out, at);
    return got >= 0;
}

bool sm_func_argmin(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                    struct sm_err *err)
{
    return extreme_index(call, env, -1, out, err);
}

bool sm_func_argmax(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                    struct sm_err *err)
{
    return extreme_index(call, env, 1, out, err);
}

/* ---- a.b / |a||b|, read flat ---- */

static bool cosine(const struct sm_tensor *a, const struct sm_tensor *b, const atomic_bool *stop,
                   double *out, struct sm_err *err)
{
    double ab = 0, aa = 0, bb = 0;
    struct sm_blocks blocks = {.n = a->n, .stop = stop};
    while (sm_blocks_next(&blocks)) {
        for (uint64_t i = blocks.from; i < blocks.to; i++) {
            double x = sm_tensor_at(a, i), y = sm_tensor_at(b, i);
            ab += x * y;
            aa += x * x;
            bb += y * y;
        }
    }
    *out = ab / (sqrt(aa) * sqrt(bb));
    return sm_blocks_done(&blocks, err);
}

bool sm_func_cos(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                 struct sm_err *err)
{
    struct sm_value a = {0}, b = {0};
    double x;
    int got = sm_func_tensor(call, 0, env, &a, out, err);
    if (got > 0)
        got = sm_func_tensor(call, 1, env, &b, out, err);
    bool ok = got >= 0;
    if (got > 0 && a.tensor->n != b.tensor->n)
        ok = sm_func_error(call, err, "the tensors have different sizes");
    else if (got > 0 && !cosine(a.tensor, b.tensor, env->stop, &x, err))
        ok = false;
    else if (got > 0)
        sm_value_number(out, x);
    sm_value_clear(&a);
    sm_value_clear(&b);
    return ok;
}
