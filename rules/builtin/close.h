/* SPDX-License-Identifier: Apache-2.0 */
/* Measures that compare two values of a tensor: numpy.allclose and mean absolute change. */
#ifndef SM_CLOSE_H
#define SM_CLOSE_H

#include "rules/rule.h"

enum sm_close {
    SM_CLOSE_YES,
    SM_CLOSE_COUNT,
    SM_CLOSE_MAX,
    SM_CLOSE_INDEX,
    SM_CLOSE_N,
    SM_CLOSE_SAME_SHAPE,
    SM_CLOSE_NUMBERS
};
/* args: rtol, atol, equal_nan; rtol is relative to the second tensor. Numbers, indexed as above: 1
 * if close, number of elements that differ, the largest |a - b| among them, its flat index, number
 * of elements, 1 if the shapes are equal. Equal infinities are close. */
void sm_measure_close(const struct sm_tensor *const *t, const double *args, struct sm_numbers *out);
/* Only SM_CLOSE_YES; stops at the first element that differs. */
void sm_measure_all_close(const struct sm_tensor *const *t, const double *args,
                          struct sm_numbers *out);

/* t: old, new. Numbers: mean |new - old|, mean |old|, 1 if the shapes are equal and not empty. */
enum sm_change { SM_CHANGE_MOVED, SM_CHANGE_SIZE, SM_CHANGE_COMPARABLE, SM_CHANGE_NUMBERS };
void sm_measure_change(const struct sm_tensor *const *t, const double *args,
                       struct sm_numbers *out);
/* args as for sm_measure_close */
bool sm_is_close(double a, double b, const double *args);

#endif
