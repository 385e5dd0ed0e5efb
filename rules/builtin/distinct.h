/* SPDX-License-Identifier: Apache-2.0 */
/* A random choice of the distinct samples of a stream, in bounded memory and linear time.
 *
 * A sample is kept if the hash of its content ends with `level` zero bits; when the memory is full,
 * the level rises and half of what is there goes. So which samples are kept depends neither on
 * their order nor on how often they come, and repeated epochs add nothing but counts, which are
 * exact for the samples that are kept. */
#ifndef SM_DISTINCT_H
#define SM_DISTINCT_H

#include "reader/base/map.h"

struct sm_distinct { /* initially zero */
    size_t features, n, cap;
    unsigned level;
    uint64_t *hashes;
    double *counts, *values; /* values: n x features */
    size_t room;             /* allocated, <= cap */
    struct sm_map rows;      /* of hashes */
};
enum { SM_DISTINCT_MIN = 1024, SM_DISTINCT_MAX = 4096, SM_DISTINCT_VALUES = 1 << 19 };
/* Keeps SM_DISTINCT_MIN to _MAX samples, fewer the more features they have. */
void sm_distinct_init(struct sm_distinct *d, size_t features);
void sm_distinct_clear(struct sm_distinct *d);
/* Whether a sample of this hash would be kept. */
bool sm_distinct_takes(const struct sm_distinct *d, uint64_t hash);
/* Adds a sample that came `count` times. False: no memory. */
bool sm_distinct_add(struct sm_distinct *d, uint64_t hash, double count, const double *values);
/* The level rises to this one, unless it is higher. False: no memory. */
bool sm_distinct_raise(struct sm_distinct *d, unsigned level);
/* Estimate of the number of distinct samples of the stream; exact at level 0. */
double sm_distinct_total(const struct sm_distinct *d);

/* Of a sample's content. */
uint64_t sm_distinct_hash(const void *bytes, size_t n);

#endif
