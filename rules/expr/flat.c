/* Operations on many elements: converted to doubles in pieces, in plain loops that the compiler can
 * vectorise. */
#include "rules/expr/ast.h"

#include <math.h>
#include <string.h>

enum { PIECE = 512 };

static void read_piece(const struct sm_flat *a, uint64_t at, size_t n, double *buffer)
{
    if (a->tensor)
        sm_dtype_widen(a->tensor->dtype,
                       a->tensor->data + at * sm_dtype_info(a->tensor->dtype)->size_bytes, n,
                       buffer);
}

/* A number is the same in all pieces, so the buffer is filled once. */
static void fill_number(const struct sm_flat *a, double *buffer)
{
    for (size_t i = 0; !a->tensor && i < PIECE; i++)
        buffer[i] = a->number;
}

static bool is_truth(double x)
{
    return x < 0 || x > 0; /* not NaN */
}

/* The length of a full piece is known to the compiler. */
#define EACH(to, result)                                                                           \
    for (size_t i = 0; n == PIECE && i < PIECE; i++)                                               \
        to[i] = result;                                                                            \
    for (size_t i = 0; n != PIECE && i < n; i++)                                                   \
        to[i] = result;                                                                            \
    break

static void calculate_piece(enum sm_expr_token_type op, const double *a, const double *b, size_t n,
                            double *to)
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

static void compare_piece(enum sm_expr_token_type op, const double *a, const double *b, size_t n,
                          uint8_t *to)
{
    switch (op) {
    case SM_TOK_EQ:
        EACH(to, a[i] == b[i]);
    case SM_TOK_NE:
        EACH(to, (a[i] < b[i]) | (a[i] > b[i])); /* false with NaN, unlike a != b */
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

void sm_flat_operate(enum sm_expr_token_type op, const struct sm_flat *a, const struct sm_flat *b,
                     uint64_t from, uint64_t to, struct sm_tensor *out)
{
    double x[PIECE], y[PIECE], z[PIECE];
    fill_number(a, x);
    fill_number(b, y);
    for (uint64_t at = from; at < to; at += PIECE) {
        size_t n = to - at < PIECE ? (size_t)(to - at) : PIECE;
        uint8_t *bytes = (uint8_t *)out->buffer + at * sm_dtype_info(out->dtype)->size_bytes;
        read_piece(a, at, n, x);
        read_piece(b, at, n, y);
        if (out->dtype == SM_DTYPE_BOOL) {
            compare_piece(op, x, y, n, bytes);
            continue;
        }
        calculate_piece(op, x, y, n, z);
        memcpy(bytes, z, n * sizeof *z);
    }
}

double sm_flat_number(enum sm_expr_token_type op, bool logical, double a, double b)
{
    double number;
    uint8_t truth;
    if (logical)
        compare_piece(op, &a, &b, 1, &truth);
    else
        calculate_piece(op, &a, &b, 1, &number);
    return logical ? truth : number;
}

static uint64_t count_bytes(const uint8_t *p, size_t n)
{
    uint64_t yes = 0;
    for (size_t i = 0; i < n; i++)
        yes += p[i] != 0;
    return yes;
}

uint64_t sm_flat_count_true(const struct sm_tensor *t, uint64_t from, uint64_t to)
{
    double x[PIECE];
    uint64_t yes = 0;
    if (t->dtype == SM_DTYPE_BOOL)
        return count_bytes(t->data + from, (size_t)(to - from));
    for (uint64_t at = from; at < to; at += PIECE) {
        size_t n = to - at < PIECE ? (size_t)(to - at) : PIECE, here = 0;
        read_piece(&(struct sm_flat){.tensor = t}, at, n, x);
        for (size_t i = 0; i < n; i++)
            here += is_truth(x[i]);
        yes += here;
    }
    return yes;
}

/* ---- counting comparisons ---- */

enum { LANES = 8 };

/* Counts low <= x <= high; 0 if a limit is NaN. */
static uint64_t count_floats(const uint8_t *p, uint64_t n, float low, float high)
{
    uint64_t lanes[LANES] = {0}, yes = 0, i = 0;
    while (i + LANES <= n) {
        uint64_t end = n - i < PIECE ? n : i + PIECE;
        uint32_t counts[LANES] = {0};
        for (; i + LANES <= end; i += LANES) {
            float x[LANES];
            memcpy(x, p + i * sizeof *x, sizeof x);
            for (int k = 0; k < LANES; k++)
                counts[k] += (x[k] >= low) & (x[k] <= high);
        }
        for (int k = 0; k < LANES; k++)
            lanes[k] += counts[k];
    }
    for (; i < n; i++) {
        float x = (float)sm_dtype_load(SM_DTYPE_FLOAT32, p + i * sizeof x);
        yes += (x >= low) & (x <= high);
    }
    for (int k = 0; k < LANES; k++)
        yes += lanes[k];
    return yes;
}

/* The smallest float above c, or equal to it; NaN if there is none. */
static float least_above(double c, bool or_equal)
{
    float f = (float)c;
    if (c == (double)INFINITY && !or_equal)
        return NAN;
    return (double)f > c || (or_equal && (double)f == c) ? f : nextafterf(f, INFINITY);
}

/* The largest float below c, or equal to it; NaN if there is none. */
static float most_below(double c, bool or_equal)
{
    return -least_above(-c, or_equal);
}

/* Compares float32 elements with a double by counting those between two float32 limits. */
static uint64_t count_against_number(enum sm_expr_token_type op, const uint8_t *p, uint64_t n,
                                     double c)
{
    float exact = (double)(float)c == c ? (float)c : NAN;
    if (isnan(c))
        return 0;
    switch (op) {
    case SM_TOK_GT:
    case SM_TOK_GE:
        return count_floats(p, n, least_above(c, op == SM_TOK_GE), INFINITY);
    case SM_TOK_LT:
    case SM_TOK_LE:
        return count_floats(p, n, -INFINITY, most_below(c, op == SM_TOK_LE));
    case SM_TOK_EQ:
        return count_floats(p, n, exact, exact);
    default:
        return count_floats(p, n, -INFINITY, INFINITY) - count_floats(p, n, exact, exact);
    }
}

enum sm_expr_token_type sm_expr_mirrored(enum sm_expr_token_type op)
{
    switch (op) {
    case SM_TOK_GT:
        return SM_TOK_LT;
    case SM_TOK_GE:
        return SM_TOK_LE;
    case SM_TOK_LT:
        return SM_TOK_GT;
    case SM_TOK_LE:
        return SM_TOK_GE;
    default:
        return op;
    }
}

static bool is_float32(const struct sm_flat *a)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return a->tensor && a->tensor->dtype == SM_DTYPE_FLOAT32;
#else
    return (void)a, false;
#endif
}

uint64_t sm_flat_count(enum sm_expr_token_type op, const struct sm_flat *a, const struct sm_flat *b,
                       uint64_t from, uint64_t to)
{
    double x[PIECE], y[PIECE];
    uint8_t truth[PIECE];
    uint64_t yes = 0;
    if (is_float32(a) && !b->tensor)
        return count_against_number(op, a->tensor->data + from * sizeof(float), to - from,
                                    b->number);
    if (is_float32(b) && !a->tensor)
        return count_against_number(sm_expr_mirrored(op), b->tensor->data + from * sizeof(float),
                                    to - from, a->number);
    fill_number(a, x);
    fill_number(b, y);
    for (uint64_t at = from; at < to; at += PIECE) {
        size_t n = to - at < PIECE ? (size_t)(to - at) : PIECE;
        read_piece(a, at, n, x);
        read_piece(b, at, n, y);
        compare_piece(op, x, y, n, truth);
        yes += count_bytes(truth, n);
    }
    return yes;
}
