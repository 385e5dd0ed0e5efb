/* SPDX-License-Identifier: Apache-2.0 */
/* Single elements of a tensor as text in a given format. */
#ifndef SM_ELEMENT_FORMAT_H
#define SM_ELEMENT_FORMAT_H

#include "commands/answer/format.h"
#include "reader/tensor/tensor.h"

/* Appends element i in memory order: the bits or bytes for the letters x, t and r, otherwise a
 * number, or a string in quotes. */
void sm_element_text(const struct sm_tensor *t, uint64_t i, const struct sm_format *f,
                     struct sm_str *out);
/* True if f describes the text of elements; false if they are printed as by numpy, or drawn. */
bool sm_format_is_written(const struct sm_format *f);
/* True if f requests a plot (h, b or m) instead of text. */
bool sm_format_is_drawn(const struct sm_format *f);

#endif
