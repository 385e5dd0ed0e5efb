/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic and comparisons of integers of 64 bits, which a double may not hold. */
#include "rules/expr/ast.h"

#include "reader/base/bytes.h"

#include <math.h>

bool sm_exact_holds(enum sm_expr_token_type op, const struct sm_exact *a, const struct sm_exact *b)
{
    int order = sm_exact_compare(a, b);
    if (order == SM_UNORDERED)
        return false;
    return op == SM_TOK_EQ   ? order == 0
           : op == SM_TOK_NE ? order != 0
           : op == SM_TOK_LT ? order < 0
           : op == SM_TOK_LE ? order <= 0
           : op == SM_TOK_GT ? order > 0
                             : order >= 0;
}

bool sm_integer_operate(enum sm_expr_token_type op, struct sm_integer a, struct sm_integer b,
                        struct sm_integer *out)
{
    switch (op) {
    case SM_TOK_PLUS:
        return sm_integer_add(a, b, out);
    case SM_TOK_MINUS:
        return sm_integer_subtract(a, b, out);
    case SM_TOK_STAR:
        return sm_integer_multiply(a, b, out);
    case SM_TOK_PERCENT:
        return sm_integer_remainder(a, b, out);
    case SM_TOK_POWER:
        return sm_integer_power(a, b, out);
    default:
        return false;
    }
}

bool sm_integer_store(struct sm_tensor *out, uint64_t i, struct sm_integer v)
{
    uint8_t *to = (uint8_t *)out->buffer + i * sizeof(uint64_t);
    int64_t integer = 0;
    uint64_t bits = 0;
    bool fits = out->dtype == SM_DTYPE_UINT64 ? sm_integer_unsigned(v, &bits)
                                              : sm_integer_signed(v, &integer);
    sm_put_u64(to, out->dtype == SM_DTYPE_UINT64 ? bits : (uint64_t)integer);
    return fits;
}

bool sm_dtype_has_integers(enum sm_dtype d)
{
    return sm_dtype_has_numbers(d) && sm_dtype_info(d)->kind != SM_KIND_FLOAT;
}

void sm_exact_round_limit(enum sm_expr_token_type *op, struct sm_exact *number)
{
    struct sm_exact below = sm_exact_real(number->real);
    if (sm_exact_is_real(number))
        return;
    int order = sm_exact_compare(number, &below);
    if (order < 0)
        below.real = nextafter(below.real, -HUGE_VAL);
    if (order) {
        if (*op == SM_TOK_GE)
            *op = SM_TOK_GT;
        else if (*op == SM_TOK_LT)
            *op = SM_TOK_LE;
        else if (*op == SM_TOK_EQ)
            below.real = (double)NAN; /* equal to none */
        else if (*op == SM_TOK_NE) {
            *op = SM_TOK_GE; /* all but NaN */
            below.real = -HUGE_VAL;
        }
    }
    *number = below;
}
