/* Statistics of elements that come in pieces, in order and cut anywhere: stats.c with its state in
 * the caller's hands. The same blocks are formed as of the whole, so every bit of the result is
 * that of sm_stats_of. */
#ifndef SM_STATS_PASS_H
#define SM_STATS_PASS_H

#include "reader/tensor/stats.h"
#include "reader/tensor/stats_block.h"

/* A sum of very many terms: low holds what rounding took from high (Neumaier 1974). */
struct sm_total {
    double high, low;
};

/* Mean and sum of squared distances from it. */
struct sm_moments {
    double mean, m2;
};

struct sm_stats_pass {
    enum sm_dtype dtype;
    struct sm_stats *out; /* whole after sm_stats_end */
    uint64_t n;           /* elements in blocks so far */
    struct sm_total sum, squares, l1;
    struct sm_moments x, magnitude;
    bool beyond; /* there was an integer that no double holds */
    size_t held; /* bytes of a block that is not full yet */
    uint8_t block[SM_BLOCK * 16];
};
/* false: no numbers */
bool sm_stats_begin(struct sm_stats_pass *p, enum sm_dtype d, struct sm_stats *out,
                    struct sm_err *err);
void sm_stats_add(struct sm_stats_pass *p, const void *bytes, size_t n);
void sm_stats_end(struct sm_stats_pass *p); /* bytes of half an element are not counted */

#endif
