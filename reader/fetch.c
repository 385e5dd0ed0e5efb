#include "reader/fetch.h"

#include "reader/base/mem.h"
#include "reader/cache.h"
#include "reader/fetch_answer.h"
#include "reader/fetch_part.h"
#include "reader/fetch_queue.h"
#include "reader/fetch_read.h"
#include "reader/read_part.h"

#include <string.h>

/* get_node() --unknown--> queue --submit--> job --done--> cache; then f->answers makes the loop ask
 * again. A node is in the queue once, whatever was requested of it; a job takes requests for one
 * event file together. */
enum { ITEMS_PER_JOB = 512, LEAST_LIMIT = 1 << 20 };

/* The most jobs in flight at which one of this urgency may start: more urgent requests always find
 * room. */
static const size_t jobs_max[SM_URGENCIES] = {
    [SM_URGENCY_BACKGROUND] = 4, [SM_URGENCY_SHOWN] = 6, [SM_URGENCY_ASKED] = 8};

struct job {
    struct sm_job job;
    struct sm_fetch *fetch; /* NULL if it was freed */
    struct sm_source *source;
    struct sm_trial *trial;
    enum sm_checksum checksum;
    struct sm_arena paths;
    struct job *next; /* next of the running jobs */
    size_t n;
    struct sm_read items[];
};

struct sm_fetch {
    struct sm_pool *pool;
    enum sm_checksum checksum;
    struct sm_cache cache;
    struct sm_fetch_queue queues[SM_URGENCIES];
    size_t n_running, n_jobs; /* items in jobs */
    struct job *jobs;
    struct sm_fetch_parts parts;
    bool answers;
};

/* ---- the queue ---- */

static struct sm_fetch_queue *queue_of(struct sm_fetch *f, const struct sm_cache_node *x)
{
    return &f->queues[x->urgency];
}

static void cancel_queued(struct sm_fetch *f, struct sm_cache_node *x)
{
    sm_fetch_queue_remove(queue_of(f, x), x);
    x->queued = 0;
}

/* ---- jobs ---- */

static void run_fetch_job(struct sm_job *job)
{
    struct job *j = (struct job *)job;
    struct sm_file file = {0};
    for (size_t i = 0, run; i < j->n && !atomic_load(&job->cancelled); i += run) {
        struct sm_read *x = &j->items[i];
        run = 1;
        if (x->tensor || file.path == x->path || sm_file_open(&file, j->source, x->path, &x->err))
            run = sm_read_values(&file, j->checksum, x, j->n - i, job->scratch);
    }
    sm_file_close(&file);
}

static void unlink_job(struct sm_fetch *f, const struct job *j)
{
    struct job **link = &f->jobs;
    while (*link != j)
        link = &(*link)->next;
    *link = j->next;
    f->n_jobs--;
    f->n_running -= j->n;
}

static void free_fetch_job(struct job *j)
{
    for (size_t i = 0; i < j->n; i++)
        sm_tensor_unref(j->items[i].tensor);
    sm_arena_clear(&j->paths);
    sm_free(j);
}

static void submit_jobs(struct sm_fetch *f);

static void end_fetch_job(struct sm_job *job)
{
    struct job *j = (struct job *)job;
    struct sm_fetch *f = j->fetch;
    if (f)
        unlink_job(f, j);
    for (size_t i = 0; i < j->n; i++) {
        if (f && j->items[i].node) {
            sm_fetch_answer(&f->cache, &j->items[i]);
            f->answers = true;
        }
    }
    sm_source_unref(j->source);
    free_fetch_job(j);
    if (f) {
        submit_jobs(f);
        sm_cache_evict(&f->cache);
    }
}

static const char *path_of(const struct sm_cache_node *x)
{
    return sm_trial_event_path(x->trial, sm_trial_part(x->trial, x->part));
}

/* A job for n >= 1 nodes of one trial. */
static struct job *new_fetch_job(struct sm_fetch *f, struct sm_cache_node **nodes, size_t n)
{
    struct job *j = sm_alloc(sizeof *j + n * sizeof *j->items);
    if (!j)
        return NULL;
    *j = (struct job){.fetch = f, .trial = nodes[0]->trial, .checksum = f->checksum};
    const char *path = NULL, *copy = NULL;
    for (; j->n < n; j->n++) {
        struct sm_cache_node *x = nodes[j->n];
        if (path != path_of(x))
            copy = sm_arena_strndup(&j->paths, path_of(x), strlen(path_of(x)));
        if (!copy) {
            free_fetch_job(j);
            return NULL;
        }
        path = path_of(x);
        j->items[j->n] = (struct sm_read){.node = x,
                                          .path = copy,
                                          .offset = x->offset,
                                          .length = x->length,
                                          .value = x->value,
                                          .want = x->queued,
                                          .limit = sm_fetch_limit(f),
                                          .tensor = x->tensor ? sm_tensor_ref(x->tensor) : NULL};
    }
    j->job.run = run_fetch_job;
    j->job.done = end_fetch_job;
    j->source = sm_source_ref(sm_trial_source(j->trial));
    return j;
}

/* No memory for a job: the requester gets that error. */
static void fail_node(struct sm_fetch *f, struct sm_cache_node *x)
{
    struct sm_err err;
    x->queued = 0;
    sm_err_set(&err, SM_ERR_MEMORY, "no memory for a request");
    sm_cache_fail(&f->cache, x, &err, f->cache.command);
    x->urgency = x->running ? x->urgency : SM_URGENCY_BACKGROUND;
    f->answers = true;
}

static void start_job(struct sm_fetch *f, int urgency)
{
    struct sm_cache_node *nodes[ITEMS_PER_JOB];
    size_t n = sm_fetch_queue_take(&f->queues[urgency], nodes, ITEMS_PER_JOB);
    struct job *j = new_fetch_job(f, nodes, n);
    if (!j) {
        for (size_t i = 0; i < n; i++)
            fail_node(f, nodes[i]);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        nodes[i]->running |= nodes[i]->queued;
        nodes[i]->queued = 0;
        nodes[i]->jobs++;
    }
    j->job.urgency = urgency;
    j->next = f->jobs;
    f->jobs = j;
    f->n_jobs++;
    f->n_running += n;
    sm_pool_submit(f->pool, &j->job);
}

static void submit_jobs(struct sm_fetch *f)
{
    for (int u = SM_URGENCIES - 1; u >= 0; u--)
        while (f->queues[u].first && f->n_jobs < jobs_max[u])
            start_job(f, u);
}

/* ---- requests ---- */

static bool request_node(struct sm_fetch *f, struct sm_cache_node *x, uint8_t want,
                         struct sm_err *err)
{
    const struct sm_part *part = sm_trial_part(x->trial, x->part);
    if (part->replaced)
        return sm_err_set(err, SM_ERR_MISSING, "step %lld was rewritten in the meantime",
                          (long long)part->step.n);
    if (!path_of(x))
        return sm_err_set(err, SM_ERR_DATA, "step %lld: the index has no valid event file",
                          (long long)part->step.n);
    uint8_t urgency = f->cache.aside        ? SM_URGENCY_BACKGROUND
                      : f->cache.in_command ? SM_URGENCY_ASKED
                                            : SM_URGENCY_SHOWN;
    if (urgency > x->urgency) {
        if (x->queued)
            sm_fetch_queue_remove(queue_of(f, x), x);
        x->urgency = urgency;
        if (x->queued)
            sm_fetch_queue_add(queue_of(f, x), x);
    }
    /* the others include the head */
    if (!(x->running & want) && (want != SM_WANT_HEAD || !x->running)) {
        if (!x->queued)
            sm_fetch_queue_add(queue_of(f, x), x);
        x->queued |= want;
    }
    return sm_err_set(err, SM_ERR_WAIT, "being read");
}

/* The node with `want` known; NULL if waiting or failed, see err. */
static struct sm_cache_node *get_node(struct sm_fetch *f, struct sm_trial *t,
                                      const struct sm_entry *e, uint8_t want, struct sm_err *err)
{
    struct sm_cache_node *x = sm_cache_node(&f->cache, t, e);
    if (!x) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory for a value");
        return NULL;
    }
    if (x->have & want) {
        x->fresh = false;
        return x;
    }
    if (x->err && !sm_cache_may_succeed(&f->cache, x)) {
        if (err)
            *err = *x->err;
        return NULL;
    }
    sm_cache_forgive(&f->cache, x);
    request_node(f, x, want, err);
    return NULL;
}

static bool get_facts(const struct sm_cache_node *x, const struct sm_facts **out)
{
    if (x)
        *out = &x->facts;
    return x;
}

bool sm_fetch_head(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                   const struct sm_facts **out, struct sm_err *err)
{
    return get_facts(get_node(f, t, e, SM_WANT_HEAD, err), out);
}

bool sm_fetch_stats(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                    const struct sm_facts **out, struct sm_err *err)
{
    return get_facts(get_node(f, t, e, SM_WANT_STATS, err), out);
}

bool sm_fetch_tensor(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                     struct sm_tensor **out, struct sm_err *err)
{
    if (sm_trial_left_out(t, e))
        return sm_err_set(err, SM_ERR_MISSING, SM_LEFT_OUT);
    if (sm_fetch_too_large(f, e))
        return sm_read_too_large(e->length, sm_fetch_limit(f), err);
    const struct sm_cache_node *x = get_node(f, t, e, SM_WANT_TENSOR, err);
    if (x)
        *out = sm_tensor_ref(x->tensor);
    return x;
}

uint64_t sm_fetch_limit(const struct sm_fetch *f)
{
    return f->cache.budget > LEAST_LIMIT ? f->cache.budget : LEAST_LIMIT;
}

bool sm_fetch_too_large(const struct sm_fetch *f, const struct sm_entry *e)
{
    return e->kind != SM_ENTRY_SHAPE && e->length > sm_fetch_limit(f);
}

bool sm_fetch_slice(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                    const struct sm_slice *slice, struct sm_tensor **out, struct sm_err *err)
{
    struct sm_tensor *whole;
    if (slice && e->length >= SM_PART_FROM_BYTES && !sm_trial_left_out(t, e))
        return sm_fetch_parts_get(&f->parts, f->pool, t, e, slice, sm_fetch_limit(f),
                                  f->cache.in_command && !f->cache.aside ? f->cache.command : 0,
                                  out, err);
    if (!slice)
        return sm_fetch_tensor(f, t, e, out, err);
    if (!sm_fetch_tensor(f, t, e, &whole, err))
        return false;
    bool ok = sm_slice_apply(slice, whole, out, err);
    sm_tensor_unref(whole);
    return ok;
}

/* ---- commands ---- */

void sm_fetch_begin(struct sm_fetch *f)
{
    f->cache.command++;
    sm_cache_tick(&f->cache);
    f->cache.in_command = true;
}

static void drop_queue(struct sm_fetch *f, struct sm_fetch_queue *q, const struct sm_trial *t)
{
    for (struct sm_cache_node *x = q->first, *next; x; x = next) {
        next = x->after;
        if (!t || x->trial == t)
            cancel_queued(f, x);
    }
}

static bool is_requested(const struct sm_cache_node *x)
{
    return x && x->urgency == SM_URGENCY_ASKED;
}

void sm_fetch_end(struct sm_fetch *f)
{
    f->cache.in_command = false;
    f->cache.retry_us = 0;
    /* others may have requested it too and must repeat that */
    f->answers = f->answers || f->queues[SM_URGENCY_ASKED].first;
    for (struct sm_cache_node *x = f->queues[SM_URGENCY_ASKED].first, *next; x; x = next) {
        next = x->after;
        cancel_queued(f, x);
        x->urgency = SM_URGENCY_BACKGROUND;
    }
    for (struct job *j = f->jobs; j; j = j->next) {
        if (j->job.urgency == SM_URGENCY_ASKED)
            atomic_store(&j->job.cancelled, true);
        for (size_t i = 0; i < j->n; i++)
            if (is_requested(j->items[i].node))
                j->items[i].node->urgency = SM_URGENCY_BACKGROUND;
    }
    sm_cache_evict(&f->cache);
}

void sm_fetch_set_background(struct sm_fetch *f, bool on)
{
    f->cache.aside = on;
}

void sm_fetch_lap(struct sm_fetch *f)
{
    sm_cache_lap(&f->cache);
}

bool sm_fetch_busy(const struct sm_fetch *f)
{
    if (f->queues[SM_URGENCY_ASKED].first || f->parts.n_running)
        return true;
    for (const struct job *j = f->jobs; j; j = j->next)
        for (size_t i = 0; i < j->n; i++)
            if (is_requested(j->items[i].node))
                return true;
    return false;
}

size_t sm_fetch_open(const struct sm_fetch *f)
{
    size_t n = f->n_running + f->parts.n_running;
    for (int u = 0; u < SM_URGENCIES; u++)
        n += f->queues[u].n;
    return n;
}

void sm_fetch_flush(struct sm_fetch *f)
{
    submit_jobs(f);
}

bool sm_fetch_pump(struct sm_fetch *f)
{
    submit_jobs(f);
    sm_cache_tick(&f->cache);
    sm_cache_evict(&f->cache);
    bool answers = f->answers || f->parts.answers;
    f->answers = f->parts.answers = false;
    return answers;
}

/* ---- create and free ---- */

struct sm_fetch *sm_fetch_new(struct sm_pool *pool, size_t budget_bytes, struct sm_err *err)
{
    struct sm_fetch *f = sm_alloc_zero(1, sizeof *f);
    if (!f) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory to read values");
        return NULL;
    }
    f->pool = pool;
    f->cache.budget = budget_bytes;
    return f;
}

void sm_fetch_forget(struct sm_fetch *f, const struct sm_trial *t)
{
    for (int u = 0; u < SM_URGENCIES; u++)
        drop_queue(f, &f->queues[u], t);
    for (struct job *j = f->jobs; j; j = j->next) {
        if (t && j->trial != t)
            continue;
        atomic_store(&j->job.cancelled, true);
        for (size_t i = 0; i < j->n; i++)
            j->items[i].node = NULL;
    }
    sm_fetch_parts_forget(&f->parts, t);
    for (struct sm_cache_node *x = f->cache.lists[SM_CACHE_ALL].newer, *next; x; x = next) {
        next = x->links[SM_CACHE_ALL].newer;
        if (!t || x->trial == t)
            sm_cache_remove(&f->cache, x);
    }
}

void sm_fetch_free(struct sm_fetch *f)
{
    if (!f)
        return;
    sm_fetch_forget(f, NULL);
    for (struct job *j = f->jobs; j; j = j->next)
        j->fetch = NULL; /* the pool still owns it and returns it later */
    sm_fetch_parts_clear(&f->parts);
    sm_cache_clear(&f->cache);
    for (int u = 0; u < SM_URGENCIES; u++)
        sm_fetch_queue_clear(&f->queues[u]);
    sm_free(f);
}

void sm_fetch_budget(struct sm_fetch *f, size_t budget_bytes)
{
    f->cache.budget = budget_bytes;
    f->cache.retry_us = 0;
    sm_cache_evict(&f->cache);
}

void sm_fetch_checksum(struct sm_fetch *f, enum sm_checksum c)
{
    f->checksum = c;
}

size_t sm_fetch_memory(const struct sm_fetch *f)
{
    return f->cache.used;
}
