/* Arithmetic and comparisons of numbers, tensors (broadcast as in numpy) and series. */
#include "rules/expr/ast.h"

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

static bool int_power(int64_t a, int64_t b, int64_t *out)
{
    *out = 1;
    for (; b > 0; b >>= 1) {
        if ((b & 1) && __builtin_mul_overflow(*out, a, out))
            return false;
        if (b > 1 && __builtin_mul_overflow(a, a, &a))
            return false;
    }
    return b == 0;
}

static bool int_remainder(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0)
        return false;
    *out = b == -1 ? 0 : a % b;
    if (*out != 0 && (*out < 0) != (b < 0))
        *out += b;
    return true;
}

/* False if the result is not an exact integer; it is then calculated with doubles. */
static bool int_result(enum sm_expr_token_type op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case SM_TOK_PLUS:
        return !__builtin_add_overflow(a, b, out);
    case SM_TOK_MINUS:
        return !__builtin_sub_overflow(a, b, out);
    case SM_TOK_STAR:
        return !__builtin_mul_overflow(a, b, out);
    case SM_TOK_PERCENT:
        return int_remainder(a, b, out);
    case SM_TOK_POWER:
        return int_power(a, b, out);
    default:
        return false;
    }
}

static void with_numbers(enum sm_expr_token_type op, const struct sm_value *a,
                         const struct sm_value *b, struct sm_value *out)
{
    bool ints = a->is_int && b->is_int;
    int64_t n;
    if (is_logical(op) && ints)
        sm_value_bool(
            out, op == SM_TOK_AND || op == SM_TOK_OR || op == SM_TOK_NOT
                     ? apply_op(op, a->integer != 0, b->integer != 0) != 0
                     : apply_op(op, (a->integer > b->integer) - (a->integer < b->integer), 0) != 0);
    else if (is_logical(op))
        sm_value_bool(out, apply_op(op, a->number, b->number) != 0);
    else if (ints && int_result(op, a->integer, b->integer, &n))
        sm_value_int(out, n);
    else
        sm_value_number(out, apply_op(op, a->number, b->number));
}

/* ---- tensors ---- */

struct operand {
    const struct sm_tensor *tensor; /* NULL for a number */
    double number;
    uint64_t strides[SM_DIMS_MAX]; /* in elements, by axis of the result; 0 if stretched */
    bool flat;                     /* element i of the result uses element i, or the number */
};

static bool set_operand(struct operand *o, const struct sm_value *v, unsigned n_dims,
                        const uint64_t *dims)
{
    uint64_t stride = 1, total = 1;
    *o = (struct operand){.tensor = v->tensor, .number = v->number, .flat = true};
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

static double operand_element(const struct operand *o, uint64_t i, const uint64_t *index,
                              unsigned n_dims)
{
    if (!o->tensor)
        return o->number;
    if (!o->flat) {
        i = 0;
        for (unsigned d = 0; d < n_dims; d++)
            i += index[d] * o->strides[d];
    }
    return sm_tensor_at(o->tensor, i);
}

static bool fill_result(enum sm_expr_token_type op, const struct operand *a,
                        const struct operand *b, const atomic_bool *stop, struct sm_tensor *t,
                        struct sm_err *err)
{
    struct sm_blocks blocks = {.n = t->n, .stop = stop};
    uint64_t index[SM_DIMS_MAX] = {0};
    bool logical = t->dtype == SM_DTYPE_BOOL, flat = a->flat && b->flat;
    uint8_t *to = t->buffer;
    const struct sm_flat x = {a->tensor, a->number}, y = {b->tensor, b->number};
    while (sm_blocks_next(&blocks)) {
        if (flat)
            sm_flat_operate(op, &x, &y, blocks.from, blocks.to, t);
        for (uint64_t i = blocks.from; !flat && i < blocks.to; i++) {
            double v = apply_op(op, operand_element(a, i, index, t->n_dims),
                                operand_element(b, i, index, t->n_dims));
            if (logical)
                to[i] = v != 0;
            else
                memcpy(to + i * sizeof v, &v, sizeof v);
            for (unsigned d = t->n_dims; d-- > 0 && ++index[d] == t->dims[d];)
                index[d] = 0;
        }
    }
    return sm_blocks_done(&blocks, err);
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
    struct sm_value made = {.type = SM_TENSOR};
    if (!sm_tensor_new(is_logical(op) ? SM_DTYPE_BOOL : SM_DTYPE_FLOAT64, n_dims, dims, NULL,
                       &made.tensor, err))
        return false;
    if (!fill_result(op, &x, &y, stop, made.tensor, err)) {
        sm_value_clear(&made);
        return false;
    }
    *out = made;
    return true;
}

/* ---- series ---- */

static bool same_steps(const struct sm_value *a, const struct sm_value *b)
{
    bool same = a->n_points == b->n_points;
    for (size_t i = 0; same && i < a->n_points; i++)
        same = a->points[i].step.n == b->points[i].step.n;
    return same;
}

/* The result takes over the points of one operand. */
static bool with_series(enum sm_expr_token_type op, size_t column, struct sm_value *a,
                        struct sm_value *b, struct sm_value *out, struct sm_err *err)
{
    bool left = a->type == SM_SERIES, right = b->type == SM_SERIES;
    struct sm_value *s = left ? a : b;
    double x = 0, y = 0;
    if ((!left && !sm_value_as_number(a, &x)) || (!right && !sm_value_as_number(b, &y)))
        return sm_expr_error(column, err,
                             "a series can only be combined with a number or a series");
    if (left && right && !same_steps(a, b))
        return sm_expr_error(column, err, "the series have different steps");
    for (size_t i = 0; i < s->n_points; i++) {
        s->points[i].value =
            apply_op(op, left ? a->points[i].value : x, right ? b->points[i].value : y);
        s->points[i].dtype = SM_DTYPE_NONE;
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
    bool same = a->type == b->type && a->text.n == b->text.n &&
                memcmp(a->text.p, b->text.p, a->text.n) == 0;
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
    if (a->type == SM_SERIES || b->type == SM_SERIES)
        return with_series(op, column, a, b, out, err);
    sm_value_simplify(a);
    sm_value_simplify(b);
    if (a->type == SM_TENSOR || b->type == SM_TENSOR)
        return with_tensors(op, column, a, b, stop, out, err);
    with_numbers(op, a, b, out);
    return true;
}
