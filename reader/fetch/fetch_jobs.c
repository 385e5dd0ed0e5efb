/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/fetch_answer.h"
#include "reader/fetch/fetch_state.h"

enum { ITEMS_PER_JOB = 512 };

/* The most jobs in flight at which one of this urgency may start: more urgent requests always find
 * room. */
static const size_t jobs_max[SM_URGENCIES] = {
    [SM_URGENCY_BACKGROUND] = 4, [SM_URGENCY_SHOWN] = 6, [SM_URGENCY_ASKED] = 8};

/* ---- the queue ---- */

static struct sm_fetch_queue *queue_of(struct sm_fetch *f, const struct sm_cache_node *x)
{
    return &f->queues[x->urgency];
}

/* Tells the survey that the statistics are being read, or are not any more. */
static void mark_asked(const struct sm_cache_node *x, bool on)
{
    struct sm_brief b = sm_trial_brief(x->trial, &x->entry);
    bool asked = b.flags & SM_BRIEF_ASKED;
    b.flags = on ? SM_BRIEF_ASKED : 0;
    if (asked != on && !(sm_trial_brief(x->trial, &x->entry).flags & SM_BRIEF_SETTLED))
        sm_trial_set_brief(x->trial, &x->entry, &b);
}

void sm_fetch_cancel(struct sm_fetch *f, struct sm_cache_node *x)
{
    mark_asked(x, false);
    sm_fetch_queue_remove(queue_of(f, x), x);
    x->queued = 0;
}

/* ---- jobs ---- */

static void end_fetch_job(struct sm_job *job)
{
    struct sm_read_job *j = (struct sm_read_job *)job;
    struct sm_fetch *f = j->owner;
    if (f) {
        sm_read_job_unlink(&f->jobs, j);
        f->n_jobs--;
        f->n_running -= j->n;
    }
    for (size_t i = 0; i < j->n; i++) {
        if (f && j->items[i].node) {
            sm_fetch_answer(&f->cache, &j->items[i]);
            if (!j->items[i].ok)
                mark_asked(j->items[i].node, false);
            f->answers = true;
        }
    }
    sm_read_job_free(j);
    if (f) {
        sm_fetch_submit(f);
        sm_cache_evict(&f->cache);
    }
}

static const char *path_of(const struct sm_cache_node *x)
{
    return sm_trial_event_path(x->trial, sm_trial_part(x->trial, x->part));
}

/* A job for n >= 1 nodes of one trial. */
static struct sm_read_job *new_fetch_job(struct sm_fetch *f, struct sm_cache_node **nodes, size_t n)
{
    struct sm_read_job *j = sm_read_job_new(nodes[0]->trial, f->checksum, sm_fetch_limit(f), n);
    for (size_t i = 0; j && i < n; i++) {
        struct sm_cache_node *x = nodes[i];
        if (!sm_read_job_add(j, &x->entry, x->queued)) {
            sm_read_job_free(j);
            return NULL;
        }
        j->items[i].node = x;
        j->items[i].tensor = x->tensor ? sm_tensor_ref(x->tensor) : NULL;
    }
    if (j) {
        j->owner = f;
        j->job.done = end_fetch_job;
    }
    return j;
}

/* No memory for a job: the requester gets that error. */
static void fail_node(struct sm_fetch *f, struct sm_cache_node *x)
{
    struct sm_err err;
    x->queued = 0;
    mark_asked(x, false);
    sm_err_set(&err, SM_ERR_MEMORY, "no memory for a request");
    sm_cache_fail(&f->cache, x, &err, f->cache.command);
    x->urgency = x->running ? x->urgency : SM_URGENCY_BACKGROUND;
    f->answers = true;
}

static void start_job(struct sm_fetch *f, int urgency)
{
    struct sm_cache_node *nodes[ITEMS_PER_JOB];
    size_t n = sm_fetch_queue_take(&f->queues[urgency], nodes, ITEMS_PER_JOB);
    struct sm_read_job *j = new_fetch_job(f, nodes, n);
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

void sm_fetch_submit(struct sm_fetch *f)
{
    for (int u = SM_URGENCIES - 1; u >= 0; u--)
        while (f->queues[u].first && f->n_jobs < jobs_max[u])
            start_job(f, u);
}

/* ---- requests ---- */

int sm_fetch_urgency(const struct sm_fetch *f)
{
    if (f->cache.aside)
        return SM_URGENCY_BACKGROUND;
    return f->cache.in_command ? SM_URGENCY_ASKED : SM_URGENCY_SHOWN;
}

static void announce(const struct sm_cache_node *x, uint8_t want)
{
    uint64_t n = x->entry.length;
    if (want == SM_WANT_HEAD && n > SM_READ_HEAD_BYTES)
        n = SM_READ_HEAD_BYTES;
    sm_source_ahead(sm_trial_source(x->trial), path_of(x), x->entry.offset, n);
}

bool sm_fetch_request(struct sm_fetch *f, struct sm_cache_node *x, uint8_t want, struct sm_err *err)
{
    const struct sm_part *part = sm_trial_part(x->trial, x->part);
    if (part->replaced)
        return sm_err_set(err, SM_ERR_MISSING, "step %lld was rewritten in the meantime",
                          (long long)part->step.n);
    if (!path_of(x))
        return sm_err_set(err, SM_ERR_DATA, "step %lld: the index has no valid event file",
                          (long long)part->step.n);
    uint8_t urgency = (uint8_t)sm_fetch_urgency(f);
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
        if (want & ~x->queued)
            announce(x, want);
        x->queued |= want;
        if (want & SM_WANT_STATS)
            mark_asked(x, true);
    }
    return sm_err_set(err, SM_ERR_WAIT, "being read");
}
