/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/fetch.h"

#include "reader/base/mem.h"
#include "reader/fetch/fetch_answer.h"
#include "reader/fetch/fetch_part.h"
#include "reader/fetch/fetch_queue.h"
#include "reader/fetch/read_job.h"
#include "reader/fetch/read_part.h"
#include "reader/fetch/survey.h"

#include <string.h>

/* get_node() --unknown--> queue --submit--> job --done--> cache; then f->answers makes the loop ask
 * again. A node is in the queue once, whatever was requested of it; a job takes requests for one
 * event file together. */
enum { ITEMS_PER_JOB = 512, LEAST_LIMIT = 1 << 20, SCALARS = 1024 };

static const uint64_t no_dims[1];

/* The most jobs in flight at which one of this urgency may start: more urgent requests always find
 * room. */
static const size_t jobs_max[SM_URGENCIES] = {
    [SM_URGENCY_BACKGROUND] = 4, [SM_URGENCY_SHOWN] = 6, [SM_URGENCY_ASKED] = 8};

struct sm_fetch {
    struct sm_pool *pool;
    enum sm_checksum checksum;
    struct sm_cache cache;
    struct sm_fetch_queue queues[SM_URGENCIES];
    size_t n_running, n_jobs; /* items in jobs */
    struct sm_read_job *jobs;
    struct sm_fetch_parts parts;
    struct sm_survey *survey;
    struct sm_facts scalars[SCALARS]; /* a ring: facts of values without a record */
    unsigned next_scalar;
    bool answers;
};

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

static void cancel_queued(struct sm_fetch *f, struct sm_cache_node *x)
{
    mark_asked(x, false);
    sm_fetch_queue_remove(queue_of(f, x), x);
    x->queued = 0;
}

/* ---- jobs ---- */

static void submit_jobs(struct sm_fetch *f);

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
        submit_jobs(f);
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
        if (want & SM_WANT_STATS)
            mark_asked(x, true);
    }
    return sm_err_set(err, SM_ERR_WAIT, "being read");
}

/* ---- values without a record: they are known at once, and nothing of them is kept ---- */

/* Of the number of a brief, without shape and checksum. */
static const struct sm_facts *facts_of(struct sm_fetch *f, struct sm_brief *b)
{
    enum sm_dtype d = (enum sm_dtype)b->dtype;
    const struct sm_dtype_info *type = sm_dtype_info(d);
    struct sm_facts *kept = &f->scalars[f->next_scalar++ % SCALARS];
    *kept = (struct sm_facts){.dtype = d,
                              .proto_dtype = type->proto_code,
                              .n = 1,
                              .content_bytes = type->size_bytes,
                              .wall_time = b->time,
                              .dims = no_dims,
                              .whole = true,
                              .has_stats = true};
    memcpy(kept->first, b->first, sizeof b->first);
    if (type->kind == SM_KIND_FLOAT) {
        sm_stats_of_real(sm_dtype_load(d, b->first), &kept->stats);
        return kept;
    }
    const struct sm_tensor one = {.dtype = d, .n = 1, .data = b->first};
    kept->has_stats = sm_stats_of(&one, &kept->stats, NULL);
    return kept;
}

static bool scalar_brief(const struct sm_trial *t, const struct sm_entry *e, struct sm_brief *b,
                         struct sm_err *err)
{
    *b = sm_trial_brief(t, e);
    return (b->flags & SM_BRIEF_ONE) ||
           sm_err_set(err, SM_ERR_MISSING, "the value was removed in the meantime");
}

static bool scalar_facts(struct sm_fetch *f, const struct sm_trial *t, const struct sm_entry *e,
                         const struct sm_facts **out, struct sm_err *err)
{
    struct sm_brief b;
    if (!scalar_brief(t, e, &b, err))
        return false;
    *out = facts_of(f, &b);
    return true;
}

static bool scalar_tensor(const struct sm_trial *t, const struct sm_entry *e,
                          struct sm_tensor **out, struct sm_err *err)
{
    struct sm_brief b;
    if (!scalar_brief(t, e, &b, err) ||
        !sm_tensor_new((enum sm_dtype)b.dtype, 0, NULL, b.first, out, err))
        return false;
    (*out)->wall_time = b.time;
    return true;
}

/* ---- values ---- */

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
    if (sm_entry_is_scalar(e))
        return scalar_facts(f, t, e, out, err);
    return get_facts(get_node(f, t, e, SM_WANT_HEAD, err), out);
}

bool sm_fetch_stats(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                    const struct sm_facts **out, struct sm_err *err)
{
    if (sm_entry_is_scalar(e))
        return scalar_facts(f, t, e, out, err);
    return get_facts(get_node(f, t, e, SM_WANT_STATS, err), out);
}

bool sm_fetch_number(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                     const struct sm_facts **out, struct sm_err *err)
{
    struct sm_brief b = sm_trial_brief(t, e);
    unsigned one = SM_BRIEF_READ | SM_BRIEF_NUMBERS | SM_BRIEF_ONE | SM_BRIEF_FLAT;
    if ((b.flags & one) != one)
        return sm_fetch_stats(f, t, e, out, err);
    *out = facts_of(f, &b);
    return true;
}

bool sm_fetch_tensor(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                     struct sm_tensor **out, struct sm_err *err)
{
    if (sm_entry_is_scalar(e))
        return scalar_tensor(t, e, out, err);
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
    if (slice && (e->length >= SM_PART_FROM_BYTES || sm_fetch_too_large(f, e)) &&
        !sm_trial_left_out(t, e))
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

bool sm_fetch_brief(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                    struct sm_brief *out, struct sm_err *err)
{
    const struct sm_facts *facts;
    *out = sm_trial_brief(t, e);
    if (out->flags & SM_BRIEF_READ)
        return true;
    if (!sm_fetch_stats(f, t, e, &facts, err))
        return false;
    sm_brief_of(facts, out);
    return true;
}

bool sm_fetch_all(struct sm_fetch *f, struct sm_trial *t, const struct sm_trial_tensor *x,
                  struct sm_err *err)
{
    int urgency = f->cache.aside        ? SM_URGENCY_BACKGROUND
                  : f->cache.in_command ? SM_URGENCY_ASKED
                                        : SM_URGENCY_SHOWN;
    return sm_survey_ask(f->survey, t, x, urgency, err);
}

void sm_fetch_survey(struct sm_fetch *f, struct sm_trial *t, uint64_t limit_bytes)
{
    sm_survey_all(f->survey, t, limit_bytes);
}

bool sm_fetch_surveying(const struct sm_fetch *f, const struct sm_trial *t)
{
    return sm_survey_reads(f->survey, t);
}

/* ---- commands ---- */

void sm_fetch_begin(struct sm_fetch *f)
{
    sm_cache_begin(&f->cache);
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
    sm_cache_end(&f->cache);
    sm_survey_cancel(f->survey);
    /* others may have requested it too and must repeat that */
    f->answers = f->answers || f->queues[SM_URGENCY_ASKED].first;
    for (struct sm_cache_node *x = f->queues[SM_URGENCY_ASKED].first, *next; x; x = next) {
        next = x->after;
        cancel_queued(f, x);
        x->urgency = SM_URGENCY_BACKGROUND;
    }
    for (struct sm_read_job *j = f->jobs; j; j = j->next) {
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
    if (f->queues[SM_URGENCY_ASKED].first || f->parts.n_running || sm_survey_busy(f->survey))
        return true;
    for (const struct sm_read_job *j = f->jobs; j; j = j->next)
        for (size_t i = 0; i < j->n; i++)
            if (is_requested(j->items[i].node))
                return true;
    return false;
}

size_t sm_fetch_open(const struct sm_fetch *f)
{
    size_t n = f->n_running + f->parts.n_running + sm_survey_open(f->survey);
    for (int u = 0; u < SM_URGENCIES; u++)
        n += f->queues[u].n;
    return n;
}

void sm_fetch_flush(struct sm_fetch *f)
{
    submit_jobs(f);
    sm_survey_flush(f->survey, f->checksum, sm_fetch_limit(f));
}

bool sm_fetch_pump(struct sm_fetch *f)
{
    submit_jobs(f);
    sm_cache_tick(&f->cache);
    sm_cache_evict(&f->cache);
    sm_survey_flush(f->survey, f->checksum, sm_fetch_limit(f));
    bool answers = sm_survey_news(f->survey) || f->answers || f->parts.answers;
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
    f->survey = sm_survey_new(pool);
    if (!f->survey) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory to read values");
        sm_free(f);
        return NULL;
    }
    return f;
}

void sm_fetch_forget(struct sm_fetch *f, const struct sm_trial *t)
{
    for (int u = 0; u < SM_URGENCIES; u++)
        drop_queue(f, &f->queues[u], t);
    for (struct sm_read_job *j = f->jobs; j; j = j->next) {
        if (t && j->trial != t)
            continue;
        atomic_store(&j->job.cancelled, true);
        for (size_t i = 0; i < j->n; i++)
            j->items[i].node = NULL;
    }
    sm_fetch_parts_forget(&f->parts, t);
    sm_cache_forget(&f->cache, t);
    sm_survey_forget(f->survey, t);
}

void sm_fetch_free(struct sm_fetch *f)
{
    if (!f)
        return;
    sm_fetch_forget(f, NULL);
    for (struct sm_read_job *j = f->jobs; j; j = j->next)
        j->owner = NULL; /* the pool still owns it and returns it later */
    sm_fetch_parts_clear(&f->parts);
    sm_cache_clear(&f->cache);
    sm_survey_free(f->survey);
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
