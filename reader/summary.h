/* What needs all elements of a tensor at once: quantiles and histograms beside the statistics.
 * Large tensors are read and computed by the workers and their payloads not kept; a question is
 * asked again until it is answered, as in fetch.h. */
#ifndef SM_SUMMARY_H
#define SM_SUMMARY_H

#include "reader/fetch.h"
#include "reader/tensor/histogram.h"
#include "reader/tensor/slice.h"
#include "reader/tensor/statistic_list.h"

enum { SM_SUMMARY_POINTS = 7 };
extern const double sm_summary_points[SM_SUMMARY_POINTS]; /* 0.01 0.05 0.25 0.5 0.75 0.95 0.99 */

enum sm_summary_want {
    SM_SUMMARY_QUANTILES,
    SM_SUMMARY_STATS,
    SM_SUMMARY_HISTOGRAM,
    SM_SUMMARY_TENSORBOARD
};
struct sm_summary_spec {
    const struct sm_slice *slice; /* NULL: the whole */
    /* statistics with quantiles or without, a histogram by numpy or TensorBoard */
    enum sm_summary_want want;
    size_t bins; /* HISTOGRAM */
};
struct sm_summary {
    enum sm_dtype dtype;
    unsigned n_dims;
    uint64_t dims[SM_DIMS_MAX], n; /* of the slice */
    bool has_stats;                /* a type with numbers; the rest is zero otherwise */
    struct sm_stats stats;
    /* QUANTILES, of finite elements; at the points, then the median of |x|. NaN: not known */
    double quantiles[SM_FACTS_QUANTILES];
    struct sm_histogram histogram;
};

struct sm_summaries;
struct sm_summaries *sm_summaries_new(struct sm_pool *pool, struct sm_fetch *fetch,
                                      struct sm_err *err);
/* jobs on their way are handed back by the pool later */
void sm_summaries_free(struct sm_summaries *s);
/* before a trial is closed */
void sm_summaries_forget(struct sm_summaries *s, const struct sm_trial *t);
/* after sm_pool_collect: true when answers have come since */
bool sm_summaries_pump(struct sm_summaries *s);
size_t sm_summaries_open(const struct sm_summaries *s); /* jobs on their way */

/* e must be a VALUE entry of t. Fills *out, which the caller clears; or false with SM_ERR_WAIT or
 * the reason. */
bool sm_summary_read(struct sm_summaries *s, struct sm_trial *t, const struct sm_entry *e,
                     const struct sm_summary_spec *spec, struct sm_summary *out,
                     struct sm_err *err);
void sm_summary_clear(struct sm_summary *x);
/* False: there is no such number: not saved, not asked for, or without finite elements. */
bool sm_summary_get(const struct sm_summary *x, const struct sm_statistic *s, double *out);

#endif
