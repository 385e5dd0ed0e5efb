/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the elements that differ between two values. */
#include "rules/expr/funcs.h"

#include <math.h>
#include <string.h>

/* The count for tensors that differ in type or shape. */
static uint64_t all_elements(const struct sm_tensor *t)
{
    return t->n ? t->n : 1;
}

static bool same_type_and_shape(const struct sm_tensor *a, const struct sm_tensor *b)
{
    return a->dtype == b->dtype && a->n_dims == b->n_dims &&
           memcmp(a->dims, b->dims, a->n_dims * sizeof *a->dims) == 0;
}

static uint64_t count_bits(const struct sm_tensor *a, const struct sm_tensor *b, size_t size)
{
    uint64_t n = 0;
    if (!a->n || (a->size_bytes == b->size_bytes && memcmp(a->data, b->data, a->size_bytes) == 0))
        return 0;
    for (uint64_t i = 0; i < a->n; i++)
        n += memcmp(a->data + i * size, b->data + i * size, size) != 0;
    return n;
}

/* A change to or from NaN, or to another infinity, exceeds every tolerance. */
static bool is_beyond(double a, double b, double tolerance)
{
    return !(fabs(a - b) <= tolerance) && !(isnan(a) && isnan(b)) && !(isinf(a) && a == b);
}

/* Integers are subtracted exactly. */
static bool is_exactly_beyond(struct sm_exact a, struct sm_exact b, double tolerance)
{
    if (a.is_int && b.is_int)
        return sm_exact_distance(&a, &b) > tolerance;
    return is_beyond(a.real, b.real, tolerance);
}

static uint64_t count_beyond(const struct sm_tensor *a, const struct sm_tensor *b, double tolerance)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < a->n; i++)
        n += is_exactly_beyond(sm_tensor_exact(a, i), sm_tensor_exact(b, i), tolerance);
    return n;
}

static uint64_t count_strings(const struct sm_tensor *a, const struct sm_tensor *b)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < a->n; i++)
        n += !sm_text_same(a->strings[i], b->strings[i]);
    return n;
}

static uint64_t tensor_changes(const struct sm_tensor *a, const struct sm_tensor *b,
                               double tolerance)
{
    size_t size = sm_dtype_info(a->dtype)->size_bytes;
    if (!same_type_and_shape(a, b) || (!size && a->size_bytes != b->size_bytes))
        return all_elements(a);
    if (a->strings && b->strings)
        return count_strings(a, b);
    if (!size)
        return a->size_bytes && memcmp(a->data, b->data, a->size_bytes) != 0 ? all_elements(a) : 0;
    return tolerance >= 0 && sm_dtype_has_numbers(a->dtype) ? count_beyond(a, b, tolerance)
                                                            : count_bits(a, b, size);
}

/* NaN is the same as itself, 0 is not -0. */
static bool bits_differ(double a, double b)
{
    uint64_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x != y;
}

static bool exact_changes(struct sm_exact a, struct sm_exact b)
{
    return a.is_int && b.is_int ? sm_exact_compare(&a, &b) != 0 : bits_differ(a.real, b.real);
}

static bool number_changes(const struct sm_value *a, const struct sm_value *b, double tolerance)
{
    if (tolerance >= 0)
        return is_exactly_beyond(sm_value_exact(a), sm_value_exact(b), tolerance);
    return exact_changes(sm_value_exact(a), sm_value_exact(b));
}

static uint64_t series_changes(const struct sm_value *a, const struct sm_value *b)
{
    uint64_t n = a->n_points > b->n_points ? a->n_points - b->n_points : b->n_points - a->n_points;
    for (size_t i = 0; i < a->n_points && i < b->n_points; i++)
        n += exact_changes(sm_point_exact(&a->points[i]), sm_point_exact(&b->points[i]));
    return n;
}

uint64_t sm_value_changes(const struct sm_value *a, const struct sm_value *b, double tolerance)
{
    if (a->type != b->type)
        return 1;
    switch (a->type) {
    case SM_TENSOR:
        return tensor_changes(a->tensor, b->tensor, tolerance);
    case SM_NUMBER:
    case SM_BOOL:
        return number_changes(a, b, tolerance);
    case SM_STRING:
        return !sm_text_same(a->text, b->text);
    case SM_SERIES:
        return series_changes(a, b);
    default:
        return 0;
    }
}

bool sm_func_changed(const struct sm_ast *call, struct sm_expr_env *env, struct sm_value *out,
                     struct sm_err *err)
{
    struct sm_value a = {0}, b = {0};
    double tolerance = -1;
    if (call->n_args > 2 && !sm_func_number(call, 2, env, &tolerance, err))
        return false;
    int got = sm_func_argument(call, 0, env, &a, out, err);
    if (got > 0)
        got = sm_func_argument(call, 1, env, &b, out, err);
    if (got > 0) {
        sm_value_simplify(&a);
        sm_value_simplify(&b);
        sm_value_int(out, (int64_t)sm_value_changes(&a, &b, tolerance));
    }
    sm_value_clear(&a);
    sm_value_clear(&b);
    return got >= 0;
}
