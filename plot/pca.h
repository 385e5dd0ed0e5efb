/* The two directions in which points of many dimensions differ most: for pictures of activations.
 */
#ifndef SM_PCA_H
#define SM_PCA_H

#include <stdbool.h>
#include <stddef.h>

/* n points of d numbers, a row each. x and y get n coordinates along the first two principal
 * components (of centred rows, as scikit-learn's PCA gives them but for the sign: here the point
 * farthest out lies on the positive side), share how much of the variance they hold. A row that is
 * not finite gets NaN and is left out. False: fewer than two rows are left, or all are the same.
 * Needs memory for min(n, d) squared numbers. */
bool sm_pca(const double *rows, size_t n, size_t d, double *x, double *y, double share[2]);

#endif
