/* SPDX-License-Identifier: Apache-2.0 */
/* Rounding to a tensor's own type, as numpy does for the edges of histograms and the differences
 * between quantiles. */
#ifndef SM_ROUNDING_H
#define SM_ROUNDING_H

#include "reader/format/dtype.h"

/* The value of the type nearest to v, ties to even; v itself for integers and float64. numpy has no
 * bfloat16 and no smaller types: those are rounded to float32. */
double sm_round_to(enum sm_dtype d, double v);
/* What a cast to a floating-point type makes of v: the nearest value of that very type, ties to
 * even, as torch and ml_dtypes have it. */
double sm_cast_to(enum sm_dtype d, double v);

#endif
