/* One element of a tensor as text: short in a column of such, or with every digit. */
#ifndef SM_ELEMENT_TEXT_H
#define SM_ELEMENT_TEXT_H

#include "reader/tensor/stats.h"

/* How all elements of a tensor are written short, so that their digits line up. */
struct sm_element_text_form {
    int width;    /* columns, at the most */
    int decimals; /* behind the point */
    bool exponent;
};
/* s: the tensor's statistics, NULL where it has none. */
struct sm_element_text_form sm_element_text_form(enum sm_dtype dtype, const struct sm_stats *s);
/* What is too small for the digits is told by its order of magnitude ("3e-09"), and zero is "0".
 * Strings are cut. */
void sm_element_text_short(struct sm_str *out, const struct sm_tensor *t, uint64_t i,
                           const struct sm_element_text_form *f);
/* Reads back the same. Strings in quotes, escaped. */
void sm_element_text_full(struct sm_str *out, const struct sm_tensor *t, uint64_t i);
bool sm_element_text_is_odd(const struct sm_tensor *t, uint64_t i); /* NaN or infinite */

#endif
