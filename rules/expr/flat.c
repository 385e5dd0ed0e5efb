/* Elements one by one: widened to doubles piece by piece, in plain loops that a compiler can make wide. */
#include "rules/expr/ast.h"

#include <math.h>
#include <string.h>

enum { PIECE = 512 };

static const double *read_piece(const struct sm_flat *a, uint64_t at, size_t n, double *buffer)
{
    if (a->tensor)
        sm_dtype_widen(a->tensor->dtype, a->tensor->data + at * sm_dtype_info(a->tensor->dtype)->size_bytes, n, buffer);
    for (size_t i = 0; !a->tensor && i < n; i++)
        buffer[i] = a->number;
    return buffer;
}

static bool is_truth(double x)
{
    return x < 0 || x > 0; /* not NaN */
}

#define EACH(to, result)                                                                                               \
    for (size_t i = 0; i < n; i++)                                                                                     \
        to[i] = result;                                                                                                \
    break

static void calculate(enum sm_token_type op, const double *a, const double *b, size_t n, double *to)
{
    switch (op) {
    case SM_TOK_PLUS:
        EACH(to, a[i] + b[i]);
    case SM_TOK_MINUS:
        EACH(to, a[i] - b[i]);
    case SM_TOK_STAR:
        EACH(to, a[i] * b[i]);
    case SM_TOK_SLASH:
        EACH(to, a[i] / b[i]);
    case SM_TOK_PERCENT:
        EACH(to, a[i] - b[i] * floor(a[i] / b[i])); /* the sign of b, as in Python */
    case SM_TOK_POWER:
        EACH(to, pow(a[i], b[i]));
    default:
        EACH(to, (double)NAN);
    }
}

static void compare(enum sm_token_type op, const double *a, const double *b, size_t n, uint8_t *to)
{
    switch (op) {
    case SM_TOK_EQ:
        EACH(to, a[i] == b[i]);
    case SM_TOK_NE:
        EACH(to, (a[i] < b[i]) | (a[i] > b[i])); /* unlike a != b false with NaN */
    case SM_TOK_LT:
        EACH(to, a[i] < b[i]);
    case SM_TOK_LE:
        EACH(to, a[i] <= b[i]);
    case SM_TOK_GT:
        EACH(to, a[i] > b[i]);
    case SM_TOK_GE:
        EACH(to, a[i] >= b[i]);
    case SM_TOK_AND:
        EACH(to, (int)is_truth(a[i]) & (int)is_truth(b[i]));
    case SM_TOK_OR:
        EACH(to, (int)is_truth(a[i]) | (int)is_truth(b[i]));
    default:
        EACH(to, !is_truth(a[i]));
    }
}

void sm_flat_operate(enum sm_token_type op, const struct sm_flat *a, const struct sm_flat *b, uint64_t from, uint64_t to,
                     struct sm_tensor *out)
{
    double x[PIECE], y[PIECE], z[PIECE];
    for (uint64_t at = from; at < to; at += PIECE) {
        size_t n = to - at < PIECE ? (size_t)(to - at) : PIECE;
        uint8_t *bytes = (uint8_t *)out->buffer + at * sm_dtype_info(out->dtype)->size_bytes;
        const double *p = read_piece(a, at, n, x), *q = read_piece(b, at, n, y);
        if (out->dtype == SM_DTYPE_BOOL) {
            compare(op, p, q, n, bytes);
            continue;
        }
        calculate(op, p, q, n, z);
        memcpy(bytes, z, n * sizeof *z);
    }
}

double sm_flat_number(enum sm_token_type op, bool logical, double a, double b)
{
    double number;
    uint8_t truth;
    if (logical)
        compare(op, &a, &b, 1, &truth);
    else
        calculate(op, &a, &b, 1, &number);
    return logical ? truth : number;
}

uint64_t sm_flat_count_true(const struct sm_tensor *t, uint64_t from, uint64_t to)
{
    double x[PIECE];
    uint64_t yes = 0;
    for (uint64_t at = from; at < to; at += PIECE) {
        size_t n = to - at < PIECE ? (size_t)(to - at) : PIECE, here = 0;
        read_piece(&(struct sm_flat){.tensor = t}, at, n, x);
        for (size_t i = 0; i < n; i++)
            here += is_truth(x[i]);
        yes += here;
    }
    return yes;
}
