/* Decimal digits of floating-point numbers as numpy's Dragon4 gives them: the fewest that tell a
 * number from its neighbours of the same type, cut to a precision by rounding the exact value half
 * to even. */
#ifndef SM_DIGITS_H
#define SM_DIGITS_H

#include "reader/base/str.h"

enum sm_float_type { SM_FLOAT_HALF, SM_FLOAT_SINGLE, SM_FLOAT_DOUBLE };

enum { SM_DIGITS_UNIQUE = -1 }; /* precision: as many as are needed */

/* "-12.5", "0.", "1234."; trailing zeros dropped, the point stays. precision: most digits behind
 * the point. v is finite. exact: all digits before the point are v's (float16 9912 is "9912.", not
 * the shorter "9910."). */
void sm_digits_positional(struct sm_str *out, double v, enum sm_float_type type, int precision,
                          bool exact);
/* Shortest mantissa of at most `precision` digits behind the point: "1.25e-07"; trailing zeros
 * dropped. */
void sm_digits_scientific(struct sm_str *out, double v, enum sm_float_type type, int precision);
/* Exactly `precision` (<= 16) digits behind the point and at least exp_digits in the exponent. */
void sm_digits_exponent(struct sm_str *out, double v, enum sm_float_type type, int precision,
                        int exp_digits);

#endif
