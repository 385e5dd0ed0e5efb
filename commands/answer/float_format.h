/* SPDX-License-Identifier: Apache-2.0 */
/* The format that numpy chooses for the floating-point numbers of an array
 * (FloatingFormat.fillFormat): exponents or not, and the same columns for all numbers.
 *
 * Two passes over all numbers that will be printed: sm_float_format_count, then
 * sm_float_format_choose_exponent; sm_float_format_measure, then sm_float_format_choose_width.
 * After that sm_float_format_add prints each number. */
#ifndef SM_FLOAT_FORMAT_H
#define SM_FLOAT_FORMAT_H

#include "commands/answer/digits.h"

/* Format of all numbers of an array, or of all real or all imaginary parts. */
struct sm_float_format {
    enum sm_float_type type;
    int precision; /* as requested; SM_DIGITS_UNIQUE: all digits */
    bool plus;     /* always print the sign, for imaginary parts */
    /* From here on: set by the functions below, initially 0. */
    bool exponent, finite, not_finite, neg_inf; /* finite, not_finite: some number is */
    double max, min; /* of |x| of the finite numbers that are not zero; max 0 if there are none */
    /* columns before and after the point; digits after the point and of the exponent */
    int left, right, after, exp_digits;
};
/* Counts v for the choice of the exponent format. */
void sm_float_format_count(struct sm_float_format *f, double v);
void sm_float_format_choose_exponent(struct sm_float_format *f);
/* Measures the columns of v. s: scratch space, overwritten. */
void sm_float_format_measure(struct sm_float_format *f, double v, struct sm_str *s);
void sm_float_format_choose_width(struct sm_float_format *f);
/* Appends v, padded with blanks to the columns of the format. */
void sm_float_format_add(const struct sm_float_format *f, double v, struct sm_str *out);

#endif
