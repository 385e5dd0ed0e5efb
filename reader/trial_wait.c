/* SPDX-License-Identifier: Apache-2.0 */
/* What is read beside the files of the trial itself. Of a run of validation only the scalars that
 * the trial has itself are taken. The others wait until it has them: validation may be logged
 * first. Of a session of hyperparameters only those are taken that the trial does not have. */
#include "reader/base/vec.h"
#include "reader/trial_state.h"

#include <string.h>

enum { WAITING_MAX = 200000 }; /* points; later ones are left out */

/* The part of the waiting points that p becomes: the last one, if it is of p's step. NULL: no
 * memory. */
static struct sm_batch_part *part_like(struct sm_batch *w, const struct sm_batch *b,
                                       const struct sm_batch_part *p)
{
    struct sm_batch_part *last = w->n_parts ? &w->parts[w->n_parts - 1] : NULL;
    if (last && last->step == p->step && last->removes == p->removes)
        return last;
    uint32_t worker = sm_names_add(w->names, sm_names_text(b->names, p->worker),
                                   sm_names_length(b->names, p->worker));
    if (worker == SM_NAME_NONE || !SM_VEC_ROOM(w->parts, w->n_parts, w->cap_parts))
        return NULL;
    w->parts[w->n_parts] = *p;
    last = &w->parts[w->n_parts++];
    last->worker = worker;
    last->event_file = SM_NAME_NONE;
    last->first_scalar = w->n_scalars;
    last->n_scalars = last->first_value = last->n_values = last->first_shape = last->n_shapes = 0;
    return last;
}

static void let_wait(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p,
                     const struct sm_batch_scalar *x)
{
    struct sm_batch *w = t->waiting = t->waiting ? t->waiting : sm_batch_new(0, 1);
    if (!w || w->n_scalars == WAITING_MAX)
        return;
    uint32_t name = sm_names_add(w->names, sm_names_text(b->names, x->name),
                                 sm_names_length(b->names, x->name));
    struct sm_batch_part *to = name == SM_NAME_NONE ? NULL : part_like(w, b, p);
    if (!to || !SM_VEC_ROOM(w->scalars, w->n_scalars, w->cap_scalars))
        return;
    w->scalars[w->n_scalars] = *x;
    w->scalars[w->n_scalars++].name = name;
    to->n_scalars++;
}

/* Whether the trial has the scalar that each name of the batch is of. NULL: no memory. */
static bool *known_names(const struct sm_trial *t, const struct sm_batch *b)
{
    uint32_t n_names = sm_names_count(b->names);
    size_t before = strlen(t->validation_name) + 1;
    bool *known = sm_alloc_zero((size_t)n_names + 1, sizeof *known);
    for (uint32_t i = 0; known && i < n_names; i++) {
        size_t n = sm_names_length(b->names, i);
        known[i] = n > before && sm_trial_find(t, sm_names_text(b->names, i) + before, n - before);
    }
    return known;
}

void sm_trial_keep_known(struct sm_trial *t, struct sm_batch *b)
{
    bool *known = known_names(t, b);
    size_t n_parts = 0;
    for (size_t i = 0; known && i < b->n_parts; i++) {
        struct sm_batch_part p = b->parts[i];
        struct sm_batch_scalar *x = b->scalars + p.first_scalar;
        size_t kept = 0;
        for (size_t k = 0; k < p.n_scalars; k++) {
            if (known[x[k].name])
                x[kept++] = x[k];
            else
                let_wait(t, b, &p, &x[k]);
        }
        p.n_scalars = kept;
        if (kept)
            b->parts[n_parts++] = p;
    }
    b->n_parts = known ? n_parts : b->n_parts;
    b->validation = NULL;
    sm_free(known);
}

bool sm_trial_take_waiting(struct sm_trial *t)
{
    struct sm_trial_merged m = {0};
    struct sm_batch *b = t->waiting;
    size_t work = SIZE_MAX;
    if (!b || t->waited_tensors == t->n_tensors)
        return false;
    t->waited_tensors = t->n_tensors;
    t->waiting = NULL;
    sm_trial_keep_known(t, b);
    bool any = b->n_parts;
    while (any && !sm_trial_merge(t, b, &m, &work))
        work = SIZE_MAX;
    sm_batch_free(b);
    return any;
}

static bool has_scalar(const struct sm_trial *t, const char *name, size_t n)
{
    return t->glance ? sm_glance_find(t->glance, name) != NULL : sm_trial_find(t, name, n) != NULL;
}

/* Whether only sessions have the scalar so far. */
static bool is_of_sessions(struct sm_trial *t, const char *name, size_t n)
{
    t->session_names = t->session_names ? t->session_names : sm_names_new();
    if (!t->session_names)
        return false;
    if (sm_names_find(t->session_names, name, n) != SM_NAME_NONE)
        return true;
    return !has_scalar(t, name, n) && sm_names_add(t->session_names, name, n) != SM_NAME_NONE;
}

void sm_trial_keep_unknown(struct sm_trial *t, struct sm_batch *b)
{
    size_t n_parts = 0;
    for (size_t i = 0; i < b->n_parts; i++) {
        struct sm_batch_part p = b->parts[i];
        struct sm_batch_scalar *x = b->scalars + p.first_scalar;
        size_t kept = 0;
        for (size_t k = 0; k < p.n_scalars; k++)
            if (is_of_sessions(t, sm_names_text(b->names, x[k].name),
                               sm_names_length(b->names, x[k].name)))
                x[kept++] = x[k];
        p.n_scalars = kept;
        if (kept)
            b->parts[n_parts++] = p;
    }
    b->n_parts = n_parts;
}
