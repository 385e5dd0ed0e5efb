/* SPDX-License-Identifier: Apache-2.0 */
/* Whether numbers rise, fall or differ, by tests that neither outliers nor the kind of noise upset:
 * ranks only. NaN must be left out before; infinities are large numbers. Nothing here allocates
 * more than a copy of its input; without memory the program stops. */
#ifndef SM_TREND_H
#define SM_TREND_H

#include <stdbool.h>
#include <stddef.h>

/* NaN if there are none. */
double sm_median(const double *v, size_t n);
/* 1.4826 times the median distance from the median: the standard deviation, if the noise is normal.
 */
double sm_spread(const double *v, size_t n);
/* Mann and Whitney: how many standard deviations the ranks of a are above what they would be if a
 * and b were of one kind; ties are taken into account. 0 if either is empty or all are equal. */
double sm_rank_z(const double *a, size_t n_a, const double *b, size_t n_b);
/* Mann and Kendall: the same for later numbers being larger than earlier ones. Of more than 256
 * numbers, 256 medians of neighbours are taken. */
double sm_trend_z(const double *v, size_t n);
/* Theil and Sen: the median slope of all pairs, per number; thinned in the same way. */
double sm_trend_slope(const double *v, size_t n);

#endif
