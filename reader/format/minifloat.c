/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/minifloat.h"

#include <math.h>
#include <pthread.h>

/* Which codes are no finite numbers. */
enum specials {
    ALL_FINITE,    /* none */
    NAN_IS_ALL,    /* NaN: all bits but the sign are 1; no infinity */
    AS_IEEE,       /* the largest exponent: infinity and NaN */
    NAN_IS_MINUS_0 /* NaN: the code of -0; no infinity */
};
struct layout {
    uint8_t bits, exponent, fraction;
    int8_t bias;
    enum specials specials;
    bool sign;
};
static const struct layout layouts[SM_DTYPE_COUNT] = {
    [SM_DTYPE_FLOAT8_E4M3FN] = {8, 4, 3, 7, NAN_IS_ALL, true},
    [SM_DTYPE_FLOAT8_E5M2] = {8, 5, 2, 15, AS_IEEE, true},
    [SM_DTYPE_FLOAT8_E4M3FNUZ] = {8, 4, 3, 8, NAN_IS_MINUS_0, true},
    [SM_DTYPE_FLOAT8_E5M2FNUZ] = {8, 5, 2, 16, NAN_IS_MINUS_0, true},
    [SM_DTYPE_FLOAT8_E8M0FNU] = {8, 8, 0, 127, NAN_IS_ALL, false},
    [SM_DTYPE_FLOAT6_E2M3FN] = {6, 2, 3, 1, ALL_FINITE, true},
    [SM_DTYPE_FLOAT6_E3M2FN] = {6, 3, 2, 3, ALL_FINITE, true},
    [SM_DTYPE_FLOAT4_E2M1FN] = {4, 2, 1, 1, ALL_FINITE, true},
};

bool sm_minifloat_is(enum sm_dtype d)
{
    return layouts[d].bits;
}

unsigned sm_minifloat_bits(enum sm_dtype d)
{
    return layouts[d].bits;
}

enum { CODES = 256 };
static float values[SM_DTYPE_COUNT][CODES];
static pthread_once_t values_once = PTHREAD_ONCE_INIT;

static void make_values(void)
{
    for (int d = 0; d < SM_DTYPE_COUNT; d++)
        for (int code = 0; layouts[d].bits && code < CODES; code++)
            values[d][code] = (float)sm_minifloat_value((enum sm_dtype)d, (uint8_t)code);
}

const float *sm_minifloat_values(enum sm_dtype d)
{
    if (!sm_minifloat_is(d))
        return NULL;
    pthread_once(&values_once, make_values);
    return values[d];
}

/* Bits of the magnitude: exponent and fraction. */
static unsigned magnitude_mask(const struct layout *l)
{
    return (1u << (l->exponent + l->fraction)) - 1;
}

/* A magnitude that is a number; e8m0 has neither zero nor subnormal numbers. */
static double value_of(const struct layout *l, unsigned magnitude)
{
    int exponent = (int)(magnitude >> l->fraction);
    double fraction = magnitude & ((1u << l->fraction) - 1);
    if (exponent || !l->sign)
        fraction += 1 << l->fraction;
    else
        exponent = 1;
    return ldexp(fraction, exponent - l->bias - l->fraction);
}

double sm_minifloat_value(enum sm_dtype d, uint8_t code)
{
    const struct layout *l = &layouts[d];
    unsigned mask = magnitude_mask(l), magnitude = code & mask;
    bool negative = l->sign && code >> (l->bits - 1) & 1;
    unsigned top = magnitude >> l->fraction, most = (1u << l->exponent) - 1;
    if ((l->specials == NAN_IS_ALL && magnitude == mask) ||
        (l->specials == NAN_IS_MINUS_0 && negative && !magnitude))
        return (double)NAN;
    if (l->specials == AS_IEEE && top == most) {
        if (magnitude & ((1u << l->fraction) - 1))
            return (double)NAN;
        return negative ? -HUGE_VAL : HUGE_VAL;
    }
    return negative ? -value_of(l, magnitude) : value_of(l, magnitude);
}

/* The largest magnitude that is a finite number. */
static unsigned largest(const struct layout *l)
{
    unsigned mask = magnitude_mask(l);
    if (l->specials == AS_IEEE)
        return mask - (1u << l->fraction);
    return l->specials == NAN_IS_ALL ? mask - 1 : mask;
}

static uint8_t nan_code(const struct layout *l)
{
    unsigned mask = magnitude_mask(l);
    if (l->specials == NAN_IS_MINUS_0)
        return (uint8_t)(mask + 1);
    if (l->specials == AS_IEEE) /* the quiet one */
        return (uint8_t)(largest(l) + 1 + (1u << (l->fraction - 1)));
    return (uint8_t)(l->specials == NAN_IS_ALL ? mask : 0);
}

/* The number of magnitudes below v, halves counting upwards: the nearest code. */
static unsigned nearest(const struct layout *l, double v)
{
    int least = (l->sign ? 1 : 0) - l->bias, exponent = v > 0 ? ilogb(v) : least;
    if (!l->sign && v <= value_of(l, 0))
        return 0;
    exponent = exponent < least ? least : exponent;
    double steps = rint(ldexp(v, l->fraction - exponent));
    double base = (double)(exponent - least) * (1 << l->fraction);
    return (unsigned)(l->sign ? base + steps : base + steps - 1);
}

uint8_t sm_minifloat_code(enum sm_dtype d, double v)
{
    const struct layout *l = &layouts[d];
    unsigned most = largest(l), sign = l->sign && signbit(v) ? 1u << (l->bits - 1) : 0, code;
    uint8_t nan = (uint8_t)(nan_code(l) | (l->specials == ALL_FINITE ? 0 : sign));
    if (isnan(v) || (!l->sign && !(v > 0)))
        return nan;
    double magnitude = fabs(v), end = value_of(l, most);
    code = magnitude > 2 * end ? most + 1 : nearest(l, magnitude);
    if (code > most && l->specials == AS_IEEE)
        return (uint8_t)(sign | (most + 1));
    if (code > most)
        return l->specials == ALL_FINITE ? (uint8_t)(sign | most) : nan;
    return (uint8_t)(!code && l->specials == NAN_IS_MINUS_0 ? 0 : sign | code);
}
