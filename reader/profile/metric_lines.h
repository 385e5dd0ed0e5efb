/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a file of system metrics, read into a batch.
 *
 * A line is an object: {"Type":"cpu","Name":"cpu5","Dimension":"CPUUtilization","Value":1.36,
 * "NodeId":"algo-1","Timestamp":1591748109.2321954}. Keys may come in any order, Name and Dimension
 * may be missing. A bad line is counted and skipped. */
#ifndef SM_METRIC_LINES_H
#define SM_METRIC_LINES_H

#include "reader/base/err.h"
#include "reader/base/map.h"

#include <stddef.h>

/* What tells a series from others: ids in the names of the batch. */
struct sm_metric_key {
    uint32_t node, type, name, dimension;
};
struct sm_metric_row {
    int64_t time_ns; /* since 1970 */
    double value;    /* finite */
    uint32_t series; /* index in keys */
};
/* Zero-initialised it is empty. */
struct sm_metric_batch {
    struct sm_names *names;
    struct sm_metric_key *keys;
    struct sm_names *texts; /* of keys, as written: id i is that of keys[i] */
    struct sm_metric_row *rows;
    uint32_t *next; /* the series that came after series i last: the next is likely that */
    size_t n_keys, cap_keys, n_rows, cap_rows, cap_next;
    uint32_t last;       /* series of the last row */
    uint64_t not_finite; /* rows without a finite value, which were left out */
    uint64_t bad;        /* lines that are no rows */
    uint64_t bad_at;     /* offset of the first of them in what was read */
    struct sm_err why;   /* of that line */
    bool no_memory;
};
void sm_metric_batch_clear(struct sm_metric_batch *b);
/* Reads whole lines, and a last one without a line end if it is a whole object. Returns the bytes
 * used: the rest is the beginning of a line. node: of rows that name none. */
size_t sm_metric_lines_read(struct sm_metric_batch *b, const char *p, size_t n, const char *node);
/* A line may be so long; the rest of a longer one is skipped as a bad line. */
enum { SM_METRIC_LINE_MAX = 64 * 1024 };

#endif
