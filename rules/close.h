/* Measures of two values of a tensor: numpy.allclose, and how far it moved. */
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
/* args: rtol, atol, equal_nan; rtol is relative to the second tensor. Numbers as above: close or
 * not, elements that differ, the largest |a - b| among them, where that is (flat), elements. Equal
 * infinities are close. */
void sm_measure_close(const struct sm_tensor *const *t, const double *args, struct sm_numbers *out);
/* Of these SM_CLOSE_YES alone: it ends at the first element that differs. */
void sm_measure_all_close(const struct sm_tensor *const *t, const double *args,
                          struct sm_numbers *out);

/* Of old and new: mean |new - old|, mean |old|, and whether they have the same shape and elements
 * at all. */
enum sm_change { SM_CHANGE_MOVED, SM_CHANGE_SIZE, SM_CHANGE_COMPARABLE, SM_CHANGE_NUMBERS };
void sm_measure_change(const struct sm_tensor *const *t, const double *args,
                       struct sm_numbers *out);
bool sm_is_close(double a, double b, const double *args);

#endif
