/* SPDX-License-Identifier: Apache-2.0 */
/* Sums an array, the floor of everything that reads an array once, and fills one with numbers. */
#ifndef SM_BENCH_SUM_H
#define SM_BENCH_SUM_H

#include <stddef.h>

double sm_bench_sum(const float *x, size_t n); /* n: a multiple of 16 */
void sm_bench_fill(float *x, size_t n);        /* bell-shaped around 0, like weights */

#endif
