/* SPDX-License-Identifier: Apache-2.0 */
/* A range of time cut into equal buckets, and what metrics were in each: for charts and heat maps.
 * The cost depends on the number of buckets, not on that of samples. A value holds until the next
 * one, but not longer than hold_ns: buckets may be finer than samples. */
#ifndef SM_BUCKETS_H
#define SM_BUCKETS_H

#include "reader/profile/usage.h"

struct sm_buckets {
    int64_t from_ns, width_ns; /* width at least 1 */
    int64_t hold_ns;
    size_t n;
};
/* At most `most` buckets from from_ns up to and with to_ns; values hold for 2.5 times the usual
 * interval of the metrics. */
struct sm_buckets sm_buckets_of(const struct sm_metric_store *m, int64_t from_ns, int64_t to_ns,
                                size_t most);
/* The usual pause in ns between the samples of the longest series: the median of the last ones; 0:
 * not known. */
int64_t sm_metric_interval(const struct sm_metric_store *m);
/* The mean of each bucket in out[0 .. b->n); NaN where nothing is known. */
void sm_buckets_means(const struct sm_buckets *b, const struct sm_metric_store *m,
                      const struct sm_metric_series *s, double *out);

/* The mean use of a node in each bucket; NaN where nothing is known. */
void sm_buckets_usage(const struct sm_buckets *b, const struct sm_metric_store *m, uint32_t node,
                      enum sm_usage u, double *out);

/* The series of the single cores or GPUs of a node, or what the node has of this use, in natural
 * order of names. Returns how many there are; writes at most `most`. */
size_t sm_usage_series(const struct sm_metric_store *m, uint32_t node, enum sm_usage u,
                       const struct sm_metric_series **out, size_t most);

#endif
