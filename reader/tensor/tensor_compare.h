/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two values element by element: how far apart they are, and whether that is within
 * limits. */
#ifndef SM_TENSOR_COMPARE_H
#define SM_TENSOR_COMPARE_H

#include "reader/tensor/tensor.h"

/* Two elements are close if |a - b| <= atol + rtol |b|, as in numpy.allclose, or if at most `ulp`
 * steps between adjacent numbers of their type separate them. */
struct sm_tensor_compare_limits {
    double rtol, atol;
    uint64_t ulp;
};
enum sm_likeness { SM_LIKE_EQUAL, SM_LIKE_CLOSE, SM_LIKE_DIFFERENT, SM_LIKE_INCOMPARABLE };
const char *sm_likeness_name(enum sm_likeness l); /* "equal" "close" "different" "incomparable" */

struct sm_comparison {
    /* that of the most different element; INCOMPARABLE: different shapes, or not numeric */
    enum sm_likeness likeness;
    const char *why;  /* if INCOMPARABLE: "other shape", ... */
    bool has_numbers; /* false for strings; then the rest is unset */
    /* |a - b| and |a - b| / |b|; infinite if only one of them is finite or a number */
    double max_abs, max_rel;
    bool has_ulp; /* the same type */
    uint64_t ulp; /* the largest distance; UINT64_MAX if one is NaN */
    /* Of two floating-point types: the narrower one, if each element of the other is cast to the
     * element here; they count as equal then. NONE: not so, or one type. */
    enum sm_dtype equal_as;
    /* What likeness and different are without that: for joining. */
    enum sm_likeness likeness_apart;
    uint64_t apart;
    /* elements; those beyond the limits; flat index of the largest |a - b| */
    uint64_t n, different, worst;
};
/* Adds the comparison of the elements that follow those of *to, which is that of none or of some.
 */
void sm_comparison_join(struct sm_comparison *to, const struct sm_comparison *more);
/* NaN equals NaN, 0 equals -0. Cannot fail; `stop` (may be NULL) ends it early, and the result is
 * then undefined. */
void sm_tensor_compare(const struct sm_tensor *a, const struct sm_tensor *b,
                       const struct sm_tensor_compare_limits *limits, const atomic_bool *stop,
                       struct sm_comparison *out);

#endif
