/* SPDX-License-Identifier: Apache-2.0 */
/* How values are spread, as pandas describes them. */
#ifndef SM_SPREAD_H
#define SM_SPREAD_H

#include <stddef.h>
#include <stdint.h>

struct sm_spread {
    size_t n;
    int64_t sum, min, max;
    double mean, std;     /* std divides by n - 1; of one value it is 0 */
    double q25, q50, q75; /* between two values in proportion */
};
/* Orders the values. Without any, all is 0. */
void sm_spread_of(int64_t *x, size_t n, struct sm_spread *out);
/* Of n ordered values, one at least; q is 0 to 1. */
double sm_spread_quantile(const int64_t *x, size_t n, double q);

#endif
