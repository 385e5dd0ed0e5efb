/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of items to be written, and the thread that writes them. */
#include "reader/hook/hook_private.h"

#include "reader/base/mem.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* limit_bytes limits both the queued bytes and the bytes of the buffers kept for reuse. */
enum { LIMIT_DEFAULT = 256 << 20 };

bool hook_queue_init(struct hook_queue *q, struct sm_err *err)
{
    *q = (struct hook_queue){.limit_bytes = LIMIT_DEFAULT};
    if (pthread_mutex_init(&q->lock, NULL) == 0 && pthread_cond_init(&q->filled, NULL) == 0 &&
        pthread_cond_init(&q->drained, NULL) == 0)
        return true;
    return sm_err_set(err, SM_ERR_MEMORY, "no memory for a queue");
}

/* ---- items ---- */

/* An item whose buffer is large enough, and at most twice as large. The caller holds the lock. */
static struct hook_item *take_spare_item(struct hook_queue *q, size_t bytes)
{
    for (struct hook_item **link = &q->spare, *x; (x = *link); link = &x->next) {
        if (x->room < bytes || x->room / 2 > bytes)
            continue;
        *link = x->next;
        q->spare_bytes -= x->room;
        return x;
    }
    return NULL;
}

struct hook_item *hook_queue_item(struct hook_queue *q, enum hook_item_kind kind, const char *name,
                                  size_t bytes)
{
    pthread_mutex_lock(&q->lock);
    struct hook_item *x = bytes ? take_spare_item(q, bytes) : NULL;
    pthread_mutex_unlock(&q->lock);
    if (!x)
        x = sm_alloc_zero(1, sizeof *x);
    if (!x)
        return NULL;
    uint8_t *data = x->data;
    size_t room = x->room;
    *x = (struct hook_item){.kind = kind,
                            .data = data,
                            .room = room,
                            .bytes = bytes,
                            .name = name ? sm_strdup(name) : NULL};
    if (bytes && !data) {
        x->data = sm_alloc_pages(bytes);
        x->room = x->data ? bytes : 0;
    }
    if ((name && !x->name) || (bytes && !x->data)) {
        hook_queue_recycle(q, x);
        return NULL;
    }
    return x;
}

void hook_queue_recycle(struct hook_queue *q, struct hook_item *x)
{
    sm_free(x->name);
    sm_free(x->histogram);
    x->name = x->histogram = NULL;
    pthread_mutex_lock(&q->lock);
    bool keep = x->room && q->spare_bytes + x->room <= q->limit_bytes;
    if (keep) {
        x->next = q->spare;
        q->spare = x;
        q->spare_bytes += x->room;
    }
    pthread_mutex_unlock(&q->lock);
    if (keep)
        return;
    sm_free(x->data);
    sm_free(x);
}

/* ---- the thread ---- */

/* Closing the writer removes the files of the step; the next step opens a new one. */
static void abandon_step(struct smdbg_hook *h, const struct sm_err *err)
{
    hook_fail(h, err);
    sm_writer_close(h->writer);
    h->writer = NULL;
}

static bool write_strings(struct smdbg_hook *h, const struct hook_item *x, struct sm_event_value *v,
                          struct sm_err *err)
{
    struct sm_text *strings = sm_alloc_zero(x->n, sizeof *strings);
    const char *p = (const char *)x->data;
    if (!strings)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to write %s", x->name);
    for (uint64_t i = 0; i < x->n; i++) {
        strings[i] = sm_text(p);
        p += strings[i].n + 1;
    }
    v->strings = strings;
    bool ok = sm_writer_tensor(h->writer, v, x->wall_time, err);
    sm_free(strings);
    return ok;
}

static bool write_tensor(struct smdbg_hook *h, const struct hook_item *x, struct sm_err *err)
{
    struct sm_event_value v = {.tag = sm_text(x->name),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = x->dtype,
                               .n_dims = x->n_dims,
                               .n_elements = x->n,
                               .content = {x->data, x->bytes}};
    memcpy(v.dims, x->dims, x->n_dims * sizeof *x->dims);
    return x->dtype == SM_DTYPE_STRING ? write_strings(h, x, &v, err)
                                       : sm_writer_tensor(h->writer, &v, x->wall_time, err);
}

struct step_totals {
    uint64_t tensors, bytes;
};

static bool count_step(struct smdbg_hook *h, const struct step_totals *step)
{
    pthread_mutex_lock(&h->queue.lock);
    h->counts.steps++;
    h->counts.tensors += step->tensors;
    h->counts.bytes += step->bytes;
    pthread_mutex_unlock(&h->queue.lock);
    return true;
}

static bool write_item(struct smdbg_hook *h, const struct hook_item *x, struct step_totals *step,
                       struct sm_err *err)
{
    switch (x->kind) {
    case HOOK_STEP:
        *step = (struct step_totals){0};
        return sm_writer_begin_step(h->writer, x->step, x->mode, x->mode_step, err);
    case HOOK_TENSOR:
        step->tensors++;
        step->bytes += x->bytes;
        return write_tensor(h, x, err);
    case HOOK_BOARD:
    case HOOK_METRIC:
    case HOOK_STATE:
        return true;
    case HOOK_SHAPE:
        return sm_writer_shape(h->writer, sm_text(x->name), sm_text(x->name), x->dims, x->n_dims,
                               err);
    case HOOK_END_STEP:
        return sm_writer_end_step(h->writer, err) && count_step(h, step);
    case HOOK_COLLECTIONS:
        return sm_writer_collections_json(h->writer,
                                          (struct sm_text){(const char *)x->data, x->bytes}, err);
    case HOOK_CLAIM:
        return sm_writer_set_claim(h->writer, true, err);
    case HOOK_END:
        return (h->platform_ends || sm_writer_end_job(h->writer, err)) &&
               (h->include_all || sm_writer_set_claim(h->writer, false, err));
    }
    return true;
}

static bool open_writer(struct smdbg_hook *h, struct sm_err *err)
{
    return sm_writer_make_parents(h->dir, err) &&
           sm_writer_open(h->dir, h->worker, &h->writer, err);
}

/* Errors are reported, but the step of the trial is still written. */
static void write_board(struct smdbg_hook *h, const struct hook_item *x)
{
    struct sm_err err;
    bool ok = true;
    if (x->kind == HOOK_STEP)
        hook_board_begin_step(h->board, x->step, x->mode);
    else if (x->kind == HOOK_TENSOR || x->kind == HOOK_BOARD)
        ok = hook_board_add(h->board, x, &err);
    else if (x->kind == HOOK_END_STEP)
        ok = hook_board_end_step(h->board, &err);
    if (!ok)
        hook_fail(h, &err);
}

static void write_side_files(struct smdbg_hook *h, const struct hook_item *x)
{
    struct sm_err err;
    if (h->board)
        write_board(h, x);
    if (x->metric && !hook_metrics_add(h->metrics, x, &err))
        hook_fail(h, &err);
    if (x->kind == HOOK_STATE && !hook_state_update(h->state, x, &err))
        hook_fail(h, &err);
}

/* Opens a writer if there is none, but not inside a step: the rest of a failed step is skipped. */
static void write_to_trial(struct smdbg_hook *h, const struct hook_item *x,
                           struct step_totals *step)
{
    struct sm_err err = {0};
    bool is_step_item = x->kind == HOOK_TENSOR || x->kind == HOOK_BOARD || x->kind == HOOK_SHAPE ||
                        x->kind == HOOK_END_STEP;
    if (x->kind == HOOK_METRIC || x->kind == HOOK_STATE || (!h->writer && is_step_item))
        return;
    if (!h->writer && !open_writer(h, &err))
        hook_fail(h, &err);
    else if (!write_item(h, x, step, &err))
        abandon_step(h, &err);
}

static struct hook_item *wait_for_item(struct hook_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->busy = false;
    if (!q->n_ready)
        pthread_cond_broadcast(&q->drained);
    while (!q->n_ready && !q->closing)
        pthread_cond_wait(&q->filled, &q->lock);
    struct hook_item *x = q->first;
    if (x) {
        q->n--;
        q->n_ready -= q->n_ready > 0;
        q->first = x->next;
        q->last = q->first ? q->last : NULL;
        q->busy = true;
    }
    pthread_mutex_unlock(&q->lock);
    return x;
}

static void *writer_thread(void *arg)
{
    struct smdbg_hook *h = arg;
    struct hook_queue *q = &h->queue;
    struct step_totals step = {0};
    for (struct hook_item *x; (x = wait_for_item(q));) {
        size_t bytes = x->bytes;
        write_to_trial(h, x, &step);
        write_side_files(h, x);
        hook_queue_recycle(q, x);
        pthread_mutex_lock(&q->lock);
        q->queued_bytes -= bytes;
        if (q->waiting)
            pthread_cond_broadcast(&q->drained);
        pthread_mutex_unlock(&q->lock);
    }
    sm_writer_close(h->writer);
    hook_board_free(h->board);
    hook_metrics_free(h->metrics);
    hook_state_free(h->state);
    h->writer = NULL;
    h->board = NULL;
    h->metrics = NULL;
    h->state = NULL;
    return NULL;
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

/* Lets the thread write all queued items. The caller holds the lock. */
static void release_items(struct hook_queue *q)
{
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

/* The values of an unfinished step wait until the queue is half full, because writing at the same
 * time would slow down copying. If all CPUs are busy, they wait until the queue is 7/8 full,
 * because the writing thread would take CPU time from the program. */
static bool may_delay_writing(struct hook_queue *q, const struct hook_item *x)
{
    bool value = x->kind == HOOK_TENSOR || x->kind == HOOK_BOARD || x->kind == HOOK_METRIC ||
                 x->kind == HOOK_SHAPE;
    if (x->kind == HOOK_STEP)
        q->cpus_checked = false;
    if (!value || q->queued_bytes < q->limit_bytes / 2)
        return value || x->kind == HOOK_STEP;
    if (!q->cpus_checked)
        q->cpus_busy = all_cpus_busy();
    q->cpus_checked = true;
    return q->cpus_busy && q->queued_bytes < q->limit_bytes / 8 * 7;
}

/* Only values wait for space or are dropped: a trial is not valid without the other items. */
static bool has_room(const struct hook_queue *q, const struct hook_item *x)
{
    return (x->kind != HOOK_TENSOR && x->kind != HOOK_BOARD) || !q->queued_bytes ||
           q->queued_bytes + x->bytes <= q->limit_bytes;
}

bool hook_queue_push(struct smdbg_hook *h, struct hook_item *x)
{
    struct hook_queue *q = &h->queue;
    struct sm_err err;
    pthread_mutex_lock(&q->lock);
    bool ok = q->started || start_thread(h), fits = ok;
    while (fits && !has_room(q, x)) {
        release_items(q);
        fits = !q->drop;
        q->waiting += fits;
        if (fits)
            pthread_cond_wait(&q->drained, &q->lock);
        q->waiting -= fits;
    }
    if (fits) {
        x->next = NULL;
        *(q->last ? &q->last->next : &q->first) = x;
        q->last = x;
        q->queued_bytes += x->bytes;
        q->n++;
        if (!may_delay_writing(q, x))
            release_items(q);
    }
    h->counts.dropped += ok && !fits;
    pthread_mutex_unlock(&q->lock);
    if (!ok) {
        sm_err_set(&err, SM_ERR_MEMORY, "cannot start the writing thread");
        hook_fail(h, &err);
    }
    if (!fits)
        hook_queue_recycle(q, x);
    return fits;
}

/* Other threads may add items at the same time. */
void hook_queue_flush(struct smdbg_hook *h)
{
    struct hook_queue *q = &h->queue;
    pthread_mutex_lock(&q->lock);
    while (q->started && (q->first || q->busy)) {
        release_items(q);
        pthread_cond_wait(&q->drained, &q->lock);
    }
    pthread_mutex_unlock(&q->lock);
}

void hook_queue_close(struct smdbg_hook *h)
{
    struct hook_queue *q = &h->queue;
    pthread_mutex_lock(&q->lock);
    q->closing = true;
    pthread_cond_signal(&q->filled);
    pthread_mutex_unlock(&q->lock);
    if (q->started)
        pthread_join(q->thread, NULL);
    for (struct hook_item *x = q->spare, *next; x; x = next) {
        next = x->next;
        sm_free(x->data);
        sm_free(x);
    }
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->filled);
    pthread_cond_destroy(&q->drained);
}
