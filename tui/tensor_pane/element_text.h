/* SPDX-License-Identifier: Apache-2.0 */
/* One element of a tensor as text: short, for columns, or with all digits. */
#ifndef SM_ELEMENT_TEXT_H
#define SM_ELEMENT_TEXT_H

#include "reader/tensor/stats.h"

/* The short form of all elements of a tensor, so that their digits line up. */
struct sm_element_text_form {
    int width;    /* columns, at most */
    int decimals; /* after the decimal point */
    bool exponent;
};
/* s: the statistics of the tensor, or NULL if it has none. */
struct sm_element_text_form sm_element_text_form(enum sm_dtype dtype, const struct sm_stats *s);
/* Adds the element in that form. Values too small for the digits are written as "3e-09", zero as
 * "0". Strings are cut. */
void sm_element_text_short(struct sm_str *out, const struct sm_tensor *t, uint64_t i,
                           const struct sm_element_text_form *f);
/* Adds the element with all digits, so that it reads back as the same value. Strings are quoted and
 * escaped. */
void sm_element_text_full(struct sm_str *out, const struct sm_tensor *t, uint64_t i);
bool sm_element_text_is_odd(const struct sm_tensor *t, uint64_t i); /* NaN or infinite */

#endif
