/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/survey.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/fetch_answer.h"
#include "reader/read_job.h"

#include <stdlib.h>
#include <string.h>

/* A turn takes at most TAKEN values and BYTES of records, and looks at LOOKED entries at most; a
 * job reads so many values, files and bytes. */
enum {
    TAKEN = 2048,
    BYTES = 32 << 20,
    LOOKED = 65536,
    ITEMS_PER_JOB = 512,
    FILES_PER_JOB = 32,
    BYTES_PER_JOB = 8 << 20,
    NEWS_US = 100000
};
/* The most jobs in flight at which more of this urgency are made. */
static const size_t jobs_wanted[SM_URGENCIES] = {
    [SM_URGENCY_BACKGROUND] = 2, [SM_URGENCY_SHOWN] = 4, [SM_URGENCY_ASKED] = 8};

struct want {
    struct sm_trial *trial;
    uint32_t tensor; /* name id; NONE: all */
    int urgency;
    bool lasting; /* stays when all was read */
    uint64_t limit, bytes;
    /* Of one tensor: entries below index `to` are left. Of all: steps below index `to` are, and
     * those of [from, to) from tensor `next` on. */
    size_t from, to;
    uint32_t next;
    bool walking, found; /* this walk has found something to read */
    bool stuck;          /* a whole walk found nothing to read, at this version of the trial: */
    uint64_t version;
    bool failed; /* no memory */
};

/* Failed, but its file may still grow, or there may be more memory. */
struct retry {
    struct sm_trial *trial;
    struct sm_entry entry;
    uint64_t arrivals;
};

struct taken {
    struct sm_entry entry;
    uint32_t file; /* of its part */
};

/* A value that is found in the file of another is worth as many looks as this. */
enum { FOUND_WORTH = 64, CREDIT_FIRST = 8192, CREDIT_MOST = 1 << 18, CREDIT_REGROWN = 16 };

struct sm_survey {
    struct sm_pool *pool;
    struct want *wants;
    size_t n_wants, cap_wants;
    struct sm_read_job *jobs;
    size_t n_jobs;
    struct taken *taken;
    size_t n_taken, of_file; /* of_file: taken by the last take_of_file */
    int64_t credit;          /* of take_of_file */
    uint64_t looks;          /* of it, for tests */
    struct retry *retries;
    size_t n_retries, cap_retries;
    bool answered, progress;
    enum sm_checksum checksum;
    uint64_t limit;         /* of a record that is read whole */
    int64_t told_us;        /* of the last news */
    uint64_t n_read, n_old; /* values that were read, and how many of them at the last news */
};

/* ---- what is left ---- */

static size_t left_of(const struct want *w)
{
    if (w->tensor == SM_NAME_NONE) {
        struct sm_trial_seen seen = sm_trial_seen(w->trial);
        return (size_t)(seen.values - seen.read - seen.failed);
    }
    const struct sm_trial_tensor *x = sm_trial_tensor_of(w->trial, w->tensor);
    return x ? x->unsettled : 0;
}

static size_t asked_of(const struct want *w)
{
    const struct sm_trial_tensor *x =
        w->tensor == SM_NAME_NONE ? NULL : sm_trial_tensor_of(w->trial, w->tensor);
    return w->tensor == SM_NAME_NONE ? (size_t)sm_trial_seen(w->trial).asked : x ? x->asked : 0;
}

static bool over_limit(const struct want *w)
{
    return w->lasting && w->bytes >= w->limit;
}

/* Whether there is something to take. */
static bool may_take(const struct want *w)
{
    return !w->failed && !over_limit(w) && left_of(w) > asked_of(w) &&
           !(w->stuck && w->version == sm_trial_version(w->trial));
}

static bool is_answered(const struct want *w)
{
    return !may_take(w) && !asked_of(w);
}

/* ---- taking ---- */

static bool set_flags(struct sm_trial *t, const struct sm_entry *e, unsigned flags)
{
    return sm_trial_set_brief(t, e, &(struct sm_brief){.flags = (uint16_t)flags});
}

/* Takes an entry if it was not read and can be. False: no memory. */
static bool take_entry(struct sm_survey *s, struct want *w, const struct sm_trial_tensor *x,
                       size_t i, uint64_t *bytes)
{
    struct sm_trial *t = w->trial;
    struct sm_entry e = sm_tensor_entry(t, x, i);
    if (e.kind == SM_ENTRY_SHAPE ||
        sm_tensor_brief(t, x, i).flags & (SM_BRIEF_SETTLED | SM_BRIEF_ASKED))
        return true;
    const struct sm_part *part = sm_trial_part(t, e.part);
    unsigned flags = part->replaced                  ? SM_BRIEF_SKIPPED
                     : !sm_trial_event_path(t, part) ? SM_BRIEF_FAILED
                                                     : SM_BRIEF_ASKED;
    if (!set_flags(t, &e, flags))
        return false;
    w->found = true;
    if (flags != SM_BRIEF_ASKED)
        return true;
    *bytes += e.length;
    s->taken[s->n_taken++] = (struct taken){e, part->event_file};
    return true;
}

static bool same_record(const struct sm_entry *a, const struct sm_entry *b)
{
    return a->part == b->part && a->offset == b->offset && a->length == b->length;
}

/* Takes the other values of a record that has several: parsing it costs the same for one of them as
 * for all, and who asks for one tensor often asks for the others. */
static bool take_siblings(struct sm_survey *s, struct want *w, struct sm_entry e)
{
    struct sm_trial *t = w->trial;
    struct sm_step step = sm_trial_part(t, e.part)->step;
    uint64_t counted = 0; /* the record's bytes were */
    for (uint32_t name = 0; name < sm_names_count(sm_trial_names(t)); name++) {
        const struct sm_trial_tensor *x = sm_trial_tensor_of(t, name);
        size_t from, to;
        if (!x || x->unsettled <= x->asked || !sm_trial_entries_at(t, x, step, &from, &to))
            continue;
        for (size_t i = from; i < to && s->n_taken < TAKEN; i++) {
            struct sm_entry other = sm_tensor_entry(t, x, i);
            if (same_record(&other, &e) && !take_entry(s, w, x, i, &counted))
                return false;
        }
    }
    return true;
}

static bool take_at_part(struct sm_survey *s, struct want *o, const struct sm_entry *e,
                         struct sm_step step, uint64_t *bytes)
{
    const struct sm_trial_tensor *x = sm_trial_tensor_of(o->trial, o->tensor);
    size_t from, to;
    if (!x || !may_take(o) || !sm_trial_entries_at(o->trial, x, step, &from, &to))
        return true;
    for (size_t i = from; i < to && s->n_taken < TAKEN; i++)
        if (sm_tensor_entry(o->trial, x, i).part == e->part && !take_entry(s, o, x, i, bytes))
            return false;
    return true;
}

/* Takes the values of other tensors that are asked for, too, if they are in the same file: opening
 * it costs more than reading a small value. Looks rarely if that finds little: tensors may have
 * been saved at steps of their own. */
static bool take_of_file(struct sm_survey *s, const struct want *w, const struct sm_entry *e,
                         uint64_t *bytes)
{
    struct sm_step step = sm_trial_part(w->trial, e->part)->step;
    size_t before = s->n_taken;
    bool ok = true;
    s->of_file = 0;
    s->credit += CREDIT_REGROWN;
    if (s->n_wants < 2 || s->credit < (int64_t)s->n_wants)
        return true;
    s->credit -= (int64_t)s->n_wants;
    s->looks += s->n_wants;
    for (size_t k = 0; ok && k < s->n_wants; k++) {
        struct want *o = &s->wants[k];
        if (o->trial == w->trial && o->tensor != w->tensor && o->tensor != SM_NAME_NONE)
            ok = take_at_part(s, o, e, step, bytes);
    }
    s->of_file = s->n_taken - before;
    s->credit += (int64_t)s->of_file * FOUND_WORTH;
    s->credit = s->credit < CREDIT_MOST ? s->credit : CREDIT_MOST;
    return ok;
}

/* Whether another value can be taken with as many of its file as the last one had. */
static bool has_room(const struct sm_survey *s)
{
    return !s->n_taken || s->n_taken + s->of_file < TAKEN;
}

static bool is_full(const struct sm_survey *s, uint64_t bytes, size_t looked)
{
    return s->n_taken == TAKEN || bytes >= BYTES || looked >= LOOKED;
}

/* False: no memory. */
static bool take_of_tensor(struct sm_survey *s, struct want *w, uint64_t *bytes)
{
    const struct sm_trial_tensor *x = sm_trial_tensor_of(w->trial, w->tensor);
    size_t looked = 0;
    if (!w->walking)
        w->to = x->n_entries;
    w->to = w->to < x->n_entries ? w->to : x->n_entries;
    w->walking = true;
    for (; w->to && !is_full(s, *bytes, looked) && has_room(s) && x->unsettled > x->asked;
         looked++) {
        size_t before = s->n_taken;
        if (!take_entry(s, w, x, --w->to, bytes))
            return false;
        struct sm_entry e = sm_tensor_entry(w->trial, x, w->to);
        if (s->n_taken > before &&
            ((e.value && !take_siblings(s, w, e)) || !take_of_file(s, w, &e, bytes)))
            return false;
    }
    w->walking = w->to > 0 && x->unsettled > x->asked;
    return true;
}

static size_t tensor_ids(const struct sm_trial *t)
{
    return sm_names_count(sm_trial_names(t));
}

/* The next window of steps, below the last. */
static void next_window(struct want *w)
{
    size_t n = sm_trial_step_count(w->trial), ids = tensor_ids(w->trial),
           steps = ids < TAKEN ? TAKEN / (ids + 1) : 1;
    steps = steps < FILES_PER_JOB ? steps : FILES_PER_JOB;
    w->to = !w->walking || w->to > n ? n : w->from;
    w->from = w->to > steps ? w->to - steps : 0;
    w->walking = w->to > 0;
    w->next = 0;
}

/* The entries of a tensor in the window. */
static bool take_of_window(struct sm_survey *s, struct want *w, const struct sm_trial_tensor *x,
                           uint64_t *bytes, size_t *looked)
{
    int64_t first = sm_trial_step(w->trial, w->from)->step.n,
            last = sm_trial_step(w->trial, w->to - 1)->step.n;
    for (size_t i = sm_trial_entries_from(w->trial, x, (struct sm_step){first});
         i < x->n_entries && sm_tensor_part(w->trial, x, i)->step.n <= last; i++) {
        if (s->n_taken == TAKEN)
            return true;
        ++*looked;
        if (!take_entry(s, w, x, i, bytes))
            return false;
    }
    return true;
}

static bool take_of_all(struct sm_survey *s, struct want *w, uint64_t *bytes)
{
    size_t looked = 0, ids = tensor_ids(w->trial);
    if (!w->walking || w->to > sm_trial_step_count(w->trial))
        next_window(w);
    while (w->walking && !is_full(s, *bytes, looked) && left_of(w) > asked_of(w)) {
        for (; w->next < ids && !is_full(s, *bytes, looked); w->next++) {
            const struct sm_trial_tensor *x = sm_trial_tensor_of(w->trial, w->next);
            if (x && x->unsettled > x->asked && !take_of_window(s, w, x, bytes, &looked))
                return false;
            if (s->n_taken == TAKEN)
                return true; /* the tensor is looked at again */
        }
        looked += ids / 16;
        if (w->next < ids)
            continue;
        w->to = w->from;
        if (w->to)
            next_window(w);
        else
            w->walking = false;
    }
    w->walking = w->walking && left_of(w) > asked_of(w);
    return true;
}

/* ---- jobs ---- */

static void note_failure(struct sm_survey *s, struct sm_trial *t, const struct sm_read *r)
{
    bool may_come = r->err.code == SM_ERR_MEMORY || r->err.code == SM_ERR_LIMIT ||
                    ((r->err.code == SM_ERR_WAIT || r->err.code == SM_ERR_MISSING) &&
                     !sm_trial_part_is_final(t, sm_trial_part(t, r->entry.part)));
    sm_fetch_report(t, r);
    set_flags(t, &r->entry, SM_BRIEF_FAILED);
    if (may_come && SM_VEC_ROOM(s->retries, s->n_retries, s->cap_retries))
        s->retries[s->n_retries++] =
            (struct retry){.trial = t, .entry = r->entry, .arrivals = sm_trial_arrivals(t)};
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
        set_flags(t, &r->entry, 0); /* cancelled */
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
    const struct taken *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->entry.offset > y->entry.offset) - (x->entry.offset < y->entry.offset);
}

/* How many of the n entries fit into one job. */
static size_t job_size(const struct taken *x, size_t n)
{
    size_t k = 0;
    uint64_t bytes = 0;
    for (int files = 0; k < n && k < ITEMS_PER_JOB && bytes < BYTES_PER_JOB; k++) {
        files += !k || x[k].file != x[k - 1].file;
        bytes += x[k].entry.length;
        if (files > FILES_PER_JOB)
            break;
    }
    return k;
}

static bool submit_survey_job(struct sm_survey *s, const struct want *w, const struct taken *x,
                              size_t n)
{
    struct sm_read_job *j = sm_read_job_new(w->trial, s->checksum, s->limit, n);
    bool ok = j != NULL;
    for (size_t i = 0; ok && i < n; i++)
        ok = sm_read_job_add(j, &x[i].entry, SM_WANT_STATS);
    if (!ok) {
        if (j)
            sm_read_job_free(j);
        for (size_t i = 0; i < n; i++)
            set_flags(w->trial, &x[i].entry, 0);
        return false;
    }
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
static void serve_want(struct sm_survey *s, struct want *w)
{
    uint64_t bytes = 0;
    bool begins = !w->walking;
    s->n_taken = s->of_file = 0;
    w->found = w->found && !begins;
    bool ok = w->tensor == SM_NAME_NONE ? take_of_all(s, w, &bytes) : take_of_tensor(s, w, &bytes);
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
        struct retry *r = &s->retries[i];
        if (r->arrivals == sm_trial_arrivals(r->trial))
            s->retries[kept++] = *r;
        else if (sm_trial_brief(r->trial, &r->entry).flags & SM_BRIEF_FAILED)
            set_flags(r->trial, &r->entry, 0);
    }
    s->n_retries = kept;
}

void sm_survey_flush(struct sm_survey *s, enum sm_checksum checksum, uint64_t limit)
{
    s->checksum = checksum;
    s->limit = limit;
    retry_failed(s);
    for (int u = SM_URGENCIES - 1; u >= 0; u--)
        for (size_t i = 0; i < s->n_wants; i++)
            while (s->wants[i].urgency == u && s->n_jobs < jobs_wanted[u] && may_take(&s->wants[i]))
                serve_want(s, &s->wants[i]);
    remove_answered(s);
}

/* ---- wants ---- */

static struct want *find_want(struct sm_survey *s, const struct sm_trial *t, uint32_t tensor,
                              bool lasting)
{
    for (size_t i = 0; i < s->n_wants; i++) {
        struct want *w = &s->wants[i];
        if (w->trial == t && w->tensor == tensor && w->lasting == lasting)
            return w;
    }
    return NULL;
}

static struct want *add_want(struct sm_survey *s, struct sm_trial *t, uint32_t tensor, int urgency)
{
    if (!SM_VEC_ROOM(s->wants, s->n_wants, s->cap_wants))
        return NULL;
    s->wants[s->n_wants] = (struct want){.trial = t, .tensor = tensor, .urgency = urgency};
    return &s->wants[s->n_wants++];
}

bool sm_survey_ask(struct sm_survey *s, struct sm_trial *t, const struct sm_trial_tensor *x,
                   int urgency, struct sm_err *err)
{
    struct want asked = {.trial = t, .tensor = x ? x->name : SM_NAME_NONE}, *w;
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
    return sm_err_set(err, SM_ERR_WAIT, "reading %zu values", left_of(w));
}

void sm_survey_all(struct sm_survey *s, struct sm_trial *t, uint64_t limit_bytes)
{
    struct want *w = find_want(s, t, SM_NAME_NONE, true);
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
            size_t left = left_of(&s->wants[i]);
            n = left > n ? left : n;
        }
    return n;
}

/* ---- create and free ---- */

struct sm_survey *sm_survey_new(struct sm_pool *pool)
{
    struct sm_survey *s = sm_alloc_zero(1, sizeof *s);
    if (!s || !(s->taken = sm_alloc(TAKEN * sizeof *s->taken))) {
        sm_free(s);
        return NULL;
    }
    s->pool = pool;
    s->credit = CREDIT_FIRST;
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
