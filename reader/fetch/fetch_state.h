/* SPDX-License-Identifier: Apache-2.0 */
/* The state of sm_fetch and its requests. Internal to fetch.c and fetch_jobs.c.
 *
 * A value that is not known is queued, a job of the workers reads it, its answer goes into the
 * cache, and `answers` makes the loop ask again. A node is in the queue once, whatever was
 * requested of it; a job takes requests for one event file together. */
#ifndef SM_FETCH_STATE_H
#define SM_FETCH_STATE_H

#include "reader/fetch/fetch.h"
#include "reader/fetch/fetch_part.h"
#include "reader/fetch/fetch_queue.h"
#include "reader/fetch/fetch_scalar.h"
#include "reader/fetch/read_job.h"

struct sm_survey;

struct sm_fetch {
    struct sm_pool *pool;
    enum sm_checksum checksum;
    struct sm_cache cache;
    struct sm_fetch_queue queues[SM_URGENCIES];
    size_t n_running, n_jobs; /* items in jobs */
    struct sm_read_job *jobs;
    struct sm_fetch_parts parts;
    struct sm_survey *survey;
    struct sm_fetch_scalars scalars;
    bool answers;
};

/* Of what is requested now: of a command, of a pane, or in the background. */
int sm_fetch_urgency(const struct sm_fetch *f);
/* Queues the node for what is wanted of it, unless a job reads that already. Always false: err is
 * SM_ERR_WAIT, or why it can never be read. */
bool sm_fetch_request(struct sm_fetch *f, struct sm_cache_node *x, uint8_t want,
                      struct sm_err *err);
/* Takes a node out of its queue. */
void sm_fetch_cancel(struct sm_fetch *f, struct sm_cache_node *x);
/* Starts jobs for queued nodes, the most urgent first, as many as may run at once. */
void sm_fetch_submit(struct sm_fetch *f);

#endif
