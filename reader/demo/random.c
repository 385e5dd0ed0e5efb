/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/demo/random.h"

#include <math.h>

static uint64_t next_bits(struct sm_random *r)
{
    uint64_t x = r->state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

struct sm_random sm_random_stream(uint64_t seed, uint64_t purpose)
{
    struct sm_random r = {seed};
    r.state = next_bits(&r) + purpose;
    r.state = next_bits(&r);
    return r;
}

unsigned sm_random_below(struct sm_random *r, unsigned n)
{
    return (unsigned)((next_bits(r) >> 32) * n >> 32);
}

/* 24 bits, the precision of a float */
float sm_random_between(struct sm_random *r, float low, float high)
{
    return low + (high - low) * ((float)(next_bits(r) >> 40) * 0x1p-24f);
}

float sm_random_normal(struct sm_random *r)
{
    double radius = sqrt(-2 * log((double)((next_bits(r) >> 40) + 1) * 0x1p-24));
    double angle = 6.283185307179586 * (double)(next_bits(r) >> 40) * 0x1p-24;
    return (float)(radius * cos(angle));
}
