/* SPDX-License-Identifier: Apache-2.0 */
/* Quantiles of elements that come in pieces, all of them once in each of a few passes.
 *
 * Elements are counted by 16 bits of a key that is in their order, the highest bits first; each
 * further pass counts the next 16 bits of those elements only that agree with a wanted one so far.
 * So types of at most 16 bits take one pass, those of 32 bits two, of 64 bits four. The results are
 * exact, memory does not depend on how many elements there are, and nothing is sorted. */
#ifndef SM_QUANTILE_PASS_H
#define SM_QUANTILE_PASS_H

#include "reader/tensor/tensor.h"

/* q and out as for sm_quantiles; both are kept until the end. */
struct sm_quantile_query {
    bool absolute; /* of |x| */
    const double *q;
    size_t n_q; /* at most SM_QUANTILES_AT_ONCE */
    double *out;
};
enum { SM_QUANTILES_AT_ONCE = 64, SM_QUANTILE_QUERIES = 2 };

struct sm_quantile_pass;
/* NULL: no memory, or a type without quantiles. */
struct sm_quantile_pass *sm_quantile_pass_new(enum sm_dtype d,
                                              const struct sm_quantile_query *queries, size_t n,
                                              struct sm_err *err);
void sm_quantile_pass_free(struct sm_quantile_pass *p); /* may be NULL */
/* n bytes of whole elements. */
void sm_quantile_pass_add(struct sm_quantile_pass *p, const void *bytes, size_t n);
/* Ends a pass. *more: all elements are to be added once more; else the results are there. False: no
 * memory. */
bool sm_quantile_pass_end(struct sm_quantile_pass *p, bool *more, struct sm_err *err);
/* Whether elements of the type have quantiles; err says why not. */
bool sm_quantile_type_ok(enum sm_dtype d, struct sm_err *err);
/* The quantiles of a tensor in memory: at most SM_QUANTILE_QUERIES. */
bool sm_quantile_queries(const struct sm_tensor *t, const struct sm_quantile_query *queries,
                         size_t n, struct sm_err *err);
/* Between two neighbours of n sorted elements, as sm_quantiles: the places that are asked for, and
 * the result of what is there. */
void sm_quantile_places(size_t n, double q, size_t *below, size_t *above);
double sm_quantile_at(size_t n, double q, double below, double above, enum sm_dtype d);

#endif
