/* SPDX-License-Identifier: Apache-2.0 */
/* The two directions in which high-dimensional points differ most, for plots of activations. */
#ifndef SM_PCA_H
#define SM_PCA_H

#include <stdbool.h>
#include <stddef.h>

/* rows: n points of d numbers, row-major. x and y get n coordinates along the first two principal
 * components (of centred rows; equal to scikit-learn's PCA except for the sign, which is chosen
 * once for all points: the point farthest out, or the first of those equally far out, is on the
 * positive side), share their fractions of the variance. A non-finite row gets NaN
 * and is ignored. False: fewer than two rows are left, or all are equal. Needs memory for min(n, d)
 * squared numbers. */
bool sm_pca(const double *rows, size_t n, size_t d, double *x, double *y, double share[2]);

#endif
