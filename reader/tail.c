/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tail.h"

#include "reader/base/mem.h"
#include "reader/trial_kinds.h"

struct sm_tail {
    struct sm_trial_input in;
    char *worker, *member;            /* in.options.worker, .member */
    const struct sm_trial_kind *kind; /* NULL before the first list */
    void *state;                      /* of the kind; NULL before the first list */
    bool decided;                     /* the kind does not change any more */
    /* What else the folder has: files of another kind, queued after those of the kind. NULL: it has
     * none, or they are not read while the trial sleeps. */
    struct sm_trial_input beside_in;
    void *beside;
    size_t n_own; /* files of the kind in the queue */
};

struct sm_tail *sm_tail_new(struct sm_source *source, const struct sm_trial_options *o,
                            struct sm_err *err)
{
    struct sm_tail *t = sm_alloc_zero(1, sizeof *t);
    if (!t)
        goto no_memory;
    t->worker = o->worker ? sm_strdup(o->worker) : NULL;
    t->beside_in.source = sm_source_ref(source);
    t->in.source = o->beside ? o->beside->unwrap(source) : source;
    t->in.options = *o;
    t->in.options.worker = t->worker;
    t->member = o->member ? sm_strdup(o->member) : NULL;
    t->in.options.member = t->member;
    if ((t->worker || !o->worker) && (t->member || !o->member))
        return t;
    sm_tail_free(t);
no_memory:
    sm_err_set(err, SM_ERR_MEMORY, "no memory for a trial");
    return NULL;
}

static void clear_beside(struct sm_tail *t)
{
    if (t->beside)
        t->beside_in.kind->free_state(t->beside);
    t->beside = NULL;
}

static void clear_kind(struct sm_tail *t)
{
    clear_beside(t);
    if (t->state)
        t->kind->free_state(t->state);
    t->state = NULL;
    t->kind = NULL;
}

void sm_tail_free(struct sm_tail *t)
{
    if (!t)
        return;
    clear_kind(t);
    sm_source_unref(t->beside_in.source);
    sm_free(t->worker);
    sm_free(t->member);
    sm_free(t);
}

/* False if there is no memory: the kind is undecided, and the next list tries again. */
static bool use_kind(struct sm_tail *t, const struct sm_trial_kind *kind)
{
    if (t->kind == kind)
        return true;
    struct sm_trial_input before = t->in;
    t->in.kind = kind;
    void *state = kind->new_state(&t->in);
    if (!state) {
        t->in = before;
        return false;
    }
    clear_kind(t);
    t->kind = kind;
    t->state = state;
    return true;
}

static bool choose_kind(struct sm_tail *t)
{
    if (t->decided)
        return true;
    const struct sm_trial_kind *kind =
        t->in.options.kind ? t->in.options.kind : sm_trial_kind_of(t->in.source);
    if (!use_kind(t, kind))
        return false;
    t->decided = t->in.options.kind || kind->detect;
    return true;
}

/* Makes the state of what is beside; false: no memory. */
static bool open_beside(struct sm_tail *t)
{
    if (t->beside || t->in.options.asleep)
        return true;
    t->beside_in.options = t->in.options;
    t->beside_in.options.member = NULL;
    t->beside_in.kind = t->in.options.beside;
    t->beside = t->beside_in.kind->new_state(&t->beside_in);
    return t->beside;
}

/* Adds the news of what is beside. When all was forgotten, that is found again too. */
static void list_beside(struct sm_tail *t, struct sm_tail_changes *n)
{
    bool one_worker = n->one_worker, by_lines = n->by_lines, emptied = n->emptied,
         no_memory = n->no_memory;
    t->n_own = n->n_files;
    if (n->recreated)
        clear_beside(t);
    if (!n->exists || no_memory || !open_beside(t)) {
        n->no_memory = n->exists;
        return;
    }
    if (!t->beside)
        return;
    t->beside_in.kind->list(t->beside, n);
    n->one_worker = one_worker;
    n->by_lines = by_lines;
    n->emptied = n->emptied && emptied;
    n->one_by_one = n->one_by_one || (n->n_files && t->n_own);
    n->n_files += t->n_own;
}

struct sm_tail_changes *sm_tail_list(struct sm_tail *t)
{
    struct sm_tail_changes *n = sm_news_new();
    if (!n || !choose_kind(t)) {
        sm_tail_changes_free(n);
        return NULL;
    }
    n->traits = t->kind->traits;
    t->kind->list(t->state, n);
    t->n_own = n->n_files;
    if (t->in.options.beside)
        list_beside(t, n);
    t->decided = t->decided || n->n_files || n->n_collections;
    return n;
}

struct sm_batch *sm_tail_read(const struct sm_tail *t, size_t from, size_t to)
{
    if (from < t->n_own || !t->beside)
        return t->kind->read(t->state, from, to);
    struct sm_batch *b = t->beside_in.kind->read(t->beside, from - t->n_own, to - t->n_own);
    if (b)
        b->first = from;
    return b;
}

void sm_tail_settle(struct sm_tail *t, const struct sm_batch *b, size_t n_merged)
{
    struct sm_batch own = *b;
    if (b->first < t->n_own || !t->beside) {
        t->kind->settle(t->state, b, n_merged);
        return;
    }
    own.first -= t->n_own;
    t->beside_in.kind->settle(t->beside, &own, n_merged);
}

void sm_tail_everything(struct sm_tail *t)
{
    if (t->state && t->kind->everything)
        t->kind->everything(t->state);
}

void sm_tail_restart(struct sm_tail *t)
{
    clear_kind(t);
    t->decided = false;
    t->in.options.asleep = false;
}

void sm_tail_unread(struct sm_tail *t)
{
    if (t->state && t->kind->unread)
        t->kind->unread(t->state);
    if (t->beside && t->beside_in.kind->unread)
        t->beside_in.kind->unread(t->beside);
}
