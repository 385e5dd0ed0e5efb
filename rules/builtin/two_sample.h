/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two samples of numbers come from one distribution. Pure functions of arrays. */
#ifndef SM_TWO_SAMPLE_H
#define SM_TWO_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

struct sm_weighted {
    double value, weight; /* weight > 0: how often it came */
};
struct sm_two_sample {
    double d; /* Kolmogorov-Smirnov: the largest distance of the distribution functions */
    double p; /* of d, from Kolmogorov's limit distribution for n and m */
    /* Population stability index over the deciles of the first sample, sum (b - a) ln(b / a) of the
     * shares a and b of each bin; a share below 1e-4 counts as 1e-4. A value that fills more than a
     * decile is a bin of its own. */
    double psi;
    double psi_chance; /* about what it is for two samples of one distribution */
    double n, m;       /* effective sizes (sum w)^2 / sum w^2; the numbers of values if all weights
                          are equal */
};
/* Sorts both; NaN and infinities are left out. Without values in one of them n or m is 0, the other
 * numbers mean nothing. Checked against scipy and numpy in tests/rules/test_two_sample.c. */
void sm_two_sample(struct sm_weighted *a, size_t n_a, struct sm_weighted *b, size_t n_b,
                   struct sm_two_sample *out);
/* P(K > d sqrt(n m / (n + m))) of Kolmogorov's distribution; for samples of one distribution at
 * least the chance of a distance d or more. */
double sm_kolmogorov_p(double d, double n, double m);
/* The d for which sm_kolmogorov_p is p, for p <= 0.3. */
double sm_kolmogorov_d(double p, double n, double m);

#endif
