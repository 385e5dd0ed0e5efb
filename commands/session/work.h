/* What a call computes: little at once, much by the workers, meanwhile the call waits. It is run
 * again from its beginning, so what it has asked for is kept until it ends and found again by the
 * same question. */
#ifndef SM_WORK_H
#define SM_WORK_H

#include "reader/base/pool.h"
#include "reader/tensor/tensor.h"

struct sm_works;
/* The first member of the asker's own record. */
struct sm_work {
    struct sm_job job;
    void (*run)(struct sm_work *w);  /* in any thread; job.cancelled stops it */
    void (*free)(struct sm_work *w); /* also of one that was never run */
    const void *what;                /* the question: an address that stays while the call lives, */
    struct sm_tensor *of;            /* and the tensor it is about, a reference, or NULL */
    uint64_t elements;               /* to be looked at, about */
    atomic_ulong left;               /* values that it has still to read, for a progress line */
    bool done;                       /* this and what follows: the loop's thread alone */
    struct sm_works *owner;          /* NULL: nobody wants it any more */
    struct sm_work *next;
};
/* Of one call. */
struct sm_works {
    struct sm_pool *pool;
    uint64_t *news; /* grows when one is done */
    struct sm_work *first, *last, *found;
    /* elements: computed since the call was run last, and with the workers */
    uint64_t at_once, on_their_way;
};
void sm_works_begin(struct sm_works *s);        /* the call is run, again */
size_t sm_works_left(const struct sm_works *s); /* values that they have still to read */
/* it has ended: all are freed, the running ones when they stop */
void sm_works_drop(struct sm_works *s);

/* NULL: not asked yet */
struct sm_work *sm_work_find(struct sm_works *s, const void *what, const struct sm_tensor *of);
/* Takes w over. When it is small it is done; else false with SM_ERR_WAIT, and so while too many are
 * on their way, when w is freed and must be asked again. */
bool sm_work_start(struct sm_works *s, struct sm_work *w, struct sm_err *err);
/* false with SM_ERR_WAIT: not done yet */
bool sm_work_answered(const struct sm_work *w, struct sm_err *err);
void sm_work_drop(struct sm_works *s, struct sm_work *w); /* the same question will be a new one */

#endif
