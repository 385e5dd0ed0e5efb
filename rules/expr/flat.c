/* SPDX-License-Identifier: Apache-2.0 */
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
        buffer[i] = a->number.real;
}

static bool is_truth(double x)
{
    return x < 0 || x > 0; /* not NaN */
}

/* As in Python: the sign of b, and a itself if b is infinite with the same sign; of a division by 0
 * NaN as in numpy. */
static double remainder_of(double a, double b)
{
    double rest = fmod(a, b);
    if (rest != 0)
        return (rest < 0) != (b < 0) ? rest + b : rest;
    return copysign(0, b);
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
        EACH(to, remainder_of(a[i], b[i]));
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

/* ---- integers that doubles do not hold ---- */

static bool is_wide(const struct sm_flat *a)
{
    return a->tensor ? sm_dtype_is_wide(a->tensor->dtype) : !sm_exact_is_real(&a->number);
}

static struct sm_exact exact_at(const struct sm_flat *a, uint64_t i)
{
    return a->tensor ? sm_tensor_exact(a->tensor, i) : a->number;
}

/* Whether an element of a piece is beyond 2^53. */
static bool is_beyond_doubles(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fabs(x[i]) >= 0x1p53)
            return true;
    return false;
}

static bool is_comparison(enum sm_expr_token_type op)
{
    return op >= SM_TOK_EQ && op <= SM_TOK_GE;
}

static void compare_exactly(enum sm_expr_token_type op, const struct sm_flat *a,
                            const struct sm_flat *b, uint64_t at, size_t n, uint8_t *to)
{
    for (size_t i = 0; i < n; i++) {
        struct sm_exact x = exact_at(a, at + i), y = exact_at(b, at + i);
        to[i] = sm_exact_holds(op, &x, &y);
    }
}

static bool operate_integers(enum sm_expr_token_type op, const struct sm_flat *a,
                             const struct sm_flat *b, uint64_t from, uint64_t to,
                             struct sm_tensor *out)
{
    struct sm_integer v;
    for (uint64_t i = from; i < to; i++)
        if (!sm_integer_operate(op, exact_at(a, i).integer, exact_at(b, i).integer, &v) ||
            !sm_integer_store(out, i, v))
            return false;
    return true;
}

static bool has_integers(const struct sm_flat *a)
{
    return a->tensor ? sm_dtype_has_integers(a->tensor->dtype) : a->number.is_int;
}

/* Where integers beyond 64 bits, or a division by 0, make the result one of doubles, the other
 * elements are rounded once. */
static void round_integers(enum sm_expr_token_type op, const struct sm_flat *a,
                           const struct sm_flat *b, uint64_t at, size_t n, double *z)
{
    struct sm_integer v;
    for (size_t i = 0; i < n; i++)
        if (sm_integer_operate(op, exact_at(a, at + i).integer, exact_at(b, at + i).integer, &v))
            z[i] = sm_integer_double(v);
}

/* ---- piece by piece ---- */

struct pieces {
    enum sm_expr_token_type op;
    struct sm_flat a, b;
    double x[PIECE], y[PIECE];
    bool exact; /* integers of 64 bits are compared */
};

/* Of doubles and an integer that is none, the integer is replaced. */
static void round_number(struct pieces *p, struct sm_flat *number, const struct sm_flat *other)
{
    if (!is_comparison(p->op) || number->tensor || !other->tensor ||
        sm_dtype_info(other->tensor->dtype)->kind != SM_KIND_FLOAT)
        return;
    bool left = number == &p->a;
    enum sm_expr_token_type op = left ? sm_expr_mirrored(p->op) : p->op;
    sm_exact_round_limit(&op, &number->number);
    p->op = left ? sm_expr_mirrored(op) : op;
}

static void begin_pieces(struct pieces *p, enum sm_expr_token_type op, const struct sm_flat *a,
                         const struct sm_flat *b)
{
    p->op = op;
    p->a = *a;
    p->b = *b;
    round_number(p, &p->a, &p->b);
    round_number(p, &p->b, &p->a);
    p->exact = is_comparison(p->op) && (is_wide(&p->a) || is_wide(&p->b));
    fill_number(&p->a, p->x);
    fill_number(&p->b, p->y);
}

static void compare_next(struct pieces *p, uint64_t at, size_t n, uint8_t *to)
{
    read_piece(&p->a, at, n, p->x);
    read_piece(&p->b, at, n, p->y);
    if (p->exact && (is_beyond_doubles(p->x, n) || is_beyond_doubles(p->y, n)))
        compare_exactly(p->op, &p->a, &p->b, at, n, to);
    else
        compare_piece(p->op, p->x, p->y, n, to);
}

bool sm_flat_operate(enum sm_expr_token_type op, const struct sm_flat *a, const struct sm_flat *b,
                     uint64_t from, uint64_t to, struct sm_tensor *out)
{
    double z[PIECE];
    struct pieces p;
    if (sm_dtype_is_wide(out->dtype))
        return operate_integers(op, a, b, from, to, out);
    begin_pieces(&p, op, a, b);
    for (uint64_t at = from; at < to; at += PIECE) {
        size_t n = to - at < PIECE ? (size_t)(to - at) : PIECE;
        uint8_t *bytes = (uint8_t *)out->buffer + at * sm_dtype_info(out->dtype)->size_bytes;
        if (out->dtype == SM_DTYPE_BOOL) {
            compare_next(&p, at, n, bytes);
            continue;
        }
        read_piece(a, at, n, p.x);
        read_piece(b, at, n, p.y);
        calculate_piece(op, p.x, p.y, n, z);
        if (has_integers(a) && has_integers(b))
            round_integers(op, a, b, at, n, z);
        memcpy(bytes, z, n * sizeof *z);
    }
    return true;
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
    uint8_t truth[PIECE];
    uint64_t yes = 0;
    struct pieces p;
    begin_pieces(&p, op, a, b);
    if (is_float32(a) && !b->tensor)
        return count_against_number(p.op, a->tensor->data + from * sizeof(float), to - from,
                                    p.b.number.real);
    if (is_float32(b) && !a->tensor)
        return count_against_number(sm_expr_mirrored(p.op), b->tensor->data + from * sizeof(float),
                                    to - from, p.a.number.real);
    for (uint64_t at = from; at < to; at += PIECE) {
        size_t n = to - at < PIECE ? (size_t)(to - at) : PIECE;
        compare_next(&p, at, n, truth);
        yes += count_bytes(truth, n);
    }
    return yes;
}
