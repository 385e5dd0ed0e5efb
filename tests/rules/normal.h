/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers from a generator that numpy can repeat, for tests of tests. */
#ifndef TESTS_RULES_NORMAL_H
#define TESTS_RULES_NORMAL_H

#include <stdint.h>

/* In [0, 1): s = s * 6364136223846793005 + 1442695040888963407, the upper 24 bits. */
static inline double next_uniform(uint64_t *s)
{
    *s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*s >> 40) / (1 << 24);
}

/* About normal: twelve uniform numbers minus 6. */
static inline double next_normal(uint64_t *s)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += next_uniform(s);
    return sum;
}

#endif
