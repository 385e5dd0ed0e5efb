/* SPDX-License-Identifier: Apache-2.0 */
/* TensorBoard's debiased moving average (doc/numerics.md "Smoothing"), one number at a time. Plain
 * data: a copy continues from where it was taken. */
#ifndef SM_SMOOTHER_H
#define SM_SMOOTHER_H

#include <stdbool.h>

struct sm_smoother {
    double weight;      /* in [0, 1); 0: numbers are handed on */
    double last, decay; /* decay: weight to the power of the number of points */
    double first;       /* while all numbers are the same, they are handed on */
    bool begun, varies;
};
void sm_smoother_init(struct sm_smoother *s, double weight);
/* A number that is not finite is handed on and does not count. */
double sm_smoother_next(struct sm_smoother *s, double y);

#endif
