/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of a run that is listed among many and not shown: of each scalar a few numbers and
 * some of its points, whatever their number. It is made of the batches that a trial would merge
 * (reader/kind/tail_news.h), so that a list of a thousand runs costs no more than reading them.
 *
 * Steps that were written twice count twice: who wants it exact wakes the trial (sm_trial_wake). A
 * glance cannot take back what a restart removes; the trial wakes by itself then. */
#ifndef SM_GLANCE_H
#define SM_GLANCE_H

#include "reader/kind/tail_news.h"

enum { SM_GLANCE_POINTS = 64, SM_GLANCE_TIMES = 257 };
struct sm_glance_series {
    uint64_t n, bad;   /* points; of those, NaN or infinite */
    int64_t last_step; /* the largest; `newest` is its value, the later one if there are several */
    double newest;
    double min, max; /* of the finite ones; NaN without any */
    int64_t min_step, max_step;
    /* every stride-th point, in the order in which they were written */
    struct {
        int64_t step;
        double value;
    } points[SM_GLANCE_POINTS];
    unsigned n_points;
    uint64_t stride;
};
struct sm_glance {
    struct sm_names *names; /* of the series; an id is the index in `series` */
    struct sm_glance_series *series;
    size_t cap_series;
    uint64_t steps; /* how often a step began */
    /* When the last of these steps were written, microseconds since 1970: step i is at i modulo
     * SM_GLANCE_TIMES. What a run usually pauses follows from them. */
    int64_t times_us[SM_GLANCE_TIMES];
    int64_t first_step, last_step; /* -1 without */
    bool stale;                    /* some of what was added was removed since */
};
struct sm_glance *sm_glance_new(void); /* NULL: no memory */
void sm_glance_free(struct sm_glance *g);
/* False: no memory; what was added stays. */
bool sm_glance_add(struct sm_glance *g, const struct sm_batch *b);
/* NULL if there is no such series. */
const struct sm_glance_series *sm_glance_find(const struct sm_glance *g, const char *name);

#endif
