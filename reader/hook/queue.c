/* What waits to be written, and the thread that writes it. */
#include "reader/hook/hook_private.h"

#include "reader/base/mem.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Buffers kept for reuse: as many bytes as may be queued. */
enum { LIMIT_USUAL = 256 << 20 };

bool hook_queue_init(struct hook_queue *q, struct sm_err *err)
{
    *q = (struct hook_queue){.limit_bytes = LIMIT_USUAL};
    if (pthread_mutex_init(&q->lock, NULL) == 0 && pthread_cond_init(&q->filled, NULL) == 0 &&
        pthread_cond_init(&q->drained, NULL) == 0)
        return true;
    return sm_err_set(err, SM_ERR_MEMORY, "no memory for a queue");
}

/* ---- items ---- */

/* One with enough room, but not much more. The lock is held. */
static struct hook_item *take_spare(struct hook_queue *q, size_t bytes)
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
    struct hook_item *x = bytes ? take_spare(q, bytes) : NULL;
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
        hook_queue_give_back(q, x);
        return NULL;
    }
    return x;
}

void hook_queue_give_back(struct hook_queue *q, struct hook_item *x)
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

/* The step's files are given up; the next step begins with a new writer. */
static void give_up_step(struct smdbg_hook *h, const struct sm_err *err)
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

struct written {
    uint64_t tensors, bytes;
};

static bool count_step(struct smdbg_hook *h, const struct written *step)
{
    pthread_mutex_lock(&h->queue.lock);
    h->counts.steps++;
    h->counts.tensors += step->tensors;
    h->counts.bytes += step->bytes;
    pthread_mutex_unlock(&h->queue.lock);
    return true;
}

static bool write_item(struct smdbg_hook *h, const struct hook_item *x, struct written *step,
                       struct sm_err *err)
{
    switch (x->kind) {
    case HOOK_STEP:
        *step = (struct written){0};
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
        return sm_writer_claim(h->writer, true, err);
    case HOOK_END:
        return (h->platform_ends || sm_writer_end_job(h->writer, err)) &&
               (h->include_all || sm_writer_claim(h->writer, false, err));
    }
    return true;
}

static bool open_writer(struct smdbg_hook *h, struct sm_err *err)
{
    return sm_writer_make_parents(h->dir, err) &&
           sm_writer_open(h->dir, h->worker, &h->writer, err);
}

/* Its failures are told, but cost the trial nothing. */
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

static void write_beside(struct smdbg_hook *h, const struct hook_item *x)
{
    struct sm_err err;
    if (h->board)
        write_board(h, x);
    if (x->metric && !hook_metrics_add(h->metrics, x, &err))
        hook_fail(h, &err);
    if (x->kind == HOOK_STATE && !hook_state_update(h->state, x, &err))
        hook_fail(h, &err);
}

/* Outside of a step a writer is made anew when there is none; inside, what is left of a failed step
 * is skipped. */
static void write_one(struct smdbg_hook *h, const struct hook_item *x, struct written *step)
{
    struct sm_err err = {0};
    bool of_step = x->kind == HOOK_TENSOR || x->kind == HOOK_BOARD || x->kind == HOOK_SHAPE ||
                   x->kind == HOOK_END_STEP;
    if (x->kind == HOOK_METRIC || x->kind == HOOK_STATE || (!h->writer && of_step))
        return;
    if (!h->writer && !open_writer(h, &err))
        hook_fail(h, &err);
    else if (!write_item(h, x, step, &err))
        give_up_step(h, &err);
}

static struct hook_item *next_item(struct hook_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->busy = false;
    if (!q->due)
        pthread_cond_broadcast(&q->drained);
    while (!q->due && !q->closing)
        pthread_cond_wait(&q->filled, &q->lock);
    struct hook_item *x = q->first;
    if (x) {
        q->n--;
        q->due -= q->due > 0;
        q->first = x->next;
        q->last = q->first ? q->last : NULL;
        q->busy = true;
    }
    pthread_mutex_unlock(&q->lock);
    return x;
}

static void *write_all(void *arg)
{
    struct smdbg_hook *h = arg;
    struct hook_queue *q = &h->queue;
    struct written step = {0};
    for (struct hook_item *x; (x = next_item(q));) {
        size_t bytes = x->bytes;
        write_one(h, x, &step);
        write_beside(h, x);
        hook_queue_give_back(q, x);
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

/* With all signals blocked: they are the program's. The lock is held. */
static bool start_thread(struct smdbg_hook *h)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    h->queue.started = pthread_create(&h->queue.thread, NULL, write_all, h) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return h->queue.started;
}

/* ---- in and out ---- */

/* All that is in the queue may be written. The lock is held. */
static void release(struct hook_queue *q)
{
    if (!q->due && q->n)
        pthread_cond_signal(&q->filled);
    q->due = q->n;
}

/* No processor is idle, this one included. What cannot be known is no crowd. */
static bool is_crowded(void)
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

/* Values of a step that goes on wait until half of the queue is full: writing along takes the
 * memory's time from copying. Where all processors have work, they wait nearly as long as they can:
 * the thread that writes would take the program's. */
static bool may_wait(struct hook_queue *q, const struct hook_item *x)
{
    bool value = x->kind == HOOK_TENSOR || x->kind == HOOK_BOARD || x->kind == HOOK_METRIC ||
                 x->kind == HOOK_SHAPE;
    if (x->kind == HOOK_STEP)
        q->asked = false;
    if (!value || q->queued_bytes < q->limit_bytes / 2)
        return value || x->kind == HOOK_STEP;
    if (!q->asked)
        q->crowded = is_crowded();
    q->asked = true;
    return q->crowded && q->queued_bytes < q->limit_bytes / 8 * 7;
}

/* Only values wait for room or are dropped: without the rest the files would not be a trial. */
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
        release(q);
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
        if (!may_wait(q, x))
            release(q);
    }
    h->counts.dropped += ok && !fits;
    pthread_mutex_unlock(&q->lock);
    if (!ok) {
        sm_err_set(&err, SM_ERR_MEMORY, "no thread to write with");
        hook_fail(h, &err);
    }
    if (!fits)
        hook_queue_give_back(q, x);
    return fits;
}

/* Others may add to it meanwhile. */
void hook_queue_flush(struct smdbg_hook *h)
{
    struct hook_queue *q = &h->queue;
    pthread_mutex_lock(&q->lock);
    while (q->started && (q->first || q->busy)) {
        release(q);
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
