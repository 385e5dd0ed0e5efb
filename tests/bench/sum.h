/* Summing an array, the floor of all that reads one once, and numbers to sum. */
#ifndef SM_BENCH_SUM_H
#define SM_BENCH_SUM_H

#include <stddef.h>

double sm_bench_sum(const float *x, size_t n); /* n: a multiple of 16 */
void sm_bench_fill(float *x, size_t n);        /* like weights: both signs, a bell around 0 */

#endif
