/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal digits of floating-point numbers, equal to the output of numpy's Dragon4: the fewest
 * digits that read back as the same number of its type. A precision limits the digits: the exact
 * value is then rounded half to even. */
#ifndef SM_DIGITS_H
#define SM_DIGITS_H

#include "reader/base/str.h"

enum sm_float_type { SM_FLOAT_HALF, SM_FLOAT_SINGLE, SM_FLOAT_DOUBLE };

enum { SM_DIGITS_UNIQUE = -1 }; /* precision: as many digits as needed */

/* Appends v, which must be finite, as "-12.5", "0." or "1234.": without trailing zeros, always with
 * a point. precision: maximum digits after the point. exact: print all digits of v before the point
 * (float16 9912 is "9912.", not the shorter "9910."). */
void sm_digits_positional(struct sm_str *out, double v, enum sm_float_type type, int precision,
                          bool exact);
/* Appends v as "1.25e-07": the shortest mantissa, at most `precision` digits after the point, no
 * trailing zeros. */
void sm_digits_scientific(struct sm_str *out, double v, enum sm_float_type type, int precision);
/* Appends v with exactly `precision` (<= 16) digits after the point and at least exp_digits digits
 * in the exponent. */
void sm_digits_exponent(struct sm_str *out, double v, enum sm_float_type type, int precision,
                        int exp_digits);

#endif
