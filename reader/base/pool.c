/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/pool.h"

#include "reader/base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

/* A job is in one place at a time: waiting (by urgency, first come first served within one), with a
 * worker (its `current`), finished, or the caller's again. The lock guards the first three; jobs
 * run without it. */
struct queue {
    struct sm_job *first, *last;
};

struct worker {
    pthread_t thread;
    struct sm_pool *pool;
    struct sm_job *current;
    struct sm_scratch scratch;
    unsigned index;
    int niceness; /* as currently set for the thread */
};

struct sm_pool {
    pthread_mutex_t lock;
    pthread_cond_t work, job_finished;
    struct queue waiting, finished;
    size_t n_finished;
    struct worker *workers;    /* capacity SM_POOL_THREADS_MAX, never moves */
    unsigned n_workers;        /* loop's thread only */
    unsigned allowed;          /* workers from this index on stay idle */
    struct sm_scratch scratch; /* loop's thread only, when there are no workers */
    int niceness, base, fd;    /* base: the loop's own niceness */
    bool stop;
    size_t pending; /* loop's thread only */
};

static void push_job(struct queue *q, struct sm_job *job)
{
    job->next = NULL;
    if (q->last)
        q->last->next = job;
    else
        q->first = job;
    q->last = job;
}

static struct sm_job *pop_job(struct queue *q)
{
    struct sm_job *job = q->first;
    if (job) {
        q->first = job->next;
        if (!q->first)
            q->last = NULL;
    }
    return job;
}

/* After all jobs of the same urgency. */
static void push_by_urgency(struct queue *q, struct sm_job *job)
{
    if (!q->last || q->last->urgency >= job->urgency) {
        push_job(q, job);
        return;
    }
    struct sm_job **at = &q->first;
    while ((*at)->urgency >= job->urgency)
        at = &(*at)->next;
    job->next = *at;
    *at = job;
}

static void run_job(struct sm_job *job, struct sm_scratch *scratch)
{
    job->scratch = scratch;
    if (!atomic_load(&job->cancelled))
        job->run(job);
}

static void free_scratch(struct sm_scratch *s)
{
    sm_free(s->bytes);
    *s = (struct sm_scratch){0};
}

static void wake_loop(struct sm_pool *p)
{
    uint64_t one = 1;
    ssize_t ignored = write(p->fd, &one, sizeof one);
    (void)ignored;
}

/* On Linux niceness is per thread. Only a privileged thread may lower it. */
static void apply_niceness(struct worker *w)
{
    if (w->niceness != w->pool->niceness)
        setpriority(PRIO_PROCESS, 0, w->pool->base + w->pool->niceness);
    w->niceness = w->pool->niceness;
}

/* Results of work in the background wait for the loop, with their memory: not too many of them. */
static bool may_work(const struct worker *w)
{
    const struct sm_pool *p = w->pool;
    const struct sm_job *next = p->waiting.first;
    bool ahead = p->n_finished >= SM_POOL_AHEAD && next && next->urgency <= SM_URGENCY_BEGUN;
    return p->stop || (w->index < p->allowed && !ahead);
}

static void *worker_main(void *arg)
{
    struct worker *w = arg;
    struct sm_pool *p = w->pool;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        apply_niceness(w);
        w->current = may_work(w) ? pop_job(&p->waiting) : NULL;
        if (!w->current && p->stop)
            break;
        if (!w->current && w->scratch.bytes) {
            pthread_mutex_unlock(&p->lock);
            free_scratch(&w->scratch);
            pthread_mutex_lock(&p->lock);
            continue;
        }
        if (!w->current) {
            pthread_cond_wait(&p->work, &p->lock);
            continue;
        }
        pthread_mutex_unlock(&p->lock);
        run_job(w->current, &w->scratch);
        pthread_mutex_lock(&p->lock);
        push_job(&p->finished, w->current);
        p->n_finished++;
        pthread_cond_signal(&p->job_finished);
        wake_loop(p);
    }
    pthread_mutex_unlock(&p->lock);
    free_scratch(&w->scratch);
    return NULL;
}

/* Everything works with fewer threads than requested, even none. Signals go to the loop's
 * thread. */
static void start_workers(struct sm_pool *p, unsigned threads)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; p->n_workers < threads; p->n_workers++) {
        struct worker *w = &p->workers[p->n_workers];
        w->pool = p;
        w->index = p->n_workers;
        w->niceness = 0;
        if (pthread_create(&w->thread, NULL, worker_main, w) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct sm_pool *sm_pool_new(unsigned threads, int niceness, struct sm_err *err)
{
    struct sm_pool *p = sm_alloc_zero(1, sizeof *p);
    struct worker *workers = sm_alloc_zero(
        threads < SM_POOL_THREADS_MAX ? SM_POOL_THREADS_MAX : threads, sizeof *workers);
    if (!p || !workers) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory for %u worker threads", threads);
        goto fail;
    }
    p->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (p->fd < 0) {
        sm_err_errno(err, "eventfd");
        goto fail;
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->job_finished, NULL);
    p->niceness = niceness;
    p->base = getpriority(PRIO_PROCESS, 0);
    p->workers = workers;
    p->allowed = threads;
    start_workers(p, threads);
    return p;
fail:
    sm_free(workers);
    sm_free(p);
    return NULL;
}

void sm_pool_set(struct sm_pool *p, unsigned threads, int niceness)
{
    pthread_mutex_lock(&p->lock);
    p->niceness = niceness;
    if (p->n_workers)
        p->allowed = threads < 1                     ? 1
                     : threads < SM_POOL_THREADS_MAX ? threads
                                                     : SM_POOL_THREADS_MAX;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    if (p->n_workers)
        start_workers(p, p->allowed);
}

static void cancel_all(struct sm_pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    for (struct sm_job *job = p->waiting.first; job; job = job->next)
        atomic_store(&job->cancelled, true);
    for (unsigned i = 0; i < p->n_workers; i++)
        if (p->workers[i].current)
            atomic_store(&p->workers[i].current->cancelled, true);
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
}

void sm_pool_free(struct sm_pool *p)
{
    if (!p)
        return;
    cancel_all(p);
    for (unsigned i = 0; i < p->n_workers; i++)
        pthread_join(p->workers[i].thread, NULL);
    p->n_workers = 0;
    while (sm_pool_collect(p, SIZE_MAX))
        ;
    close(p->fd);
    free_scratch(&p->scratch);
    pthread_cond_destroy(&p->work);
    pthread_cond_destroy(&p->job_finished);
    pthread_mutex_destroy(&p->lock);
    sm_free(p->workers);
    sm_free(p);
}

int sm_pool_fd(const struct sm_pool *p)
{
    return p->fd;
}

void sm_pool_submit(struct sm_pool *p, struct sm_job *job)
{
    p->pending++;
    pthread_mutex_lock(&p->lock);
    if (p->stop) /* called from a `done` while the pool is being freed */
        atomic_store(&job->cancelled, true);
    push_by_urgency(&p->waiting, job);
    if (p->allowed < p->n_workers) /* signal could wake a surplus worker */
        pthread_cond_broadcast(&p->work);
    else
        pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
    if (!p->n_workers)
        wake_loop(p);
}

static struct sm_job *pop_locked(struct sm_pool *p, struct queue *q)
{
    pthread_mutex_lock(&p->lock);
    struct sm_job *job = pop_job(q);
    pthread_mutex_unlock(&p->lock);
    return job;
}

static void finish_job(struct sm_pool *p, struct sm_job *job)
{
    p->pending--;
    job->done(job);
}

static void drain_fd(struct sm_pool *p)
{
    uint64_t seen;
    ssize_t ignored = read(p->fd, &seen, sizeof seen);
    (void)ignored;
}

/* Workers add a finished job and write to fd under the lock, so that fd is readable whenever a job
 * is there; it is drained under the lock too, when none is. */
static struct sm_job *pop_finished(struct sm_pool *p)
{
    pthread_mutex_lock(&p->lock);
    struct sm_job *job = pop_job(&p->finished);
    if (!job)
        drain_fd(p);
    else if (p->n_finished-- == SM_POOL_AHEAD)
        pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    return job;
}

size_t sm_pool_collect(struct sm_pool *p, size_t most)
{
    size_t n = 0;
    struct sm_job *job;
    for (; n < most && (job = pop_finished(p)); n++)
        finish_job(p, job);
    if (!n && most && !p->n_workers && (job = pop_locked(p, &p->waiting))) {
        run_job(job, &p->scratch);
        finish_job(p, job);
        n = 1;
    }
    if (!p->pending)
        free_scratch(&p->scratch);
    if (!p->pending && n == most)
        drain_fd(p); /* those were all: no worker has a job that could write to it */
    if (p->pending && !p->n_workers)
        wake_loop(p); /* the next job runs in the next turn */
    return n;
}

size_t sm_pool_pending(const struct sm_pool *p)
{
    return p->pending;
}

void sm_pool_wait(struct sm_pool *p)
{
    if (!p->n_workers)
        return;
    pthread_mutex_lock(&p->lock);
    while (!p->finished.first && p->pending)
        pthread_cond_wait(&p->job_finished, &p->lock);
    pthread_mutex_unlock(&p->lock);
}
