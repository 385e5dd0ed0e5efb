/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of elements that arrive in pieces, in order and split anywhere: stats.c with its state
 * held by the caller. It forms the same blocks as for the whole, so every bit of the result equals
 * sm_stats_of's. */
#ifndef SM_STATS_PASS_H
#define SM_STATS_PASS_H

#include "reader/tensor/stats.h"
#include "reader/tensor/stats_block.h"

/* A sum of very many terms: low accumulates the rounding errors of high (Neumaier 1974). */
struct sm_total {
    double high, low;
};

/* Mean and sum of squared deviations. */
struct sm_moments {
    double mean, m2;
};

struct sm_stats_pass {
    enum sm_dtype dtype;
    struct sm_stats *out; /* complete after sm_stats_end */
    uint64_t n;           /* elements in blocks so far */
    struct sm_total sum, squares, l1;
    struct sm_moments x, magnitude;
    bool beyond;                   /* some integer does not fit a double */
    struct sm_integer least, most; /* of integers of 64 bits in `measured` elements */
    bool measured;
    size_t held; /* bytes of an incomplete block */
    uint8_t block[SM_BLOCK * 16];
};
/* False: not a numeric type. */
bool sm_stats_begin(struct sm_stats_pass *p, enum sm_dtype d, struct sm_stats *out,
                    struct sm_err *err);
void sm_stats_add(struct sm_stats_pass *p, const void *bytes, size_t n);
/* trailing bytes of an incomplete element are ignored */
void sm_stats_end(struct sm_stats_pass *p);

#endif
