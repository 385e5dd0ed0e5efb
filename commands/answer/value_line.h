/* A value in words, for the commands that print values. */
#ifndef SM_VALUE_LINE_H
#define SM_VALUE_LINE_H

#include "commands/answer/format.h"
#include "rules/expr/expr.h"

bool sm_value_integer(const struct sm_value *v, int64_t *out); /* false: 64 bits do not hold it */
enum { SM_NUMBER_TEXT = 80 };
/* A NUMBER as a format asks: f e d u c, g with a precision, x t r (the bits of what is no whole
 * number), else the fewest digits that read back the same. */
void sm_value_number_text(const struct sm_value *v, const struct sm_format *f,
                          char out[SM_NUMBER_TEXT]);
/* One line; tensors and series by what they are. format NULL: none. */
void sm_value_line(struct sm_str *out, const struct sm_value *v, const struct sm_format *f);

#endif
