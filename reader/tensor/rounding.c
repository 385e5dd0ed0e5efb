/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/rounding.h"

#include <math.h>

/* 11 significant bits, steps of at least 2^-24, and infinity from 65520 on. */
static double round_to_half(double v)
{
    if (v == 0 || !isfinite(v))
        return v;
    int exponent = ilogb(v) < -14 ? -14 : ilogb(v);
    double r = ldexp(rint(ldexp(v, 10 - exponent)), exponent - 10);
    return fabs(r) > 65504 ? copysign(HUGE_VAL, v) : r;
}

double sm_round_to(enum sm_dtype d, double v)
{
    if (d == SM_DTYPE_FLOAT16)
        return round_to_half(v);
    const struct sm_dtype_info *info = sm_dtype_info(d);
    return info->kind == SM_KIND_FLOAT && info->single ? (double)(float)v : v;
}
