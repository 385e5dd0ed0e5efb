/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tail.h"

#include "reader/base/mem.h"
#include "reader/trial_kinds.h"

/* What else the trial reads: files of another kind in its folder, or another folder's. They are
 * queued after those of its own kind. */
struct other {
    struct sm_trial_input in;
    void *state;  /* NULL: there is none, or it is not read while the trial sleeps */
    size_t first; /* of its files in the queue */
};
struct sm_tail {
    struct sm_trial_input in;
    char *worker, *member;            /* in.options.worker, .member */
    const struct sm_trial_kind *kind; /* NULL before the first list */
    void *state;                      /* of the kind; NULL before the first list */
    bool decided;                     /* the kind does not change any more */
    struct other beside, validation;  /* sm_trial_options.beside, .validation */
    char *validation_name;
};

bool sm_tail_join(struct sm_tail *t, struct sm_source *source, const char *name)
{
    if (t->validation.in.source)
        return true;
    t->validation_name = sm_strdup(name);
    t->validation.in.source = t->validation_name ? sm_source_ref(source) : NULL;
    return t->validation_name;
}

struct sm_tail *sm_tail_new(struct sm_source *source, const struct sm_trial_options *o,
                            struct sm_err *err)
{
    struct sm_tail *t = sm_alloc_zero(1, sizeof *t);
    if (!t)
        goto no_memory;
    t->worker = o->worker ? sm_strdup(o->worker) : NULL;
    t->beside.in.source = sm_source_ref(source);
    t->in.source = o->beside ? o->beside->unwrap(source) : source;
    t->in.options = *o;
    t->in.options.worker = t->worker;
    t->member = o->member ? sm_strdup(o->member) : NULL;
    t->in.options.member = t->member;
    bool joined = !o->validation || sm_tail_join(t, o->validation, o->validation_name);
    if ((t->worker || !o->worker) && (t->member || !o->member) && joined)
        return t;
    sm_tail_free(t);
no_memory:
    sm_err_set(err, SM_ERR_MEMORY, "no memory for a trial");
    return NULL;
}

static void clear_other(struct other *x)
{
    if (x->state)
        x->in.kind->free_state(x->state);
    x->state = NULL;
}

static void clear_kind(struct sm_tail *t)
{
    clear_other(&t->beside);
    clear_other(&t->validation);
    if (t->state)
        t->kind->free_state(t->state);
    t->state = NULL;
    t->kind = NULL;
}

const char *sm_tail_member(const struct sm_tail *t)
{
    return t->member;
}

void sm_tail_free(struct sm_tail *t)
{
    if (!t)
        return;
    clear_kind(t);
    sm_source_unref(t->beside.in.source);
    sm_source_unref(t->validation.in.source);
    sm_free(t->validation_name);
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

/* Makes the state of what else is read; false: no memory. */
static bool open_other(const struct sm_tail *t, struct other *x, const struct sm_trial_kind *kind)
{
    if (x->state || t->in.options.asleep)
        return true;
    x->in.options = t->in.options;
    x->in.options.member = NULL;
    x->in.kind = kind;
    x->state = kind->new_state(&x->in);
    return x->state;
}

/* Whether its files can be listed. When all was forgotten, they are found again, too. */
static bool may_list(const struct sm_tail *t, struct other *x, const struct sm_trial_kind *kind,
                     struct sm_tail_changes *n)
{
    x->first = n->n_files;
    if (n->recreated)
        clear_other(x);
    if (n->exists && (n->no_memory || !open_other(t, x, kind)))
        n->no_memory = true;
    return n->exists && !n->no_memory && x->state;
}

/* Adds the news of what is beside. */
static void list_beside(struct sm_tail *t, struct sm_tail_changes *n)
{
    bool one_worker = n->one_worker, by_lines = n->by_lines, emptied = n->emptied;
    if (!may_list(t, &t->beside, t->in.options.beside, n))
        return;
    t->beside.in.kind->list(t->beside.state, n);
    n->one_worker = one_worker;
    n->by_lines = by_lines;
    n->emptied = n->emptied && emptied;
    n->one_by_one = n->one_by_one || (n->n_files && t->beside.first);
    n->n_files += t->beside.first;
}

/* Of a run of validation only the values count: it says the rest itself. */
static void list_validation(struct sm_tail *t, struct sm_tail_changes *n)
{
    struct other *x = &t->validation;
    x->in.training_root = t->in.source->root;
    x->in.validation_name = t->validation_name;
    if (!may_list(t, x, &sm_trial_kind_tensorboard, n))
        return;
    struct sm_tail_changes *own = sm_news_new();
    if (own)
        x->in.kind->list(x->state, own);
    n->no_memory = !own || own->no_memory;
    if (own) {
        n->more = n->more || own->more;
        n->one_by_one = n->one_by_one || own->one_by_one || (own->n_files && x->first);
        n->n_files += own->n_files;
    }
    sm_tail_changes_free(own);
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
    t->beside.first = n->n_files;
    if (t->in.options.beside)
        list_beside(t, n);
    t->validation.first = n->n_files;
    if (t->validation.in.source)
        list_validation(t, n);
    t->decided = t->decided || n->n_files || n->n_collections;
    return n;
}

/* What has file i of the queue; NULL: the kind itself. */
static const struct other *other_of(const struct sm_tail *t, size_t i)
{
    if (t->validation.state && i >= t->validation.first)
        return &t->validation;
    return t->beside.state && i >= t->beside.first ? &t->beside : NULL;
}

struct sm_batch *sm_tail_read(const struct sm_tail *t, size_t from, size_t to)
{
    const struct other *x = other_of(t, from);
    if (!x)
        return t->kind->read(t->state, from, to);
    struct sm_batch *b = x->in.kind->read(x->state, from - x->first, to - x->first);
    if (b)
        b->first = from;
    if (b && x == &t->validation) {
        b->validation = t->validation_name;
        sm_problems_clear(&b->problems);
    }
    return b;
}

void sm_tail_settle(struct sm_tail *t, const struct sm_batch *b, size_t n_merged)
{
    const struct other *x = other_of(t, b->first);
    struct sm_batch own = *b;
    own.first -= x ? x->first : 0;
    if (x)
        x->in.kind->settle(x->state, &own, n_merged);
    else
        t->kind->settle(t->state, b, n_merged);
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
    const struct other *const others[] = {&t->beside, &t->validation};
    for (size_t i = 0; i < 2; i++)
        if (others[i]->state && others[i]->in.kind->unread)
            others[i]->in.kind->unread(others[i]->state);
}
