/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point types of 8, 6 and 4 bits: the value of a code, and the code of a value.
 *
 * Of the names eXmY: X bits of exponent, Y of fraction. "fn": no infinity; "uz": no negative zero,
 * whose code is NaN. The definitions are those of the Open Compute Project (OCP 8-bit Floating
 * Point 1.0, Microscaling Formats 1.0) and of ml_dtypes. */
#ifndef SM_MINIFLOAT_H
#define SM_MINIFLOAT_H

#include "reader/format/dtype.h"

bool sm_minifloat_is(enum sm_dtype d);
unsigned sm_minifloat_bits(enum sm_dtype d); /* of one element: 8, 6 or 4; d is one of them */
/* Exact; bits above those of the type do not count. */
double sm_minifloat_value(enum sm_dtype d, uint8_t code);
/* The values of the 256 codes, by which many are looked up; NULL: it is no such type. */
const float *sm_minifloat_values(enum sm_dtype d);
/* The code of the nearest value, ties to the even code, as ml_dtypes casts a double: beyond the
 * largest value infinity, or NaN where the type has none, or the largest where it has neither. */
uint8_t sm_minifloat_code(enum sm_dtype d, double v);

#endif
