/* SPDX-License-Identifier: Apache-2.0 */
/* The use of a machine: for each node the figures of the profiling report (PROFILER.md 7.3), each a
 * series of values over time made of the metrics of cores, GPUs, memory, disks and network. */
#ifndef SM_USAGE_H
#define SM_USAGE_H

#include "reader/profile/metric_store.h"

enum sm_usage {
    SM_USAGE_CPU,        /* %, mean of the cores */
    SM_USAGE_IO_WAIT,    /* %, mean of the cores */
    SM_USAGE_GPU,        /* %, mean of the GPUs */
    SM_USAGE_GPU_MEMORY, /* %, mean of the GPUs */
    SM_USAGE_MEMORY,     /* % of RAM */
    SM_USAGE_NETWORK,    /* B/s, received and sent by the training */
    SM_USAGE_DISKS,      /* B/s, read and written by all programs */
    /* what our sampler records of the program and of its limits */
    SM_USAGE_PROGRAM,      /* % of one core */
    SM_USAGE_RESIDENT,     /* B */
    SM_USAGE_CPU_WAIT,     /* % of the time in which some program waited for a core */
    SM_USAGE_DISK_WAIT,    /* for a disk */
    SM_USAGE_MEMORY_WAIT,  /* for memory */
    SM_USAGE_CPU_LIMIT,    /* % of the scheduler's periods in which the limit stopped it */
    SM_USAGE_MEMORY_LIMIT, /* % of the limit that is used */
    SM_USAGES
};
const char *sm_usage_name(enum sm_usage u); /* "CPU", "I/O wait", "GPU", ... */
const char *sm_usage_unit(enum sm_usage u);
bool sm_usage_is_bytes(enum sm_usage u);
bool sm_usage_is_share(enum sm_usage u); /* 0 to 100; else a chart ends at its greatest value */
/* Which of them a series belongs to; SM_USAGES: none. Means belong where their members do. */
enum sm_usage sm_usage_of(const struct sm_metric_store *m, const struct sm_metric_series *s);

/* Whether a series is one of those whose sum is the use of its node: a mean of cores or GPUs, or a
 * metric that is none of several. */
bool sm_usage_counts(const struct sm_metric_store *m, const struct sm_metric_series *s,
                     enum sm_usage u);

/* Values over time, in order of time; both arrays are freed by sm_usage_clear. */
struct sm_usage_values {
    int64_t *ns;
    double *values;
    size_t n, cap_ns, cap_values;
};
/* Of the samples in [from, to). node: id in the names of the store. n is 0 if the node has none.
 * False: no memory. */
bool sm_usage_read(const struct sm_metric_store *m, uint32_t node, enum sm_usage u, int64_t from_ns,
                   int64_t to_ns, struct sm_usage_values *out);
void sm_usage_clear(struct sm_usage_values *v);
/* The only series of a use of a node; NULL: it has several, whose sum it is, or none. */
const struct sm_metric_series *sm_usage_only(const struct sm_metric_store *m, uint32_t node,
                                             enum sm_usage u);
/* The nodes that have metrics: ids in the names of the store, in natural order of names. Returns
 * how many there are; writes at most `most`. */
size_t sm_usage_nodes(const struct sm_metric_store *m, uint32_t *out, size_t most);
/* How many cores or GPUs a node has metrics of. */
size_t sm_usage_members(const struct sm_metric_store *m, uint32_t node, enum sm_usage u);

/* Count, least, mean, quantiles and greatest. */
enum {
    SM_STATS_P5,
    SM_STATS_P25,
    SM_STATS_P50,
    SM_STATS_P75,
    SM_STATS_P90,
    SM_STATS_P95,
    SM_STATS_P99,
    SM_STATS_QS
};
struct sm_metric_stats {
    size_t count;
    double min, mean, max, q[SM_STATS_QS];
};
/* False: no memory. Of a series, the samples [from, to). */
bool sm_metric_stats_of(const struct sm_metric_series *s, size_t from, size_t to,
                        struct sm_metric_stats *out);
/* Of a use of a node, all samples. */
bool sm_usage_stats(const struct sm_metric_store *m, uint32_t node, enum sm_usage u,
                    struct sm_metric_stats *out);
/* Of n values, whose order is lost. */
bool sm_metric_stats_of_values(double *x, size_t n, struct sm_metric_stats *out);

#endif
