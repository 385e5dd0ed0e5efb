/* SPDX-License-Identifier: Apache-2.0 */
/* Which rank the others wait for: in each collective operation, the one that begins last.
 *
 * Clocks of ranks differ. A collective ends on all ranks at the same time, so the offset of a rank
 * within a process group is the median of how much later it sees the ends than the median rank does
 * (of an even number: the floor of the mean of the middle two). A group is its name and its ranks,
 * since all groups of a dimension of a mesh have the same name. */
#ifndef SM_BLAME_H
#define SM_BLAME_H

#include "rules/trace/trace_view.h"

/* One operation, on the ranks whose traces have it: two or more. */
struct sm_blame_row {
    int64_t step;                           /* in which the last rank launched it; -1: in none */
    const char *group, *ranks, *collective; /* of a trace */
    int64_t seq;       /* of the arguments, else its number among those of the collective, from 1 */
    size_t first, n;   /* in waits */
    uint32_t last;     /* rank index that began last: it is charged with all waits */
    uint32_t shortest; /* whose kernel is the shortest, as a check */
    /* The rank that made the last one late: the one that this one had itself waited for just
     * before, in another group; else `last`. */
    uint32_t root;
    int64_t waited_ns; /* of all ranks */
};
struct sm_blame_wait {
    uint32_t rank; /* index */
    int64_t ns;
};
struct sm_blame_step {
    int64_t step;
    uint32_t last;
    int64_t waited_ns;
    uint64_t collectives;
};
struct sm_blame {
    int64_t *ranks;       /* of the traces, ascending; an index is a place in it */
    const char **workers; /* "rank_3"; borrowed from the set */
    size_t n_ranks;
    struct sm_blame_row *rows; /* by step, then as ranks have them */
    size_t n_rows;
    struct sm_blame_wait *waits;
    size_t n_waits;
    int64_t *matrix;                        /* [waiter * n_ranks + last], ns */
    int64_t *blame, *suffered, *root_blame; /* by rank index, ns */
    struct sm_blame_step *steps;            /* by step and last rank */
    size_t n_steps;
};
/* views: of all traces of a set, in its order. Clear it. */
void sm_blame_find(const struct sm_trace_view *views, const struct sm_trace_item *const *items,
                   size_t n, struct sm_blame *out);
void sm_blame_clear(struct sm_blame *b);

#endif
