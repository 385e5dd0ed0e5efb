/* SPDX-License-Identifier: Apache-2.0 */
/* Computations of a call. A small one runs immediately; a large one runs in a worker thread while
 * the call waits (SM_ERR_WAIT). Because a waiting call is run again from its start, its
 * computations are stored until the call ends, and found again by their key: an address and a
 * tensor. */
#ifndef SM_WORK_H
#define SM_WORK_H

#include "reader/base/pool.h"
#include "reader/tensor/tensor.h"

struct sm_works;
/* One computation; the first member of the caller's struct. */
struct sm_work {
    struct sm_job job;
    void (*run)(struct sm_work *w); /* in any thread; must return soon after job.cancelled is set */
    void (*free)(struct sm_work *w); /* frees the caller's struct, also if it was never run */
    const void *what;                /* key: an address that is valid as long as the call, and */
    struct sm_tensor *of;            /* the tensor to compute from, a reference, or NULL */
    uint64_t elements;               /* approximate number of elements to process */
    atomic_ulong left;               /* number of values still to read, for progress messages */
    /* From here on: main thread only. */
    bool done;
    struct sm_works *owner; /* NULL if it was dropped */
    struct sm_work *next;
};
/* The computations of one call. */
struct sm_works {
    struct sm_pool *pool;
    uint64_t *news;                       /* increased when a computation is done */
    struct sm_work *first, *last, *found; /* found: the last one found */
    /* number of elements computed immediately in this run of the call, and in workers */
    uint64_t immediate, submitted;
};
void sm_works_begin(struct sm_works *s);        /* call before each run of the call */
size_t sm_works_left(const struct sm_works *s); /* total number of values still to read */
/* Frees all; those that run are freed when they stop. */
void sm_works_drop(struct sm_works *s);

/* The computation with this key, or NULL. */
struct sm_work *sm_work_find(struct sm_works *s, const void *what, const struct sm_tensor *of);
/* Starts w and takes ownership of it. Returns true if it was small and is done. Otherwise returns
 * false with SM_ERR_WAIT; if too many are submitted, w is freed and must be started again later. */
bool sm_work_start(struct sm_works *s, struct sm_work *w, struct sm_err *err);
/* Keeps w until the call ends, without running it: what a call that goes on over several turns has
 * begun. */
void sm_work_keep(struct sm_works *s, struct sm_work *w);
/* Returns true if w is done, else false with SM_ERR_WAIT. */
bool sm_work_check_done(const struct sm_work *w, struct sm_err *err);
void sm_work_drop(struct sm_works *s, struct sm_work *w); /* frees it; its key can be used again */

#endif
