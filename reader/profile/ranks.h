/* SPDX-License-Identifier: Apache-2.0 */
/* The order of values that are only appended: of each whole block of 4096 of them the indices of
 * its values, sorted. Quantiles of any range are exact, and cost a few steps for each block of it
 * and the sorting of its ends, which are less than two blocks: 2 bytes a value. */
#ifndef SM_RANKS_H
#define SM_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SM_RANKS_BLOCK = 4096 };
/* Zero-initialised it is empty. */
struct sm_ranks {
    uint16_t *order;
    size_t n, cap; /* values in whole blocks */
};
void sm_ranks_clear(struct sm_ranks *r);
/* The values, wherever they are; finite. */
struct sm_ranked {
    const void *of;
    double (*value)(const void *of, size_t i);
};
/* Takes the whole blocks among the first n values that were not taken yet. False: no memory. */
bool sm_ranks_add(struct sm_ranks *r, const struct sm_ranked *x, size_t n);
/* Values from the n-th on are others now: their blocks are to be taken again. */
void sm_ranks_truncate(struct sm_ranks *r, size_t n);
/* Quantiles of the values [from, to) for n_q q in [0, 1], as numpy's; NaN of no values. Values that
 * were not taken may be among them; they are sorted. False: no memory. */
bool sm_ranks_quantiles(const struct sm_ranks *r, const struct sm_ranked *x, size_t from, size_t to,
                        const double *q, size_t n_q, double *out);

#endif
