/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic and comparisons of numbers, tensors (broadcast as in numpy) and series. */
#include "rules/expr/ast.h"

#include "reader/base/bytes.h"

#include <string.h>

static bool is_logical(enum sm_expr_token_type op)
{
    return (op >= SM_TOK_OR && op <= SM_TOK_GE) || op == SM_TOK_NOT;
}

static double apply_op(enum sm_expr_token_type op, double a, double b)
{
    return sm_flat_number(op, is_logical(op), a, b);
}

/* ---- numbers ---- */

static bool is_comparison(enum sm_expr_token_type op)
{
    return op >= SM_TOK_EQ && op <= SM_TOK_GE;
}

static void with_numbers(enum sm_expr_token_type op, const struct sm_value *a,
                         const struct sm_value *b, struct sm_value *out)
{
    const struct sm_exact x = sm_value_exact(a), y = sm_value_exact(b);
    struct sm_integer n;
    bool ints = x.is_int && y.is_int;
    if (is_comparison(op))
        sm_value_bool(out, sm_exact_holds(op, &x, &y));
    else if (is_logical(op))
        sm_value_bool(out, apply_op(op, a->number, b->number) != 0);
    else if (ints && sm_integer_operate(op, x.integer, y.integer, &n))
        sm_value_set_exact(out, &(struct sm_exact){sm_integer_double(n), true, n});
    else
        sm_value_number(out, apply_op(op, a->number, b->number));
    out->rounded = out->type == SM_NUMBER && (a->rounded || b->rounded);
}

/* ---- tensors ---- */

struct operand {
    const struct sm_tensor *tensor; /* NULL for a number */
    struct sm_exact number;
    uint64_t strides[SM_DIMS_MAX]; /* in elements, by axis of the result; 0 if stretched */
    bool flat;                     /* element i of the result uses element i, or the number */
};

static bool set_operand(struct operand *o, const struct sm_value *v, unsigned n_dims,
                        const uint64_t *dims)
{
    uint64_t stride = 1, total = 1;
    *o = (struct operand){.tensor = v->tensor, .number = sm_value_exact(v), .flat = true};
    for (unsigned k = 0; v->tensor && k < n_dims; k++) {
        unsigned axis = n_dims - 1 - k;
        uint64_t size = k < v->tensor->n_dims ? v->tensor->dims[v->tensor->n_dims - 1 - k] : 1;
        if (size != dims[axis] && size != 1)
            return false;
        o->strides[axis] = size == 1 ? 0 : stride;
        stride *= size;
        total *= dims[axis];
    }
    o->flat = !v->tensor || v->tensor->n == total;
    return true;
}

enum { GATHERED = 512 };

/* Elements of a stretched operand in a row. */
struct gathered {
    struct sm_tensor tensor; /* only its type and data are set */
    uint8_t bytes[GATHERED * sizeof(double)];
};

static uint64_t element_of(const struct operand *o, const uint64_t *index, unsigned n_dims)
{
    uint64_t i = 0;
    for (unsigned d = 0; d < n_dims; d++)
        i += index[d] * o->strides[d];
    return i;
}

/* The elements that elements at .. at + n of the result t use. */
static struct sm_flat gather(const struct operand *o, const struct sm_tensor *t, uint64_t at,
                             size_t n, struct gathered *room)
{
    uint64_t index[SM_DIMS_MAX] = {0};
    if (!o->tensor)
        return (struct sm_flat){.number = o->number};
    size_t size = sm_dtype_info(o->tensor->dtype)->size_bytes;
    for (unsigned d = t->n_dims; d-- > 0; at /= t->dims[d])
        index[d] = at % t->dims[d];
    for (size_t i = 0; i < n; i++) {
        memcpy(room->bytes + i * size, o->tensor->data + element_of(o, index, t->n_dims) * size,
               size);
        for (unsigned d = t->n_dims; d-- > 0 && ++index[d] == t->dims[d];)
            index[d] = 0;
    }
    room->tensor = (struct sm_tensor){.dtype = o->tensor->dtype, .n = n, .data = room->bytes};
    return (struct sm_flat){.tensor = &room->tensor};
}

static bool fill_stretched(enum sm_expr_token_type op, const struct operand *a,
                           const struct operand *b, uint64_t from, uint64_t to, struct sm_tensor *t)
{
    struct gathered left, right;
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    for (uint64_t at = from; at < to; at += GATHERED) {
        size_t n = to - at < GATHERED ? (size_t)(to - at) : GATHERED;
        struct sm_flat x = gather(a, t, at, n, &left), y = gather(b, t, at, n, &right);
        struct sm_tensor part = {.dtype = t->dtype, .buffer = (uint8_t *)t->buffer + at * size};
        if (!sm_flat_operate(op, &x, &y, 0, n, &part))
            return false;
    }
    return true;
}

/* False with *fits: stopped. */
static bool fill_result(enum sm_expr_token_type op, const struct operand *a,
                        const struct operand *b, const atomic_bool *stop, struct sm_tensor *t,
                        bool *fits, struct sm_err *err)
{
    struct sm_blocks blocks = {.n = t->n, .stop = stop};
    const struct sm_flat x = {a->tensor, a->number}, y = {b->tensor, b->number};
    *fits = true;
    while (*fits && sm_blocks_next(&blocks))
        *fits = a->flat && b->flat ? sm_flat_operate(op, &x, &y, blocks.from, blocks.to, t)
                                   : fill_stretched(op, a, b, blocks.from, blocks.to, t);
    return *fits && sm_blocks_done(&blocks, err);
}

static bool has_integers(const struct sm_value *v)
{
    return v->tensor ? sm_dtype_has_integers(v->tensor->dtype) : sm_value_exact(v).is_int;
}

uint64_t sm_broadcast(unsigned na, const uint64_t *da, unsigned nb, const uint64_t *db,
                      unsigned *n_dims, uint64_t *dims)
{
    uint64_t total = 1;
    *n_dims = na > nb ? na : nb;
    for (unsigned k = 0; k < *n_dims; k++) {
        uint64_t x = k < na ? da[na - 1 - k] : 1, y = k < nb ? db[nb - 1 - k] : 1,
                 both = x == 1 ? y : x;
        dims[*n_dims - 1 - k] = both;
        if (__builtin_mul_overflow(total, both, &total))
            total = UINT64_MAX;
    }
    return total;
}

static uint64_t result_dims(const struct sm_value *a, const struct sm_value *b, unsigned *n_dims,
                            uint64_t *dims)
{
    const struct sm_tensor *x = a->tensor, *y = b->tensor;
    return sm_broadcast(x ? x->n_dims : 0, x ? x->dims : NULL, y ? y->n_dims : 0,
                        y ? y->dims : NULL, n_dims, dims);
}

static bool set_shape_error(size_t column, const struct sm_value *a, const struct sm_value *b,
                            struct sm_err *err)
{
    struct sm_str x = {0}, y = {0};
    sm_shape_text(&x, a->tensor->dims, a->tensor->n_dims);
    sm_shape_text(&y, b->tensor->dims, b->tensor->n_dims);
    sm_expr_error(column, err, "shapes %s and %s do not match", sm_str_text(&x), sm_str_text(&y));
    sm_str_clear(&x);
    sm_str_clear(&y);
    return false;
}

/* The types to try for the result: integers stay integers while all of them fit. */
static const enum sm_dtype *result_types(enum sm_expr_token_type op, const struct sm_value *a,
                                         const struct sm_value *b)
{
    static const enum sm_dtype truth[] = {SM_DTYPE_BOOL},
                               numbers[] = {SM_DTYPE_INT64, SM_DTYPE_UINT64, SM_DTYPE_FLOAT64};
    bool integers = op != SM_TOK_SLASH && has_integers(a) && has_integers(b);
    return is_logical(op) ? truth : numbers + (integers ? 0 : 2);
}

static bool with_tensors(enum sm_expr_token_type op, size_t column, const struct sm_value *a,
                         const struct sm_value *b, const atomic_bool *stop, struct sm_value *out,
                         struct sm_err *err)
{
    struct operand x, y;
    uint64_t dims[SM_DIMS_MAX];
    unsigned n_dims;
    if (result_dims(a, b, &n_dims, dims) > SM_EXPR_ELEMENTS_MAX)
        return sm_err_set(err, SM_ERR_LIMIT,
                          "result of more than 100,000,000 elements at column %zu", column);
    if (!set_operand(&x, a, n_dims, dims) || !set_operand(&y, b, n_dims, dims))
        return set_shape_error(column, a, b, err);
    for (const enum sm_dtype *d = result_types(op, a, b);; d++) {
        struct sm_value made = {.type = SM_TENSOR};
        bool fits = false;
        if (!sm_tensor_new(*d, n_dims, dims, NULL, &made.tensor, err))
            return false;
        if (fill_result(op, &x, &y, stop, made.tensor, &fits, err)) {
            *out = made;
            return true;
        }
        sm_value_clear(&made);
        if (fits)
            return false;
    }
}

/* ---- series ---- */

static bool same_steps(const struct sm_value *a, const struct sm_value *b)
{
    bool same = a->n_points == b->n_points;
    for (size_t i = 0; same && i < a->n_points; i++)
        same = a->points[i].step.n == b->points[i].step.n;
    return same;
}

static struct sm_value number_of_point(const struct sm_point *p)
{
    const struct sm_exact x = sm_point_exact(p);
    struct sm_value v;
    sm_value_set_exact(&v, &x);
    return v;
}

static void set_point(struct sm_point *p, const struct sm_value *v)
{
    p->value = v->number;
    p->dtype = v->is_uint ? SM_DTYPE_UINT64 : v->is_int ? SM_DTYPE_INT64 : SM_DTYPE_NONE;
    sm_put_u64(p->first, (uint64_t)v->integer);
}

/* The result takes over the points of one operand. */
static bool with_series(enum sm_expr_token_type op, size_t column, struct sm_value *a,
                        struct sm_value *b, struct sm_value *out, struct sm_err *err)
{
    bool left = a->type == SM_SERIES, right = b->type == SM_SERIES;
    struct sm_value *s = left ? a : b, *other = left ? b : a, number;
    sm_value_simplify(other);
    if (left != right && other->type != SM_NUMBER && other->type != SM_BOOL)
        return sm_expr_error(column, err,
                             "a series can only be combined with a number or a series");
    if (left && right && !same_steps(a, b))
        return sm_expr_error(column, err, "the series have different steps");
    for (size_t i = 0; i < s->n_points; i++) {
        struct sm_value x = left ? number_of_point(&a->points[i]) : *a,
                        y = right ? number_of_point(&b->points[i]) : *b;
        with_numbers(op, &x, &y, &number);
        set_point(&s->points[i], &number);
    }
    *out = *s;
    *s = (struct sm_value){0};
    return true;
}

/* ---- all types ---- */

static bool with_strings(enum sm_expr_token_type op, size_t column, const struct sm_value *a,
                         const struct sm_value *b, struct sm_value *out, struct sm_err *err)
{
    if (op != SM_TOK_EQ && op != SM_TOK_NE)
        return sm_expr_error(column, err, "strings can only be compared with == and !=");
    bool same = a->type == b->type && sm_text_same(a->text, b->text);
    sm_value_bool(out, same == (op == SM_TOK_EQ));
    return true;
}

static bool can_operate(size_t column, const struct sm_value *v, struct sm_err *err)
{
    if (v->type == SM_TENSOR && !sm_dtype_has_numbers(v->tensor->dtype))
        return sm_expr_error(column, err, "cannot calculate with elements of type %s",
                             sm_dtype_info(v->tensor->dtype)->name);
    return (v->type != SM_VOID && v->type != SM_RANGE) ||
           sm_expr_error(column, err, "cannot calculate with a %s value",
                         sm_value_type_name(v->type));
}

bool sm_operate(enum sm_expr_token_type op, size_t column, struct sm_value *a, struct sm_value *b,
                const atomic_bool *stop, struct sm_value *out, struct sm_err *err)
{
    if (a->type == SM_UNAVAILABLE || b->type == SM_UNAVAILABLE) {
        *out = (struct sm_value){.type = SM_UNAVAILABLE,
                                 .text = a->type == SM_UNAVAILABLE ? a->text : b->text};
        return true;
    }
    if (a->type == SM_STRING || b->type == SM_STRING)
        return with_strings(op, column, a, b, out, err);
    if (!can_operate(column, a, err) || !can_operate(column, b, err))
        return false;
    if (!sm_expr_refuse_means(a, column, err) || !sm_expr_refuse_means(b, column, err))
        return false;
    if (a->type == SM_SERIES || b->type == SM_SERIES)
        return with_series(op, column, a, b, out, err);
    sm_value_simplify(a);
    sm_value_simplify(b);
    if (a->type == SM_TENSOR || b->type == SM_TENSOR)
        return with_tensors(op, column, a, b, stop, out, err);
    with_numbers(op, a, b, out);
    return true;
}
