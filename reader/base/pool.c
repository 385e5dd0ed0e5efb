#include "reader/base/pool.h"

#include "reader/base/mem.h"

#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

/* Two queues under one lock: urgent jobs before the others, first come first served within each. */
struct queue {
    struct sm_job *first, *last;
};

struct sm_pool {
    pthread_mutex_t lock;
    pthread_cond_t work, news;
    struct queue waiting[2], finished;
    pthread_t *threads;
    unsigned n_threads;
    int niceness, fd;
    bool stop;
    size_t pending;                      /* the loop's thread alone */
};

static void push(struct queue *q, struct sm_job *job)
{
    job->next = NULL;
    if (q->last)
        q->last->next = job;
    else
        q->first = job;
    q->last = job;
}

static struct sm_job *pop(struct queue *q)
{
    struct sm_job *job = q->first;
    if (job) {
        q->first = job->next;
        if (!q->first)
            q->last = NULL;
    }
    return job;
}

static struct sm_job *next_waiting(struct sm_pool *p)
{
    struct sm_job *job = pop(&p->waiting[1]);
    return job ? job : pop(&p->waiting[0]);
}

static void run_job(struct sm_job *job)
{
    if (!atomic_load(&job->cancelled))
        job->run(job);
}

static void announce(struct sm_pool *p)
{
    uint64_t one = 1;
    ssize_t ignored = write(p->fd, &one, sizeof one);
    (void)ignored;
}

static void *work(void *arg)
{
    struct sm_pool *p = arg;
    if (p->niceness)
        setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + p->niceness);   /* on Linux: this thread */
    pthread_mutex_lock(&p->lock);
    for (;;) {
        struct sm_job *job = next_waiting(p);
        if (!job && p->stop)
            break;
        if (!job) {
            pthread_cond_wait(&p->work, &p->lock);
            continue;
        }
        pthread_mutex_unlock(&p->lock);
        run_job(job);
        pthread_mutex_lock(&p->lock);
        push(&p->finished, job);
        pthread_cond_signal(&p->news);
        announce(p);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

struct sm_pool *sm_pool_new(unsigned threads, int niceness, struct sm_err *err)
{
    struct sm_pool *p = sm_alloc_zero(1, sizeof *p);
    pthread_t *ids = sm_alloc_zero(threads, sizeof *ids);
    if (!p || !ids) {
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
    pthread_cond_init(&p->news, NULL);
    p->niceness = niceness;
    p->threads = ids;
    while (p->n_threads < threads && pthread_create(&ids[p->n_threads], NULL, work, p) == 0)
        p->n_threads++;                  /* with fewer, even none, everything still works */
    return p;
fail:
    sm_free(ids);
    sm_free(p);
    return NULL;
}

void sm_pool_free(struct sm_pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    for (int i = 0; i < 2; i++)
        for (struct sm_job *job = p->waiting[i].first; job; job = job->next)
            atomic_store(&job->cancelled, true);
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->n_threads; i++)
        pthread_join(p->threads[i], NULL);
    p->n_threads = 0;
    while (sm_pool_collect(p, SIZE_MAX))
        ;
    close(p->fd);
    pthread_cond_destroy(&p->work);
    pthread_cond_destroy(&p->news);
    pthread_mutex_destroy(&p->lock);
    sm_free(p->threads);
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
    push(&p->waiting[job->urgency > 0], job);
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
    if (!p->n_threads)
        announce(p);
}

static struct sm_job *take_finished(struct sm_pool *p)
{
    pthread_mutex_lock(&p->lock);
    struct sm_job *job = pop(&p->finished);
    if (!job && !p->n_threads) {
        job = next_waiting(p);
        if (job)
            run_job(job);
    }
    pthread_mutex_unlock(&p->lock);
    return job;
}

size_t sm_pool_collect(struct sm_pool *p, size_t most)
{
    uint64_t seen;
    ssize_t ignored = read(p->fd, &seen, sizeof seen);
    (void)ignored;
    size_t n = 0;
    struct sm_job *job;
    while (n < most && (job = take_finished(p))) {
        p->pending--;
        n++;
        job->done(job);
    }
    if (n == most && p->pending)
        announce(p);                     /* there may be more: be called again */
    return n;
}

size_t sm_pool_pending(const struct sm_pool *p)
{
    return p->pending;
}

void sm_pool_wait(struct sm_pool *p)
{
    if (!p->n_threads)
        return;
    pthread_mutex_lock(&p->lock);
    while (!p->finished.first && p->pending)
        pthread_cond_wait(&p->news, &p->lock);
    pthread_mutex_unlock(&p->lock);
}
