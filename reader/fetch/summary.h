/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries that need all elements of a tensor: quantiles and histograms in addition to the
 * statistics. Workers read and compute large tensors, whose payloads are not kept; a request is
 * repeated until it is answered, as in fetch.h. */
#ifndef SM_SUMMARY_H
#define SM_SUMMARY_H

#include "reader/fetch/fetch.h"
#include "reader/tensor/histogram.h"
#include "reader/tensor/quantile_pass.h"
#include "reader/tensor/slice.h"
#include "reader/tensor/statistic_list.h"

enum { SM_SUMMARY_POINTS = 7 };
extern const double sm_summary_points[SM_SUMMARY_POINTS]; /* 0.01 0.05 0.25 0.5 0.75 0.95 0.99 */

/* Those of a tensor of numbers at the points, the one at 0.5 as the median, then the median of
 * |x|. */
bool sm_summary_quantiles(const struct sm_tensor *t, double out[SM_FACTS_QUANTILES],
                          struct sm_err *err);

/* The same as queries for passes over the elements; points and out stay until their end. */
void sm_summary_queries(double points[SM_SUMMARY_POINTS], double out[SM_FACTS_QUANTILES],
                        struct sm_quantile_query queries[SM_QUANTILE_QUERIES]);

enum sm_summary_want {
    SM_SUMMARY_QUANTILES,
    SM_SUMMARY_STATS,
    SM_SUMMARY_HISTOGRAM,
    SM_SUMMARY_TENSORBOARD
};
struct sm_summary_spec {
    const struct sm_slice *slice; /* NULL: the whole tensor */
    /* Statistics with or without quantiles, a histogram by numpy's or TensorBoard's rules. */
    enum sm_summary_want want;
    /* For HISTOGRAM; 0: those of a histogram that was saved, and 10 otherwise. */
    size_t bins;
};
struct sm_summary {
    enum sm_dtype dtype;
    unsigned n_dims;
    uint64_t dims[SM_DIMS_MAX], n; /* of the slice */
    bool has_stats;                /* numeric type; otherwise the rest is zero */
    struct sm_stats stats;
    /* QUANTILES, of finite elements; at the points, then the median of |x|. NaN: not known */
    double quantiles[SM_FACTS_QUANTILES];
    struct sm_histogram histogram;
};

struct sm_summaries;
struct sm_summaries *sm_summaries_new(struct sm_pool *pool, struct sm_fetch *fetch,
                                      struct sm_err *err);
/* Jobs in flight are freed when the pool returns them. */
void sm_summaries_free(struct sm_summaries *s);
/* Call before a trial is closed. */
void sm_summaries_forget(struct sm_summaries *s, const struct sm_trial *t);
/* Call after sm_pool_collect; true if there are new answers. */
bool sm_summaries_pump(struct sm_summaries *s);
size_t sm_summaries_open(const struct sm_summaries *s); /* jobs in flight */

/* e must be a VALUE entry of t. Fills *out, which the caller clears; or returns false with
 * SM_ERR_WAIT or the reason. */
bool sm_summary_read(struct sm_summaries *s, struct sm_trial *t, const struct sm_entry *e,
                     const struct sm_summary_spec *spec, struct sm_summary *out,
                     struct sm_err *err);
void sm_summary_clear(struct sm_summary *x);
/* False: there is no such number: not saved, not asked for, or without finite elements. */
bool sm_summary_get(const struct sm_summary *x, const struct sm_statistic *s, double *out);

#endif
