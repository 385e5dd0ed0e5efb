/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, converts and tests values. */
#include "rules/expr/value.h"

#include "reader/base/mem.h"
#include "rules/expr/ast.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

void sm_value_clear(struct sm_value *v)
{
    sm_tensor_unref(v->tensor);
    sm_free(v->points);
    *v = (struct sm_value){0};
}

bool sm_value_copy(struct sm_value *to, const struct sm_value *from, struct sm_arena *arena)
{
    *to = *from;
    to->tensor = from->tensor ? sm_tensor_ref(from->tensor) : NULL;
    to->points = NULL;
    if (from->n_points) {
        to->points = sm_alloc(from->n_points * sizeof *to->points);
        if (to->points)
            memcpy(to->points, from->points, from->n_points * sizeof *to->points);
    }
    if (arena && from->text.n)
        to->text.p = sm_arena_strndup(arena, from->text.p, from->text.n);
    if ((!from->n_points || to->points) && (!from->text.n || to->text.p))
        return true;
    sm_value_clear(to);
    return false;
}

const char *sm_value_type_name(enum sm_value_type t)
{
    static const char *const names[] = {
        [SM_VOID] = "void",     [SM_NUMBER] = "number",           [SM_BOOL] = "bool",
        [SM_STRING] = "string", [SM_TENSOR] = "tensor",           [SM_SERIES] = "series",
        [SM_RANGE] = "range",   [SM_UNAVAILABLE] = "unavailable",
    };
    return names[t];
}

static bool is_truth(double x)
{
    return x != 0 && !isnan(x);
}

bool sm_expr_is_true(const struct sm_value *v)
{
    if (v->type == SM_NUMBER || v->type == SM_BOOL)
        return is_truth(v->number);
    if (v->type == SM_STRING)
        return v->text.n > 0;
    if (v->type != SM_TENSOR || !sm_dtype_has_numbers(v->tensor->dtype))
        return false;
    for (uint64_t at = 0, n = v->tensor->n; at < n; at += BLOCK)
        if (sm_flat_count_true(v->tensor, at, n - at < BLOCK ? n : at + BLOCK))
            return true;
    return false;
}

void sm_value_number(struct sm_value *v, double x)
{
    *v = (struct sm_value){.type = SM_NUMBER, .number = x};
}

void sm_value_int(struct sm_value *v, int64_t x)
{
    *v = (struct sm_value){.type = SM_NUMBER, .number = (double)x, .is_int = true, .integer = x};
}

void sm_value_set_exact(struct sm_value *v, const struct sm_exact *x)
{
    uint64_t bits;
    *v = (struct sm_value){.type = SM_NUMBER, .number = x->real};
    if (!x->is_int)
        return;
    v->is_int = sm_integer_signed(x->integer, &v->integer);
    if (!v->is_int && sm_integer_unsigned(x->integer, &bits)) {
        v->is_uint = true;
        v->integer = (int64_t)(bits - ((uint64_t)1 << 63)) + INT64_MIN;
    }
}

struct sm_exact sm_value_exact(const struct sm_value *v)
{
    if (v->is_uint)
        return sm_exact_integer(sm_integer_of_unsigned((uint64_t)v->integer));
    if (v->is_int)
        return sm_exact_integer(sm_integer_of(v->integer));
    if (v->type == SM_BOOL)
        return sm_exact_integer(sm_integer_of(v->number != 0));
    return sm_exact_real(v->number);
}

void sm_value_bool(struct sm_value *v, bool x)
{
    *v = (struct sm_value){.type = SM_BOOL, .number = x};
}

bool sm_dtype_has_numbers(enum sm_dtype d)
{
    enum sm_dtype_kind k = sm_dtype_info(d)->kind;
    return k == SM_KIND_FLOAT || k == SM_KIND_INT || k == SM_KIND_UINT || k == SM_KIND_BOOL;
}

double sm_tensor_at(const struct sm_tensor *t, uint64_t i)
{
    return sm_dtype_load(t->dtype, t->data + i * sm_dtype_info(t->dtype)->size_bytes);
}

struct sm_exact sm_tensor_exact(const struct sm_tensor *t, uint64_t i)
{
    return sm_dtype_load_exact(t->dtype, t->data + i * sm_dtype_info(t->dtype)->size_bytes);
}

static bool is_one_number(const struct sm_value *v)
{
    return v->type == SM_TENSOR && v->tensor->n == 1 && sm_dtype_has_numbers(v->tensor->dtype);
}

bool sm_value_as_number(const struct sm_value *v, double *out)
{
    bool one = is_one_number(v);
    if (v->type != SM_NUMBER && v->type != SM_BOOL && !one)
        return false;
    *out = one ? sm_tensor_at(v->tensor, 0) : v->number;
    return true;
}

void sm_value_simplify(struct sm_value *v)
{
    if (!is_one_number(v))
        return;
    const struct sm_tensor *t = v->tensor;
    const struct sm_dtype_info *info = sm_dtype_info(t->dtype);
    const struct sm_exact exact = sm_tensor_exact(t, 0);
    struct sm_value number;
    if (info->kind == SM_KIND_BOOL)
        sm_value_bool(&number, exact.real != 0);
    else
        sm_value_set_exact(&number, &exact);
    number.single = info->single;
    sm_value_clear(v);
    *v = number;
}

/* The type that holds all points exactly: int64, uint64 or float64. */
static enum sm_dtype dtype_of_points(const struct sm_value *v)
{
    enum sm_dtype d = SM_DTYPE_INT64;
    int64_t integer;
    uint64_t bits;
    bool negative = false;
    for (size_t i = 0; i < v->n_points; i++) {
        struct sm_exact x = sm_point_exact(&v->points[i]);
        negative = negative || x.integer.negative;
        if (!x.is_int)
            return SM_DTYPE_FLOAT64;
        if (!sm_integer_signed(x.integer, &integer))
            d = sm_integer_unsigned(x.integer, &bits) ? SM_DTYPE_UINT64 : SM_DTYPE_FLOAT64;
    }
    return !v->n_points || (negative && d == SM_DTYPE_UINT64) ? SM_DTYPE_FLOAT64 : d;
}

static bool series_to_tensor(const struct sm_value *v, struct sm_tensor **out, struct sm_err *err)
{
    uint64_t n = v->n_points;
    enum sm_dtype d = dtype_of_points(v);
    if (!sm_tensor_new(d, 1, &n, NULL, out, err))
        return false;
    uint8_t *to = (*out)->buffer;
    for (size_t i = 0; i < v->n_points; i++)
        if (d != SM_DTYPE_FLOAT64)
            sm_integer_store(*out, i, sm_point_exact(&v->points[i]).integer);
        else
            memcpy(to + i * sizeof(double), &v->points[i].value, sizeof(double));
    return true;
}

static bool number_to_tensor(const struct sm_value *v, struct sm_tensor **out, struct sm_err *err)
{
    const uint8_t truth = v->number != 0;
    if (v->type == SM_BOOL)
        return sm_tensor_new(SM_DTYPE_BOOL, 0, NULL, &truth, out, err);
    if (!v->is_int && !v->is_uint)
        return sm_tensor_new(SM_DTYPE_FLOAT64, 0, NULL, &v->number, out, err);
    return sm_tensor_new(v->is_uint ? SM_DTYPE_UINT64 : SM_DTYPE_INT64, 0, NULL, NULL, out, err) &&
           sm_integer_store(*out, 0, sm_value_exact(v).integer);
}

bool sm_value_to_tensor(struct sm_value *v, struct sm_err *err)
{
    struct sm_tensor *t;
    if (v->type == SM_TENSOR)
        return true;
    if (v->type != SM_NUMBER && v->type != SM_BOOL && v->type != SM_SERIES)
        return sm_err_set(err, SM_ERR_USAGE, "a %s is not a tensor", sm_value_type_name(v->type));
    if (v->type == SM_SERIES ? !series_to_tensor(v, &t, err) : !number_to_tensor(v, &t, err))
        return false;
    sm_value_clear(v);
    *v = (struct sm_value){.type = SM_TENSOR, .tensor = t};
    return true;
}

/* ---- many elements ---- */

bool sm_blocks_next(struct sm_blocks *b)
{
    if (b->to == b->n)
        return false;
    b->stopped = b->stop && atomic_load_explicit(b->stop, memory_order_relaxed);
    b->from = b->to;
    b->to = b->n - b->from < BLOCK ? b->n : b->from + BLOCK;
    return !b->stopped;
}

bool sm_blocks_done(const struct sm_blocks *b, struct sm_err *err)
{
    return !b->stopped || sm_err_set(err, SM_ERR_CANCELLED, "Quit");
}
