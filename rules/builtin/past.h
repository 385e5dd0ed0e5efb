/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a tensor, step by step, that a rule keeps to judge their trend. */
#ifndef SM_PAST_H
#define SM_PAST_H

#include "rules/rule.h"

/* At most SM_PAST_MOST numbers are kept: when there are more, each two neighbours become their
 * mean, and so do the numbers that follow. */
enum { SM_PAST_MOST = 4096 };
struct sm_past {
    double *values;
    int64_t *steps; /* of the last number of each mean */
    size_t n, cap;
    uint64_t seen; /* numbers added */
    size_t most;   /* 0: SM_PAST_MOST; even */
    size_t each;   /* numbers in a mean, 0 before the first */
    size_t pending;
    double sum; /* of those that are not a mean yet */
};
void sm_past_add(struct sm_past *h, int64_t step, double value);
void sm_past_clear(struct sm_past *h);

/* A history for each tensor and worker, as a rule's state. */
struct sm_pasts {
    struct sm_rule_records tensors; /* of struct sm_past, or of a struct that begins with one */
};
void sm_pasts_clear(void *state);

#endif
