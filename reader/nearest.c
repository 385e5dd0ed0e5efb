/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/nearest.h"

#include <inttypes.h>

static void consider_part(const struct sm_part *p, enum sm_mode mode, uint16_t worker,
                          int64_t number, struct sm_nearest *out)
{
    bool own = mode != SM_MODE_ANY && mode != SM_MODE_GLOBAL;
    if (p->replaced || (own && p->mode != mode) || (worker != SM_WORKER_ANY && p->worker != worker))
        return;
    struct sm_near_step s = {true, own ? p->mode_step.n : p->step.n, p->step};
    struct sm_near_step *place = s.number < number   ? &out->below
                                 : s.number > number ? &out->above
                                                     : &out->at;
    bool closer = s.number < number ? s.number > place->number : s.number < place->number;
    if (!place->found || closer)
        *place = s;
}

static void consider_step(const struct sm_trial *t, size_t i, enum sm_mode mode, uint16_t worker,
                          int64_t number, struct sm_nearest *out)
{
    const struct sm_part *p;
    for (p = sm_trial_step_part(t, i, 0); p; p = sm_trial_next_part(t, p))
        consider_part(p, mode, worker, number, out);
}

/* All parts of the tensor, or of all steps: the steps of a mode need not ascend. */
static void consider_all(const struct sm_trial *t, const struct sm_trial_tensor *x,
                         enum sm_mode mode, uint16_t worker, int64_t number, struct sm_nearest *out)
{
    for (size_t i = 0; x && i < x->n_entries; i++)
        consider_part(sm_tensor_part(t, x, i), mode, worker, number, out);
    for (size_t i = 0; !x && i < sm_trial_step_count(t); i++)
        consider_step(t, i, mode, worker, number, out);
}

/* Global steps ascend: from the number outwards, up to the first on each side. */
static void consider_steps_around(const struct sm_trial *t, uint16_t worker, int64_t number,
                                  struct sm_nearest *out)
{
    size_t at = sm_trial_step_at(t, (struct sm_step){number}), n = sm_trial_step_count(t);
    for (size_t i = at; i < n && !out->above.found; i++)
        consider_step(t, i, SM_MODE_ANY, worker, number, out);
    for (size_t i = at; i-- > 0 && !out->below.found;)
        consider_step(t, i, SM_MODE_ANY, worker, number, out);
}

static void consider_entries_around(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                    uint16_t worker, int64_t number, struct sm_nearest *out)
{
    size_t from, to;
    sm_trial_entries_at(t, x, (struct sm_step){number}, &from, &to);
    for (size_t i = from; i < x->n_entries && !out->above.found; i++)
        consider_part(sm_tensor_part(t, x, i), SM_MODE_ANY, worker, number, out);
    for (size_t i = from; i-- > 0 && !out->below.found;)
        consider_part(sm_tensor_part(t, x, i), SM_MODE_ANY, worker, number, out);
}

void sm_nearest_find(const struct sm_trial *t, const struct sm_trial_tensor *x, enum sm_mode mode,
                     uint16_t worker, int64_t number, struct sm_nearest *out)
{
    *out = (struct sm_nearest){0};
    if (mode != SM_MODE_ANY && mode != SM_MODE_GLOBAL)
        consider_all(t, x, mode, worker, number, out);
    else if (x)
        consider_entries_around(t, x, worker, number, out);
    else
        consider_steps_around(t, worker, number, out);
}

/* Unsigned: the numbers may be at both ends of their type. */
static uint64_t step_distance(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

const struct sm_near_step *sm_nearest_of(const struct sm_nearest *n, int64_t number)
{
    if (n->at.found)
        return &n->at;
    if (n->below.found && n->above.found)
        return step_distance(n->below.number, number) <= step_distance(n->above.number, number)
                   ? &n->below
                   : &n->above;
    return n->below.found ? &n->below : n->above.found ? &n->above : NULL;
}

void sm_nearest_format(const struct sm_nearest *n, struct sm_str *out)
{
    if (n->below.found)
        sm_str_printf(out, "%" PRId64, n->below.number);
    if (n->above.found)
        sm_str_printf(out, "%s%" PRId64, n->below.found ? ", " : "", n->above.number);
}
