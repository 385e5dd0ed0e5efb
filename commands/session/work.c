/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/work.h"

/* Elements that a run of a call may compute immediately, to keep the main loop responsive, and
 * elements that may be submitted to workers, to limit memory. */
#define IMMEDIATE_MAX 200000
#define SUBMITTED_MAX 64000000

void sm_works_begin(struct sm_works *s)
{
    s->immediate = 0;
}

static bool has_key(const struct sm_work *w, const void *what, const struct sm_tensor *of)
{
    return w->what == what && w->of == of;
}

static struct sm_work *find_work(struct sm_work *from, const struct sm_work *to, const void *what,
                                 const struct sm_tensor *of)
{
    while (from != to && !has_key(from, what, of))
        from = from->next;
    return from != to ? from : NULL;
}

/* A call looks them up in the same order each time, so this tries the one after the last found. */
struct sm_work *sm_work_find(struct sm_works *s, const void *what, const struct sm_tensor *of)
{
    struct sm_work *next = s->found ? s->found->next : NULL, *w = find_work(next, NULL, what, of);
    if (!w)
        w = find_work(s->first, next, what, of);
    s->found = w ? w : s->found;
    return w;
}

static void append_work(struct sm_works *s, struct sm_work *w)
{
    w->owner = s;
    if (s->last)
        s->last->next = w;
    else
        s->first = w;
    s->last = w;
    s->found = w;
}

static void free_work(struct sm_work *w)
{
    sm_tensor_unref(w->of);
    w->free(w);
}

static void job_run(struct sm_job *job)
{
    struct sm_work *w = (struct sm_work *)job;
    w->run(w);
}

static void job_done(struct sm_job *job)
{
    struct sm_work *w = (struct sm_work *)job;
    w->done = true;
    if (!w->owner) {
        free_work(w);
        return;
    }
    w->owner->submitted -= w->elements;
    ++*w->owner->news;
}

static bool fail_wait(struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_WAIT, "being computed");
}

bool sm_work_start(struct sm_works *s, struct sm_work *w, struct sm_err *err)
{
    bool immediate = w->elements <= IMMEDIATE_MAX - s->immediate;
    w->elements = w->elements < SUBMITTED_MAX ? w->elements : SUBMITTED_MAX;
    if (!immediate && w->elements > SUBMITTED_MAX - s->submitted) {
        free_work(w);
        return fail_wait(err);
    }
    append_work(s, w);
    if (immediate) {
        s->immediate += w->elements;
        w->run(w);
        w->done = true;
        return true;
    }
    w->job.run = job_run;
    w->job.done = job_done;
    w->job.urgency = SM_URGENCY_ASKED;
    s->submitted += w->elements;
    sm_pool_submit(s->pool, &w->job);
    return fail_wait(err);
}

void sm_work_keep(struct sm_works *s, struct sm_work *w)
{
    w->done = true;
    append_work(s, w);
}

bool sm_work_check_done(const struct sm_work *w, struct sm_err *err)
{
    return w->done || fail_wait(err);
}

static void disown_work(struct sm_work *w)
{
    w->owner = NULL;
    atomic_store(&w->job.cancelled, true);
    if (w->done)
        free_work(w);
}

void sm_work_drop(struct sm_works *s, struct sm_work *w)
{
    struct sm_work *before = NULL;
    for (struct sm_work *x = s->first; x != w; x = x->next)
        before = x;
    if (before)
        before->next = w->next;
    else
        s->first = w->next;
    s->last = s->last == w ? before : s->last;
    s->found = s->found == w ? before : s->found;
    if (!w->done)
        s->submitted -= w->elements;
    disown_work(w);
}

size_t sm_works_left(const struct sm_works *s)
{
    size_t n = 0;
    for (struct sm_work *w = s->first; w; w = w->next)
        n += w->done ? 0 : atomic_load(&w->left);
    return n;
}

void sm_works_drop(struct sm_works *s)
{
    for (struct sm_work *w = s->first, *next; w; w = next) {
        next = w->next;
        disown_work(w);
    }
    s->first = s->last = s->found = NULL;
    s->submitted = 0;
}
