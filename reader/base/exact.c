/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/exact.h"

#include "reader/base/str.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- integers ---- */

static struct sm_integer make(uint64_t magnitude, bool negative)
{
    return (struct sm_integer){magnitude, negative && magnitude != 0};
}

struct sm_integer sm_integer_of(int64_t v)
{
    return make(v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0);
}

struct sm_integer sm_integer_of_unsigned(uint64_t v)
{
    return make(v, false);
}

double sm_integer_double(struct sm_integer v)
{
    return v.negative ? -(double)v.magnitude : (double)v.magnitude;
}

bool sm_integer_signed(struct sm_integer v, int64_t *out)
{
    uint64_t most = (uint64_t)INT64_MAX + v.negative;
    if (v.magnitude > most)
        return false;
    *out = v.negative ? -(int64_t)(v.magnitude - 1) - 1 : (int64_t)v.magnitude;
    return true;
}

bool sm_integer_unsigned(struct sm_integer v, uint64_t *out)
{
    *out = v.magnitude;
    return !v.negative;
}

int sm_integer_compare(struct sm_integer a, struct sm_integer b)
{
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    int order = (a.magnitude > b.magnitude) - (a.magnitude < b.magnitude);
    return a.negative ? -order : order;
}

bool sm_integer_add(struct sm_integer a, struct sm_integer b, struct sm_integer *out)
{
    uint64_t sum;
    if (a.negative != b.negative) {
        bool larger = a.magnitude > b.magnitude;
        *out = larger ? make(a.magnitude - b.magnitude, a.negative)
                      : make(b.magnitude - a.magnitude, b.negative);
        return true;
    }
    if (__builtin_add_overflow(a.magnitude, b.magnitude, &sum))
        return false;
    *out = make(sum, a.negative);
    return true;
}

bool sm_integer_subtract(struct sm_integer a, struct sm_integer b, struct sm_integer *out)
{
    return sm_integer_add(a, make(b.magnitude, !b.negative), out);
}

bool sm_integer_multiply(struct sm_integer a, struct sm_integer b, struct sm_integer *out)
{
    uint64_t product;
    if (__builtin_mul_overflow(a.magnitude, b.magnitude, &product))
        return false;
    *out = make(product, a.negative != b.negative);
    return true;
}

bool sm_integer_remainder(struct sm_integer a, struct sm_integer b, struct sm_integer *out)
{
    if (!b.magnitude)
        return false;
    uint64_t rest = a.magnitude % b.magnitude;
    bool other_side = rest && a.negative != b.negative;
    *out = make(other_side ? b.magnitude - rest : rest, b.negative);
    return true;
}

bool sm_integer_power(struct sm_integer a, struct sm_integer b, struct sm_integer *out)
{
    struct sm_integer result = make(1, false);
    if (b.negative)
        return false;
    for (uint64_t left = b.magnitude; left; left >>= 1) {
        if ((left & 1) && !sm_integer_multiply(result, a, &result))
            return false;
        if (left > 1 && !sm_integer_multiply(a, a, &a))
            return false;
    }
    *out = result;
    return true;
}

/* ---- integers and doubles ---- */

struct sm_exact sm_exact_real(double v)
{
    return (struct sm_exact){.real = v};
}

struct sm_exact sm_exact_integer(struct sm_integer v)
{
    return (struct sm_exact){.real = sm_integer_double(v), .is_int = true, .integer = v};
}

bool sm_exact_is_real(const struct sm_exact *x)
{
    return !x->is_int || x->integer.magnitude <= (uint64_t)1 << 53;
}

/* The integer that is equal to v, or next to it on the side of 0. v: within 64 bits. */
static struct sm_integer truncated(double v)
{
    return make((uint64_t)fabs(v), v < 0);
}

/* Compares an integer with a double that is not NaN. */
static int compare_with_real(struct sm_integer a, double b)
{
    if (fabs(b) >= 0x1p64)
        return b > 0 ? -1 : 1;
    int order = sm_integer_compare(a, truncated(b));
    double rest = b - trunc(b);
    return order ? order : (rest < 0) - (rest > 0);
}

int sm_exact_compare(const struct sm_exact *a, const struct sm_exact *b)
{
    if (isnan(a->real) || isnan(b->real))
        return SM_UNORDERED;
    if (a->is_int && b->is_int)
        return sm_integer_compare(a->integer, b->integer);
    if (a->is_int)
        return compare_with_real(a->integer, b->real);
    if (b->is_int)
        return -compare_with_real(b->integer, a->real);
    return (a->real > b->real) - (a->real < b->real);
}

double sm_exact_distance(const struct sm_exact *a, const struct sm_exact *b)
{
    struct sm_integer difference;
    if (a->is_int && b->is_int && sm_integer_subtract(a->integer, b->integer, &difference))
        return fabs(sm_integer_double(difference));
    return fabs(a->real - b->real);
}

struct sm_exact sm_exact_parse(const char *s, char **end)
{
    char *whole;
    struct sm_exact x = sm_exact_real(sm_parse_double(s, end));
    const char *digits = s + strspn(s, " \t+-");
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'),
         negative = memchr(s, '-', (size_t)(digits - s)) != NULL;
    errno = 0;
    unsigned long long n = strtoull(digits, &whole, hex ? 16 : 10);
    if (*end == s || whole != *end || errno || (!n && negative))
        return x; /* -0 is no integer */
    return sm_exact_integer(make(n, negative));
}
