/* SPDX-License-Identifier: Apache-2.0 */
/* One-line text of a value, for the commands that print values. */
#ifndef SM_VALUE_LINE_H
#define SM_VALUE_LINE_H

#include "commands/answer/format.h"
#include "rules/expr/expr.h"

/* Truncates a number to an integer; returns false if it does not fit in 64 bits. */
bool sm_value_integer(const struct sm_value *v, struct sm_integer *out);
uint64_t sm_integer_bits(struct sm_integer v); /* two's complement */
enum { SM_NUMBER_TEXT = 80 };
/* Writes a NUMBER in a format: f e d u c, g with a precision, x t r (the bits; for integers the
 * value), otherwise the fewest digits that read back as the same number. */
void sm_value_number_text(const struct sm_value *v, const struct sm_format *f,
                          char out[SM_NUMBER_TEXT]);
/* Appends a value as one line; of tensors and series only the type and size. f may be NULL. */
void sm_value_line(struct sm_str *out, const struct sm_value *v, const struct sm_format *f);

#endif
