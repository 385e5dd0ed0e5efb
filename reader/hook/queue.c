/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of items to be written, and who writes them: a thread, or the caller if it waits for
 * them anyway. One of the two at a time: the one that has set `busy`. */
#include "reader/hook/hook_private.h"

#include "reader/base/mem.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* limit_bytes limits both the cost of the queued items and the bytes of the buffers kept for reuse.
 * A step that costs less than SMALL_STEP is written by the caller when it ends. */
enum { LIMIT_DEFAULT = 256 << 20, SMALL_STEP = 1 << 20, FIRST_STEPS = 4 };

bool hook_queue_init(struct hook_queue *q, struct sm_err *err)
{
    *q = (struct hook_queue){.limit_bytes = LIMIT_DEFAULT};
    if (pthread_mutex_init(&q->lock, NULL) == 0 && pthread_cond_init(&q->filled, NULL) == 0 &&
        pthread_cond_init(&q->drained, NULL) == 0)
        return true;
    return sm_err_set(err, SM_ERR_MEMORY, "no memory for a queue");
}

/* ---- writing ---- */

/* Takes the first item out, to be written without the lock, which the caller holds. */
static struct hook_item *take_item(struct hook_queue *q)
{
    struct hook_item *x = q->first;
    q->n--;
    q->n_ready -= q->n_ready > 0;
    q->first = x->next;
    q->last = q->first ? q->last : NULL;
    q->busy = true;
    return x;
}

/* Writes what take_item has returned. The caller holds the lock, which is released meanwhile. */
static void write_taken(struct smdbg_hook *h, struct hook_item *x)
{
    struct hook_queue *q = &h->queue;
    size_t cost = x->cost;
    pthread_mutex_unlock(&q->lock);
    hook_item_write(h, x);
    hook_queue_recycle(q, x);
    pthread_mutex_lock(&q->lock);
    q->queued_bytes -= cost;
    q->busy = false;
    if (q->waiting)
        pthread_cond_broadcast(&q->drained);
}

/* Makes a file ahead. Meanwhile others may write. The caller holds the lock. */
static void make_file(struct smdbg_hook *h)
{
    struct hook_queue *q = &h->queue;
    pthread_mutex_unlock(&q->lock);
    bool more = hook_spares_make(h->spares);
    pthread_mutex_lock(&q->lock);
    q->makes_files = q->makes_files && more;
}

static void *writer_thread(void *arg)
{
    struct smdbg_hook *h = arg;
    struct hook_queue *q = &h->queue;
    pthread_mutex_lock(&q->lock);
    while (!q->closing) {
        if (q->n_ready && !q->busy)
            write_taken(h, take_item(q));
        else if (q->makes_files)
            make_file(h);
        else
            pthread_cond_wait(&q->filled, &q->lock);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* Writes until the queue is empty. The caller holds the lock. */
static void write_here(struct smdbg_hook *h)
{
    struct hook_queue *q = &h->queue;
    while (q->first || q->busy) {
        if (!q->busy) {
            write_taken(h, take_item(q));
            continue;
        }
        q->waiting++;
        pthread_cond_wait(&q->drained, &q->lock);
        q->waiting--;
    }
}

/* Blocks all signals in the new thread: the program handles them. The caller holds the lock. */
static bool start_thread(struct smdbg_hook *h)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    h->queue.started = pthread_create(&h->queue.thread, NULL, writer_thread, h) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return h->queue.started;
}

/* ---- queueing ---- */

/* Lets the thread write all queued items; without a thread the caller writes them. It holds the
 * lock. */
static void release_items(struct smdbg_hook *h)
{
    struct hook_queue *q = &h->queue;
    if (!q->started && !start_thread(h)) {
        write_here(h);
        return;
    }
    if (!q->n_ready && q->n)
        pthread_cond_signal(&q->filled);
    q->n_ready = q->n;
}

/* Whether at least as many tasks are runnable as there are CPUs. False if this is not known. */
static bool all_cpus_busy(void)
{
    char text[128];
    int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    long running = 0;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    const char *slash = strchr(text, '/'); /* "0.20 0.18 0.12 1/80 11206" */
    while (slash && slash > text && slash[-1] != ' ')
        slash--;
    if (slash)
        running = strtol(slash, NULL, 10);
    return running >= sysconf(_SC_NPROCESSORS_ONLN);
}

/* A small step waits for hook_queue_end_step. The values of an unfinished step wait until the queue
 * is half full, because writing at the same time would slow down copying. If all CPUs are busy,
 * they wait until the queue is 7/8 full, because the writing thread would take CPU time from the
 * program. */
static bool may_delay_writing(struct hook_queue *q, const struct hook_item *x)
{
    bool value = x->kind == HOOK_TENSOR || x->kind == HOOK_BOARD || x->kind == HOOK_METRIC ||
                 x->kind == HOOK_SHAPE;
    if (x->kind == HOOK_STEP) {
        q->cpus_checked = false;
        q->step_bytes = 0;
    }
    q->step_bytes += x->cost;
    if (!value)
        return x->kind == HOOK_STEP || q->step_bytes < SMALL_STEP;
    if (q->queued_bytes < q->limit_bytes / 2)
        return true;
    if (!q->cpus_checked)
        q->cpus_busy = all_cpus_busy();
    q->cpus_checked = true;
    return q->cpus_busy && q->queued_bytes < q->limit_bytes / 8 * 7;
}

/* Only values wait for space or are dropped: a trial is not valid without the other items. */
static bool has_room(const struct hook_queue *q, const struct hook_item *x)
{
    return (x->kind != HOOK_TENSOR && x->kind != HOOK_BOARD) || !q->queued_bytes ||
           q->queued_bytes + x->cost <= q->limit_bytes;
}

bool hook_queue_push(struct smdbg_hook *h, struct hook_item *x)
{
    struct hook_queue *q = &h->queue;
    bool fits = true;
    x->cost = hook_item_cost(x);
    pthread_mutex_lock(&q->lock);
    while (fits && !has_room(q, x)) {
        release_items(h);
        fits = !q->drop || has_room(q, x);
        q->waiting++;
        while (fits && !has_room(q, x))
            pthread_cond_wait(&q->drained, &q->lock);
        q->waiting--;
    }
    if (fits) {
        x->next = NULL;
        *(q->last ? &q->last->next : &q->first) = x;
        q->last = x;
        q->queued_bytes += x->cost;
        q->n++;
        if (!may_delay_writing(q, x))
            release_items(h);
    }
    h->counts.dropped += !fits;
    pthread_mutex_unlock(&q->lock);
    if (!fits)
        hook_queue_recycle(q, x);
    return fits;
}

/* After the first steps the thread makes the files of the next ones. The caller holds the lock. */
static void ask_for_files(struct smdbg_hook *h)
{
    struct hook_queue *q = &h->queue;
    if (++q->small_steps <= FIRST_STEPS || q->busy || !h->writer)
        return;
    if (!h->spares)
        h->spares = hook_spares_new(h->dir);
    if (!sm_writer_use_spares(h->writer, h->spares) || (!q->started && !start_thread(h)))
        return;
    q->makes_files = true;
    pthread_cond_signal(&q->filled);
}

void hook_queue_end_step(struct smdbg_hook *h)
{
    struct hook_queue *q = &h->queue;
    pthread_mutex_lock(&q->lock);
    if (q->step_bytes < SMALL_STEP) {
        write_here(h);
        ask_for_files(h);
    }
    pthread_mutex_unlock(&q->lock);
}

/* Other threads may add items at the same time. */
void hook_queue_flush(struct smdbg_hook *h)
{
    pthread_mutex_lock(&h->queue.lock);
    write_here(h);
    pthread_mutex_unlock(&h->queue.lock);
}

void hook_queue_close(struct smdbg_hook *h)
{
    struct hook_queue *q = &h->queue;
    pthread_mutex_lock(&q->lock);
    write_here(h);
    q->closing = true;
    pthread_cond_signal(&q->filled);
    pthread_mutex_unlock(&q->lock);
    if (q->started)
        pthread_join(q->thread, NULL);
    hook_queue_free_spares(q);
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->filled);
    pthread_cond_destroy(&q->drained);
}
