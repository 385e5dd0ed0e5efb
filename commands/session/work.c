#include "commands/session/work.h"

/* A call computes as much at once as a key may wait for; the workers get as much as fits into some
 * memory. */
#define AT_ONCE      200000
#define ON_THEIR_WAY 64000000

void sm_works_begin(struct sm_works *s)
{
    s->at_once = 0;
}

static bool is_about(const struct sm_work *w, const void *what, const struct sm_tensor *of)
{
    return w->what == what && w->of == of;
}

static struct sm_work *look(struct sm_work *from, const struct sm_work *to, const void *what,
                            const struct sm_tensor *of)
{
    while (from != to && !is_about(from, what, of))
        from = from->next;
    return from != to ? from : NULL;
}

/* Questions come in the same order each time, so the next is likely the one behind the last. */
struct sm_work *sm_work_find(struct sm_works *s, const void *what, const struct sm_tensor *of)
{
    struct sm_work *next = s->found ? s->found->next : NULL, *w = look(next, NULL, what, of);
    if (!w)
        w = look(s->first, next, what, of);
    s->found = w ? w : s->found;
    return w;
}

static void append(struct sm_works *s, struct sm_work *w)
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
    w->owner->on_their_way -= w->elements;
    ++*w->owner->news;
}

static bool wait(struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_WAIT, "being computed");
}

bool sm_work_start(struct sm_works *s, struct sm_work *w, struct sm_err *err)
{
    bool at_once = w->elements <= AT_ONCE - s->at_once;
    w->elements = w->elements < ON_THEIR_WAY ? w->elements : ON_THEIR_WAY;
    if (!at_once && w->elements > ON_THEIR_WAY - s->on_their_way) {
        free_work(w);
        return wait(err);
    }
    append(s, w);
    if (at_once) {
        s->at_once += w->elements;
        w->run(w);
        w->done = true;
        return true;
    }
    w->job.run = job_run;
    w->job.done = job_done;
    w->job.urgency = SM_URGENCY_ASKED;
    s->on_their_way += w->elements;
    sm_pool_submit(s->pool, &w->job);
    return wait(err);
}

bool sm_work_answered(const struct sm_work *w, struct sm_err *err)
{
    return w->done || wait(err);
}

static void leave(struct sm_work *w)
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
        s->on_their_way -= w->elements;
    leave(w);
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
        leave(w);
    }
    s->first = s->last = s->found = NULL;
    s->on_their_way = 0;
}
