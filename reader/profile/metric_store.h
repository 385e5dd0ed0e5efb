/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics in columns: a series for each node, type, name and dimension, sorted by time.
 *
 * A sample is a value and the number of its tick. A tick is a time, which the samples of one group
 * share: 12 bytes a sample, 8 bytes a tick, 1.6 bytes a sample of a pyramid of minimum, maximum
 * and sum over 16, 256, ... samples, and 2 bytes of their order (ranks.h). Any range of a series is
 * answered from these, so that its cost does not grow with history.
 *
 * Of cores and GPUs ("cpu0", "cpu1" of one type and dimension) there is one more series, their mean
 * at each tick: its name is SM_NAME_NONE. */
#ifndef SM_METRIC_STORE_H
#define SM_METRIC_STORE_H

#include "reader/profile/earliest.h"
#include "reader/profile/metric_lines.h"
#include "reader/profile/ranks.h"

enum { SM_METRIC_FAN = 16, SM_METRIC_LEVELS = 6 };
struct sm_metric_span {
    double min, max, sum;
};
struct sm_metric_series {
    struct sm_metric_key key; /* ids in the names of the store; name NONE: the mean of several */
    double *values;
    uint32_t *ticks;
    size_t n, cap_values, cap_ticks;
    struct {
        struct sm_metric_span *items; /* of whole blocks of 16^(level+1) samples, but the last */
        size_t n, cap;
    } levels[SM_METRIC_LEVELS];
    struct sm_ranks ranks;
    uint32_t total;   /* index of the series that is the mean of this and others; NONE */
    uint32_t members; /* of a mean: series that it is of */
    uint32_t at_tick; /* of a mean: samples in its last value */
    size_t unsorted;  /* samples from here on may be out of order; n: none */
};
/* Zero-initialised and with names set it is empty. */
struct sm_metric_store {
    struct sm_names *names; /* borrowed */
    struct sm_names *keys;  /* bytes of sm_metric_key; id i is that of series[i] */
    struct sm_metric_series *series;
    size_t n_series, cap_series;
    int64_t *ticks; /* ns since 1970 */
    size_t n_ticks, cap_ticks;
    uint32_t recent[64];      /* ticks by a hash of their time, + 1; 0: none */
    uint64_t n_samples;       /* without those of means */
    struct sm_earliest added; /* that were earlier than what there was, by version */
    uint64_t version;         /* increases when samples are added */
    int64_t first_ns, last_ns;
};
void sm_metric_store_clear(struct sm_metric_store *m);
/* How far a batch was merged; begin with {0}. */
struct sm_metric_merge {
    uint32_t *series; /* of the store, for each of the batch */
    size_t row;
};
/* Merges up to *work rows, and takes them off. *done: all are merged; the merge is then cleared.
 * False: no memory. */
bool sm_metric_store_merge(struct sm_metric_store *m, const struct sm_metric_batch *b,
                           struct sm_metric_merge *at, size_t *work, bool *done);
void sm_metric_merge_clear(struct sm_metric_merge *at);
size_t sm_metric_store_bytes(const struct sm_metric_store *m); /* of series and ticks */

/* NULL if there is none. Names as the files have them; name NULL: the mean of several. */
const struct sm_metric_series *sm_metric_find(const struct sm_metric_store *m, const char *node,
                                              const char *type, const char *name,
                                              const char *dimension);
const char *sm_metric_name(const struct sm_metric_store *m, uint32_t id); /* "" for NONE */
/* "%", "B/s", "1/s", "W", ..., or "" if not known. */
const char *sm_metric_unit(const struct sm_metric_store *m, const struct sm_metric_series *s);
static inline int64_t sm_metric_time(const struct sm_metric_store *m,
                                     const struct sm_metric_series *s, size_t i)
{
    return m->ticks[s->ticks[i]];
}
/* Index of the first sample at this time or later. */
size_t sm_metric_at(const struct sm_metric_store *m, const struct sm_metric_series *s, int64_t ns);

struct sm_metric_range {
    size_t n;
    double min, max, mean; /* NaN if n is 0 */
};
/* Of the samples [from, to). */
struct sm_metric_range sm_metric_range_of(const struct sm_metric_series *s, size_t from, size_t to);
/* Quantiles of the samples [from, to) for n_q q in [0, 1], as numpy's. False: no memory. */
bool sm_metric_quantiles(const struct sm_metric_series *s, size_t from, size_t to, const double *q,
                         size_t n_q, double *out);

#endif
