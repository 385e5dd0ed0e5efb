/* SPDX-License-Identifier: Apache-2.0 */
/* Slices of large values, on request: read by their places in the file, kept for the commands that
 * ask for them. Internal to fetch.c. */
#ifndef SM_FETCH_PART_H
#define SM_FETCH_PART_H

#include "reader/fetch/fetch.h"

struct sm_part_node;
struct sm_part_job;
struct sm_fetch_parts {         /* initially zero */
    struct sm_part_node *nodes; /* the newest first */
    size_t n_nodes, n_running;
    struct sm_part_job *jobs;
    bool answers;
};
/* The slice of the value; command: the number of the running command, whose slices are all kept; 0
 * if none runs. */
bool sm_fetch_parts_get(struct sm_fetch_parts *p, struct sm_pool *pool, struct sm_trial *t,
                        const struct sm_entry *e, const struct sm_slice *slice, uint64_t limit,
                        uint64_t command, struct sm_tensor **out, struct sm_err *err);
void sm_fetch_parts_forget(struct sm_fetch_parts *p, const struct sm_trial *t); /* NULL: all */
/* Also those in flight, which the pool returns later. */
void sm_fetch_parts_clear(struct sm_fetch_parts *p);

#endif
