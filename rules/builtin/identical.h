/* SPDX-License-Identifier: Apache-2.0 */
/* A measure: whether the units of a weight have the same weights. */
#ifndef SM_IDENTICAL_H
#define SM_IDENTICAL_H

#include "rules/rule.h"

enum { SM_IDENTICAL_CONSTANT, SM_IDENTICAL_ALL, SM_IDENTICAL_UNITS, SM_IDENTICAL_NUMBERS };
/* args: rtol, atol, unused, 1 if units are the last axis (else axis 0). Numbers: units with the
 * same weight for all inputs, 1 if all units are equal, number of units (0 if not judged: fewer
 * than two axes). */
void sm_measure_identical(const struct sm_tensor *const *t, const double *args,
                          struct sm_numbers *out);
/* The same of an item with a value, with the tolerances of numpy.allclose, which knows TensorFlow's
 * kernels by their name. */
bool sm_measure_identical_of(struct sm_rule_at *x, const struct sm_rule_item *it,
                             const struct sm_numbers **out);

#endif
