/* SPDX-License-Identifier: Apache-2.0 */
/* Which of several values of one step counts: the one with the later time, and of equal times the
 * later row. So MLflow and trackio order them, and rows need not come in that order.
 *
 * As long as the steps of each series grow, nothing is kept of them. The first step that comes
 * again after a later one asks for another run through all rows, which keeps the time of each step.
 */
#ifndef SM_LATEST_H
#define SM_LATEST_H

#include "reader/base/map.h"
#include "reader/logs/log_sink.h"

struct sm_latest {
    struct sm_latest_series {
        int64_t step, time; /* the greatest step, and the time of its value */
        bool any;
        struct sm_map times; /* by step, if all are kept */
    } * items;
    size_t n, cap;
    bool keeps_all;
};
enum sm_latest_answer {
    SM_LATEST_COUNTS,
    SM_LATEST_LATER_CAME, /* the value does not count */
    SM_LATEST_ANEW,       /* begin again: sm_latest_keep_all, then all rows from the first */
    SM_LATEST_NO_MEMORY
};
/* time: of any unit. */
enum sm_latest_answer sm_latest_add(struct sm_latest *l, uint32_t series, int64_t step,
                                    int64_t time);
void sm_latest_keep_all(struct sm_latest *l); /* forgets all, and keeps the times from now on */
void sm_latest_clear(struct sm_latest *l);

#define SM_NO_TIME INT64_MIN

/* Values that were read, until it is known that they hold. Names are those of the list. */
struct sm_points {
    struct sm_names *names;
    struct sm_point {
        uint32_t name;
        bool system;        /* of the machine: without a step */
        int64_t step, time; /* since 1970, see per_second; or SM_NO_TIME */
        double value;
    } * items;
    size_t n, cap;
    uint32_t *series; /* by name: the sink's number */
    size_t n_series, cap_series;
    double per_second; /* units of times */
    bool no_memory;
};
void sm_points_add(struct sm_points *p, const char *name, size_t n, const struct sm_point *point);
/* Hands them on and empties the list. False: begin again, as SM_LATEST_ANEW. */
bool sm_points_hand_on(struct sm_points *p, struct sm_latest *latest, struct sm_log_sink *sink);
void sm_points_clear(struct sm_points *p);

#endif
