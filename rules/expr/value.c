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
    struct sm_value number = {
        .type = SM_NUMBER, .number = sm_tensor_at(t, 0), .single = info->single};
    if (info->kind == SM_KIND_BOOL)
        number.type = SM_BOOL;
    else
        number.is_int = sm_dtype_load_i64(t->dtype, t->data, &number.integer);
    sm_value_clear(v);
    *v = number;
}

static bool series_to_tensor(const struct sm_value *v, struct sm_tensor **out, struct sm_err *err)
{
    uint64_t n = v->n_points;
    if (!sm_tensor_new(SM_DTYPE_FLOAT64, 1, &n, NULL, out, err))
        return false;
    for (size_t i = 0; i < v->n_points; i++)
        memcpy((uint8_t *)(*out)->buffer + i * sizeof(double), &v->points[i].value, sizeof(double));
    return true;
}

bool sm_value_to_tensor(struct sm_value *v, struct sm_err *err)
{
    struct sm_tensor *t;
    if (v->type == SM_TENSOR)
        return true;
    if (v->type != SM_NUMBER && v->type != SM_BOOL && v->type != SM_SERIES)
        return sm_err_set(err, SM_ERR_USAGE, "a %s is not a tensor", sm_value_type_name(v->type));
    if (v->type == SM_SERIES ? !series_to_tensor(v, &t, err)
                             : !sm_tensor_new(SM_DTYPE_FLOAT64, 0, NULL, &v->number, &t, err))
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
