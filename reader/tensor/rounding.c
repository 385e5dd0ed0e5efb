/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/rounding.h"

#include "reader/format/minifloat.h"

#include <math.h>
#include <string.h>

/* 11 significant bits, steps of at least 2^-24, and infinity from 65520 on. */
static double round_to_half(double v)
{
    if (v == 0 || !isfinite(v))
        return v;
    int exponent = ilogb(v) < -14 ? -14 : ilogb(v);
    double r = ldexp(rint(ldexp(v, 10 - exponent)), exponent - 10);
    return fabs(r) > 65504 ? copysign(HUGE_VAL, v) : r;
}

/* By the bits of the float: nothing is rounded twice that a float holds exactly, and a double that
 * it does not hold is rounded to odd first. */
static double round_to_bfloat(double v)
{
    float f = (float)v;
    uint32_t bits;
    if (!isfinite(v))
        return v;
    memcpy(&bits, &f, sizeof bits);
    if ((double)f != v && isfinite(f)) {
        if (fabs((double)f) > fabs(v))
            bits--; /* towards zero */
        bits |= 1;
    }
    bits += 0x7fff + (bits >> 16 & 1);
    bits &= 0xffff0000u;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

double sm_cast_to(enum sm_dtype d, double v)
{
    if (sm_minifloat_is(d))
        return sm_minifloat_value(d, sm_minifloat_code(d, v));
    switch (d) {
    case SM_DTYPE_FLOAT16:
        return (double)sm_half_to_float(sm_half_of_double(v));
    case SM_DTYPE_BFLOAT16:
        return round_to_bfloat(v);
    case SM_DTYPE_FLOAT32:
        return (double)(float)v;
    default:
        return v;
    }
}

double sm_round_to(enum sm_dtype d, double v)
{
    if (d == SM_DTYPE_FLOAT16)
        return round_to_half(v);
    const struct sm_dtype_info *info = sm_dtype_info(d);
    return info->kind == SM_KIND_FLOAT && info->single ? (double)(float)v : v;
}
