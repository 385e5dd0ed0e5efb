/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a tensor without its elements: its head, and its statistics. */
#ifndef SM_FACTS_H
#define SM_FACTS_H

#include "reader/tensor/stats.h"

/* What is known of one record without its payload. */
struct sm_facts {
    enum sm_dtype dtype;
    int proto_dtype;
    enum sm_crc crc;
    unsigned n_dims;
    const uint64_t *dims; /* valid as long as the facts */
    uint64_t n;
    uint64_t content_bytes;
    double wall_time;
    bool whole;            /* the whole record was read: first and crc are set */
    bool has_stats;        /* whole, and of a numeric type */
    uint8_t first[16];     /* the first element as stored; not set for strings */
    struct sm_stats stats; /* if has_stats, otherwise zeros; it says which it lacks */
    /* NULL unless the source stores them: at sm_summary_points, then the median of |x|; NaN: not
     * stored */
    const double *quantiles;
};
enum { SM_FACTS_QUANTILES = 8 };

#endif
