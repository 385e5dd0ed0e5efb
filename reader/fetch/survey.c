/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/fetch/fetch_answer.h"
#include "reader/fetch/survey_state.h"

#include <stdlib.h>
#include <string.h>

/* A job reads at most so many values and bytes. */
enum { ITEMS_PER_JOB = 512, BYTES_PER_JOB = 8 << 20, NEWS_US = 100000 };
/* The most jobs in flight at which more of this urgency are made. */
static const size_t jobs_wanted[SM_URGENCIES] = {
    [SM_URGENCY_BACKGROUND] = 2, [SM_URGENCY_SHOWN] = 4, [SM_URGENCY_ASKED] = 8};
/* So many times as many if what they read is far away: it is asked for when a job is made. */
enum { FAR_JOBS = 4 };

static bool is_answered(const struct sm_survey_want *w)
{
    return !sm_survey_may_take(w) && !sm_survey_asked(w);
}

/* ---- jobs ---- */

static void note_failure(struct sm_survey *s, struct sm_trial *t, const struct sm_read *r)
{
    bool may_come = r->err.code == SM_ERR_MEMORY || r->err.code == SM_ERR_LIMIT ||
                    ((r->err.code == SM_ERR_WAIT || r->err.code == SM_ERR_MISSING) &&
                     !sm_trial_part_is_final(t, sm_trial_part(t, r->entry.part)));
    sm_fetch_report(t, r);
    sm_survey_mark(t, &r->entry, SM_BRIEF_FAILED);
    if (may_come && SM_VEC_ROOM(s->retries, s->n_retries, s->cap_retries))
        s->retries[s->n_retries++] = (struct sm_survey_retry){
            .trial = t, .entry = r->entry, .arrivals = sm_trial_arrivals(t)};
}

static void take_answer(struct sm_survey *s, struct sm_trial *t, struct sm_read *r)
{
    r->facts.dims = r->dims;
    if (!r->ok && r->err.code) {
        note_failure(s, t, r);
        return;
    }
    if (r->err.code)
        sm_fetch_report(t, r);
    if (r->ok)
        sm_fetch_keep_brief(t, r);
    else if (!(sm_trial_brief(t, &r->entry).flags & SM_BRIEF_SETTLED))
        sm_survey_mark(t, &r->entry, 0); /* cancelled */
}

/* Wants that are answered, and are not to last. */
static void remove_answered(struct sm_survey *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n_wants; i++) {
        bool answered = !s->wants[i].lasting && is_answered(&s->wants[i]) && !s->wants[i].failed;
        s->answered = s->answered || answered;
        if (!answered)
            s->wants[kept++] = s->wants[i];
    }
    s->n_wants = kept;
}

static void end_survey_job(struct sm_job *job)
{
    struct sm_read_job *j = (struct sm_read_job *)job;
    struct sm_survey *s = j->owner;
    if (s) {
        sm_read_job_unlink(&s->jobs, j);
        s->n_jobs--;
        s->progress = true;
        s->n_read += j->n;
        for (size_t i = 0; j->trial && i < j->n; i++)
            take_answer(s, j->trial, &j->items[i]);
    }
    sm_read_job_free(j);
}

static int by_place(const void *a, const void *b)
{
    const struct sm_survey_taken *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->entry.offset > y->entry.offset) - (x->entry.offset < y->entry.offset);
}

/* How many of the n entries fit into one job. */
static size_t job_size(const struct sm_survey_taken *x, size_t n)
{
    size_t k = 0;
    uint64_t bytes = 0;
    for (int files = 0; k < n && k < ITEMS_PER_JOB && bytes < BYTES_PER_JOB; k++) {
        files += !k || x[k].file != x[k - 1].file;
        bytes += x[k].entry.length;
        if (files > SM_SURVEY_FILES_PER_JOB)
            break;
    }
    return k;
}

/* Says which parts of files a job reads; they are in the order of their places. */
static bool announce(const struct sm_read_job *j)
{
    bool matters = true;
    for (size_t i = 0, k; matters && i < j->n; i = k) {
        const struct sm_read *first = &j->items[i];
        for (k = i + 1; k < j->n && j->items[k].path == first->path; k++)
            continue;
        const struct sm_read *last = &j->items[k - 1];
        matters = sm_source_ahead(j->source, first->path, first->offset,
                                  last->offset + last->length - first->offset);
    }
    return matters;
}

static bool submit_survey_job(struct sm_survey *s, struct sm_survey_want *w,
                              const struct sm_survey_taken *x, size_t n)
{
    struct sm_read_job *j = sm_read_job_new(w->trial, s->checksum, s->limit, n);
    bool ok = j != NULL;
    for (size_t i = 0; ok && i < n; i++)
        ok = sm_read_job_add(j, &x[i].entry, SM_WANT_STATS);
    if (!ok) {
        if (j)
            sm_read_job_free(j);
        for (size_t i = 0; i < n; i++)
            sm_survey_mark(w->trial, &x[i].entry, 0);
        return false;
    }
    w->far = announce(j);
    j->owner = s;
    j->job.done = end_survey_job;
    j->job.urgency = w->urgency;
    j->next = s->jobs;
    s->jobs = j;
    s->n_jobs++;
    sm_pool_submit(s->pool, &j->job);
    return true;
}

/* Takes a piece of a want and submits it. */
static void serve_want(struct sm_survey *s, struct sm_survey_want *w)
{
    uint64_t bytes = 0;
    bool begins = !w->walking;
    w->found = w->found && !begins;
    bool ok = sm_survey_take(s, w, &bytes);
    w->bytes += bytes;
    w->stuck = ok && !w->walking && !w->found;
    w->version = sm_trial_version(w->trial);
    if (s->n_taken)
        qsort(s->taken, s->n_taken, sizeof *s->taken, by_place);
    for (size_t i = 0, n; i < s->n_taken; i += n) {
        n = job_size(s->taken + i, s->n_taken - i);
        ok = submit_survey_job(s, w, s->taken + i, n) && ok;
    }
    w->failed = !ok && !w->lasting;
    w->stuck = w->stuck || (!ok && w->lasting);
    s->answered = s->answered || w->failed;
}

/* What has failed is tried again when more has arrived. */
static void retry_failed(struct sm_survey *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n_retries; i++) {
        struct sm_survey_retry *r = &s->retries[i];
        if (r->arrivals == sm_trial_arrivals(r->trial))
            s->retries[kept++] = *r;
        else if (sm_trial_brief(r->trial, &r->entry).flags & SM_BRIEF_FAILED)
            sm_survey_mark(r->trial, &r->entry, 0);
    }
    s->n_retries = kept;
}

static bool may_serve(const struct sm_survey *s, const struct sm_survey_want *w)
{
    return s->n_jobs < jobs_wanted[w->urgency] * (w->far ? FAR_JOBS : 1) && sm_survey_may_take(w);
}

void sm_survey_flush(struct sm_survey *s, enum sm_checksum checksum, uint64_t limit)
{
    s->checksum = checksum;
    s->limit = limit;
    retry_failed(s);
    for (int u = SM_URGENCIES - 1; u >= 0; u--)
        for (size_t i = 0; i < s->n_wants; i++)
            while (s->wants[i].urgency == u && may_serve(s, &s->wants[i]))
                serve_want(s, &s->wants[i]);
    remove_answered(s);
}

/* ---- wants ---- */

static struct sm_survey_want *find_want(struct sm_survey *s, const struct sm_trial *t,
                                        uint32_t tensor, bool lasting)
{
    for (size_t i = 0; i < s->n_wants; i++) {
        struct sm_survey_want *w = &s->wants[i];
        if (w->trial == t && w->tensor == tensor && w->lasting == lasting)
            return w;
    }
    return NULL;
}

static struct sm_survey_want *add_want(struct sm_survey *s, struct sm_trial *t, uint32_t tensor,
                                       int urgency)
{
    if (!SM_VEC_ROOM(s->wants, s->n_wants, s->cap_wants))
        return NULL;
    s->wants[s->n_wants] =
        (struct sm_survey_want){.trial = t, .tensor = tensor, .urgency = urgency};
    return &s->wants[s->n_wants++];
}

bool sm_survey_ask(struct sm_survey *s, struct sm_trial *t, const struct sm_trial_tensor *x,
                   int urgency, struct sm_err *err)
{
    struct sm_survey_want asked = {.trial = t, .tensor = x ? x->name : SM_NAME_NONE}, *w;
    if (is_answered(&asked))
        return true;
    w = find_want(s, t, asked.tensor, false);
    if (w && w->failed) {
        *w = s->wants[--s->n_wants];
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to read values");
    }
    if (!w && !(w = add_want(s, t, asked.tensor, urgency)))
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to read values");
    w->urgency = urgency > w->urgency ? urgency : w->urgency;
    if (is_answered(w))
        return true;
    return sm_err_set(err, SM_ERR_WAIT, "reading %zu values", sm_survey_left(w));
}

void sm_survey_all(struct sm_survey *s, struct sm_trial *t, uint64_t limit_bytes)
{
    struct sm_survey_want *w = find_want(s, t, SM_NAME_NONE, true);
    if (!w && !(w = add_want(s, t, SM_NAME_NONE, SM_URGENCY_BACKGROUND)))
        return;
    w->lasting = true;
    w->limit = limit_bytes;
}

bool sm_survey_reads(const struct sm_survey *s, const struct sm_trial *t)
{
    for (size_t i = 0; i < s->n_wants; i++)
        if (s->wants[i].trial == t && s->wants[i].lasting)
            return !is_answered(&s->wants[i]);
    return false;
}

static void cancel_jobs(struct sm_survey *s, const struct sm_trial *t, int urgency)
{
    for (struct sm_read_job *j = s->jobs; j; j = j->next)
        if ((!t || j->trial == t) && j->job.urgency >= urgency)
            atomic_store(&j->job.cancelled, true);
}

void sm_survey_cancel(struct sm_survey *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n_wants; i++)
        if (s->wants[i].urgency != SM_URGENCY_ASKED)
            s->wants[kept++] = s->wants[i];
    s->n_wants = kept;
    cancel_jobs(s, NULL, SM_URGENCY_ASKED);
}

void sm_survey_forget(struct sm_survey *s, const struct sm_trial *t)
{
    size_t wants = 0, retries = 0;
    for (size_t i = 0; i < s->n_wants; i++)
        if (t && s->wants[i].trial != t)
            s->wants[wants++] = s->wants[i];
    for (size_t i = 0; i < s->n_retries; i++)
        if (t && s->retries[i].trial != t)
            s->retries[retries++] = s->retries[i];
    s->n_wants = wants;
    s->n_retries = retries;
    cancel_jobs(s, t, SM_URGENCY_BACKGROUND);
    for (struct sm_read_job *j = s->jobs; j; j = j->next)
        j->trial = !t || j->trial == t ? NULL : j->trial;
}

/* Progress is told more and more seldom: whoever hears of it looks at all values. */
bool sm_survey_news(struct sm_survey *s)
{
    int64_t now = s->progress ? sm_clock_mono_us() : 0;
    bool enough = now - s->told_us >= NEWS_US && s->n_read - s->n_old >= s->n_old / 2;
    if (!s->answered && !(s->progress && (!s->n_jobs || enough)))
        return false;
    s->told_us = now;
    s->n_old = s->n_jobs ? s->n_read : 0;
    s->n_read = s->n_old;
    s->answered = s->progress = false;
    return true;
}

bool sm_survey_busy(const struct sm_survey *s)
{
    for (size_t i = 0; i < s->n_wants; i++)
        if (s->wants[i].urgency == SM_URGENCY_ASKED && !is_answered(&s->wants[i]))
            return true;
    return false;
}

size_t sm_survey_open(const struct sm_survey *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_wants; i++)
        if (!s->wants[i].lasting && !is_answered(&s->wants[i])) {
            size_t left = sm_survey_left(&s->wants[i]);
            n = left > n ? left : n;
        }
    return n;
}

/* ---- create and free ---- */

struct sm_survey *sm_survey_new(struct sm_pool *pool)
{
    struct sm_survey *s = sm_alloc_zero(1, sizeof *s);
    if (!s || !(s->taken = sm_alloc(SM_SURVEY_TAKEN * sizeof *s->taken))) {
        sm_free(s);
        return NULL;
    }
    s->pool = pool;
    s->credit = SM_SURVEY_CREDIT_FIRST;
    return s;
}

uint64_t sm_survey_looks(const struct sm_survey *s)
{
    return s->looks;
}

void sm_survey_free(struct sm_survey *s)
{
    sm_survey_forget(s, NULL);
    for (struct sm_read_job *j = s->jobs; j; j = j->next)
        j->owner = NULL; /* the pool still owns it and returns it later */
    sm_free(s->wants);
    sm_free(s->retries);
    sm_free(s->taken);
    sm_free(s);
}
