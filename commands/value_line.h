/* A value in words, for the commands that print values. */
#ifndef SM_VALUE_LINE_H
#define SM_VALUE_LINE_H

#include "commands/cmd.h"

bool sm_value_integer(const struct sm_value *v, int64_t *out);                /* false: 64 bits do not hold it */
/* A NUMBER as a format asks: f e x d u c, else the fewest digits that read back the same. */
void sm_value_number_text(const struct sm_value *v, const struct sm_format *f, char out[64]);
/* One line; tensors and series by what they are. format NULL: none. */
void sm_value_line(struct sm_str *out, const struct sm_value *v, const struct sm_format *f);

#endif
