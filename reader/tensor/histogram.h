/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of the finite elements, identical to numpy's and TensorBoard's (doc/numerics.md). */
#ifndef SM_HISTOGRAM_H
#define SM_HISTOGRAM_H

#include "reader/tensor/stats.h"

struct sm_histogram {
    size_t bins;
    double *edges;    /* bins + 1 */
    uint64_t *counts; /* bins */
    uint64_t nan, pos_inf, neg_inf;
    bool same; /* all finite elements are `value`; the edges are then 0.5 on both sides */
    double value;
};
/* What to draw on an axis with other histograms: the bins with counts, or for elements that are all
 * the same one bin without width at their value. bins: 0 if nothing was counted. */
struct sm_histogram_view {
    const double *edges;
    const uint64_t *counts;
    size_t bins;
    double at[2];
    uint64_t n;
};
/* Points into h and *out. */
void sm_histogram_view(const struct sm_histogram *h, struct sm_histogram_view *out);
enum { SM_BINS_MAX = 65536 };
bool sm_histogram_numpy(const struct sm_tensor *t, size_t bins, struct sm_histogram *out,
                        struct sm_err *err);
/* 30 buckets */
bool sm_histogram_tensorboard(const struct sm_tensor *t, struct sm_histogram *out,
                              struct sm_err *err);
/* Of a tensor with rows of left edge, right edge and count (t->histogram): the bins as saved, or 30
 * equal ones if those are more than 64; bins > 0: so many equal ones. Values are taken as evenly
 * spread in their bin. No bins (0) if there are no values. */
bool sm_histogram_saved(const struct sm_tensor *t, size_t bins, struct sm_histogram *out,
                        struct sm_err *err);
void sm_histogram_clear(struct sm_histogram *h);

#endif
