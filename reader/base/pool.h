/* Worker threads for what may block or take long. A job is a pure function from its own data to a
 * finished value; the loop's thread collects finished jobs and merges them. No other locks exist.
 */
#ifndef SM_POOL_H
#define SM_POOL_H

#include "reader/base/err.h"

#include <stdatomic.h>
#include <stddef.h>

/* Memory that a worker keeps from job to job until it has nothing to do. A job may use it, and put
 * other bytes of sm_alloc in its place. What is in it means nothing. */
struct sm_scratch {
    void *bytes; /* NULL: none */
    size_t size_bytes;
};

/* Who waits for a job: nobody, who looks at the screen, who asked for it. */
enum { SM_URGENCY_BACKGROUND, SM_URGENCY_SHOWN, SM_URGENCY_ASKED, SM_URGENCIES };

struct sm_job {
    void (*run)(struct sm_job *job); /* in a worker; may look at `cancelled` now and then */
    /* in the loop's thread, from sm_pool_collect; owns and frees the job */
    void (*done)(struct sm_job *job);
    int urgency;                /* SM_URGENCY_*, higher first */
    atomic_bool cancelled;      /* a job cancelled before it ran is not run, but done is called */
    struct sm_scratch *scratch; /* while it runs: the worker's */
    struct sm_job *next;        /* the pool's */
};

struct sm_pool;
/* threads 0: jobs run inside sm_pool_collect, one a call (tests, --threads 0). niceness is added to
 * each worker. */
struct sm_pool *sm_pool_new(unsigned threads, int niceness, struct sm_err *err);
/* From now on; without workers only 0 threads are possible, with some at least one. Fewer rest when
 * they have done their job. */
enum { SM_POOL_THREADS_MAX = 64 };
void sm_pool_set(struct sm_pool *p, unsigned threads, int niceness);
void sm_pool_free(struct sm_pool *p);    /* cancels what waits or runs, joins, calls done on all */
int sm_pool_fd(const struct sm_pool *p); /* readable when finished jobs wait (eventfd) */
void sm_pool_submit(struct sm_pool *p, struct sm_job *job);
/* calls done on up to `most` jobs; how many */
size_t sm_pool_collect(struct sm_pool *p, size_t most);
size_t sm_pool_pending(const struct sm_pool *p); /* submitted and not collected */
/* until at least one finished job waits, or nothing is pending */
void sm_pool_wait(struct sm_pool *p);

#endif
