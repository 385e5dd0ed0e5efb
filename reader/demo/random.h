/* SPDX-License-Identifier: Apache-2.0 */
/* Pseudo-random numbers (splitmix64): the same on every machine for one seed. */
#ifndef SM_RANDOM_H
#define SM_RANDOM_H

#include <stdint.h>

struct sm_random {
    uint64_t state; /* any value is a seed */
};
/* An independent stream per purpose, so that drawing one more number here changes nothing there. */
struct sm_random sm_random_stream(uint64_t seed, uint64_t purpose);
unsigned sm_random_below(struct sm_random *r, unsigned n);
float sm_random_between(struct sm_random *r, float low, float high);
float sm_random_normal(struct sm_random *r); /* mean 0, variance 1 */

#endif
