/* SPDX-License-Identifier: Apache-2.0 */
/* Worker threads for work that may block or take long. A job is a pure function from its own data
 * to a finished value; the loop's thread collects finished jobs and merges them. Jobs share
 * nothing with each other or with the loop. */
#ifndef SM_POOL_H
#define SM_POOL_H

#include "reader/base/err.h"

#include <stdatomic.h>
#include <stddef.h>

/* Memory that a worker keeps between jobs and frees when it is idle. A job may use it and may
 * replace it by other memory from sm_alloc. Its content is undefined. */
struct sm_scratch {
    void *bytes; /* NULL if none */
    size_t size_bytes;
};

/* What waits for the job: nothing; memory of something in the background that was begun; the
 * screen; or a command of the user. */
enum { SM_URGENCY_BACKGROUND, SM_URGENCY_BEGUN, SM_URGENCY_SHOWN, SM_URGENCY_ASKED, SM_URGENCIES };

struct sm_job {
    void (*run)(struct sm_job *job); /* in a worker; may check `cancelled` from time to time */
    /* In the loop's thread, from sm_pool_collect; owns and frees the job. */
    void (*done)(struct sm_job *job);
    int urgency;                /* SM_URGENCY_*, higher first */
    atomic_bool cancelled;      /* set before run: run is skipped, done is still called */
    struct sm_scratch *scratch; /* the worker's, while the job runs */
    struct sm_job *next;        /* owned by the pool */
};

struct sm_pool;
/* So many finished jobs may wait to be collected before workers begin no more work in the
 * background. */
enum { SM_POOL_AHEAD = 16 };
/* threads 0: jobs run inside sm_pool_collect, one per call (tests, --threads 0). niceness is added
 * to each worker's. */
struct sm_pool *sm_pool_new(unsigned threads, int niceness, struct sm_err *err);
/* Changes the number of threads and the niceness. A pool created without workers only accepts 0;
 * one with workers needs at least 1. Surplus workers finish their job, then idle. */
enum { SM_POOL_THREADS_MAX = 64 };
void sm_pool_set(struct sm_pool *p, unsigned threads, int niceness);
void sm_pool_free(struct sm_pool *p);    /* cancels all jobs, joins, calls done on each */
int sm_pool_fd(const struct sm_pool *p); /* readable when jobs have finished (eventfd) */
void sm_pool_submit(struct sm_pool *p, struct sm_job *job);
/* Calls done on up to `most` finished jobs; returns how many. */
size_t sm_pool_collect(struct sm_pool *p, size_t most);
size_t sm_pool_pending(const struct sm_pool *p); /* submitted and not yet collected */
/* Blocks until a finished job can be collected or nothing is pending. */
void sm_pool_wait(struct sm_pool *p);

#endif
