/* Elements of a tensor, written one by one as a format asks. */
#ifndef SM_ELEMENT_FORMAT_H
#define SM_ELEMENT_FORMAT_H

#include "commands/answer/format.h"
#include "reader/tensor/tensor.h"

/* Appends the i-th in memory order: x t r its bits and bytes, else a number or a text in quotes. */
void sm_element_text(const struct sm_tensor *t, uint64_t i, const struct sm_format *f,
                     struct sm_str *out);
/* it says how elements are written; false: as numpy, or a drawing */
bool sm_format_is_written(const struct sm_format *f);
bool sm_format_is_drawn(const struct sm_format *f);

#endif
