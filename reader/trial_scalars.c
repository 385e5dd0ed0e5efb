/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors that are scalars with their numbers in the trial: packed points (reader/points/points.h)
 * instead of an entry and a brief for each. */
#include "reader/base/vec.h"
#include "reader/trial_take.h"

#include <string.h>

struct sm_entry sm_scalar_entry(const struct sm_trial_tensor *x, size_t i)
{
    const struct sm_scalar_point p = sm_points_get(x->scalars, i);
    return (struct sm_entry){.offset = i & SM_INDEX_OFFSET_MAX,
                             .value = UINT16_MAX,
                             .part = p.part,
                             .tensor = x->name,
                             .kind = SM_ENTRY_VALUE,
                             .seq = p.seq};
}

static struct sm_brief brief_of(const struct sm_scalar_point *p)
{
    struct sm_brief b;
    sm_brief_of_number((enum sm_dtype)p->dtype, p->element, p->time, &b);
    return b;
}

struct sm_brief sm_scalar_brief(const struct sm_trial_tensor *x, size_t i)
{
    const struct sm_scalar_point p = sm_points_get(x->scalars, i);
    return brief_of(&p);
}

static bool is_at(const struct sm_trial_tensor *x, size_t i, const struct sm_entry *e)
{
    if (i >= x->n_entries)
        return false;
    const struct sm_entry here = sm_scalar_entry(x, i);
    return here.part == e->part && here.seq == e->seq;
}

size_t sm_trial_scalar_index(const struct sm_trial *t, const struct sm_trial_tensor *x,
                             const struct sm_entry *e)
{
    if (is_at(x, e->offset, e))
        return e->offset;
    size_t at = e->part < t->n_parts ? sm_trial_entry_position(t, x, e) : 0;
    return at && is_at(x, at - 1, e) ? at - 1 : x->n_entries;
}

/* ---- many steps together ---- */

static bool is_finite_number(const struct sm_trial_tensor *x, size_t i)
{
    const unsigned wanted = SM_BRIEF_NUMBERS | SM_BRIEF_ONE,
                   bad = SM_BRIEF_NAN | SM_BRIEF_POS_INF | SM_BRIEF_NEG_INF | SM_BRIEF_FAILED;
    return x->located[i].kind == SM_ENTRY_VALUE && (x->kept[i].flags & (wanted | bad)) == wanted;
}

static size_t finite_to(const struct sm_trial_tensor *x, size_t from, size_t to)
{
    if (x->scalars)
        return sm_points_finite_to(x->scalars, from, to);
    while (x->kept && from < to && is_finite_number(x, from))
        from++;
    return from;
}

size_t sm_tensor_calm_to(const struct sm_trial *t, const struct sm_trial_tensor *x, size_t from,
                         size_t to, struct sm_calm *out)
{
    size_t i = from, end = finite_to(x, from, to);
    const struct sm_part *before = from && from < end ? sm_tensor_part(t, x, from - 1) : NULL;
    for (; i < end; i++) {
        const struct sm_part *p = sm_tensor_part(t, x, i);
        if (i == from)
            *out = (struct sm_calm){p->worker, (enum sm_mode)p->mode};
        if (p->replaced || p->worker != out->worker || p->mode != out->mode)
            break;
        if (before && before->step.n == p->step.n) /* neither of them is */
            return i > from ? i - 1 : from;
        before = p;
    }
    bool shared =
        i > from && i < x->n_entries && before && sm_tensor_part(t, x, i)->step.n == before->step.n;
    return shared ? i - 1 : i;
}

double sm_tensor_number(const struct sm_trial_tensor *x, size_t i)
{
    if (x->scalars) {
        const struct sm_scalar_point p = sm_points_get(x->scalars, i);
        return sm_scalar_number(&p);
    }
    return sm_dtype_load((enum sm_dtype)x->kept[i].dtype, x->kept[i].first);
}

/* ---- packing ---- */

bool sm_trial_pack_scalars(struct sm_trial_tensor *x)
{
    if (x->scalars || x->n_entries)
        return true;
    x->scalars = sm_points_new();
    sm_free(x->located);
    sm_free(x->kept);
    x->located = NULL;
    x->kept = NULL;
    x->cap_entries = x->cap_briefs = 0;
    return x->scalars;
}

bool sm_trial_unpack_scalars(struct sm_trial *t, struct sm_trial_tensor *x)
{
    struct sm_scalar_points *packed = x->scalars;
    if (!packed)
        return true;
    if (!sm_vec_reserve((void **)&x->located, &x->cap_entries, x->n_entries, sizeof *x->located) ||
        !sm_vec_reserve((void **)&x->kept, &x->cap_briefs, x->n_entries, sizeof *x->kept))
        return false;
    for (size_t i = 0; i < x->n_entries; i++) {
        x->located[i] = sm_scalar_entry(x, i);
        x->located[i].offset = t->scalars_added++ & SM_INDEX_OFFSET_MAX;
        x->kept[i] = sm_scalar_brief(x, i);
    }
    x->scalars = NULL;
    sm_points_free(packed);
    return true;
}

/* ---- a part ---- */

bool sm_trial_open_scalar(struct sm_trial *t, uint32_t tensor, const struct sm_part *p)
{
    struct sm_trial_tensor *x = &t->tensors[tensor];
    if (!x->scalars)
        return true;
    /* it will be this one, or be added to one that is equal to it in order */
    t->parts[t->n_parts] = *p;
    const struct sm_entry e = {.part = (uint32_t)t->n_parts, .tensor = tensor, .seq = UINT16_MAX};
    return sm_points_open(x->scalars, sm_trial_entry_position(t, x, &e), t->room[tensor]);
}

bool sm_trial_put_scalar(struct sm_trial_tensor *x, size_t at, const struct sm_entry *e,
                         const struct sm_batch_scalar *v)
{
    struct sm_scalar_point p = {
        .time = v->time, .part = e->part, .seq = (uint16_t)e->seq, .dtype = v->dtype};
    memcpy(p.element, v->element, sizeof p.element);
    return sm_points_insert(x->scalars, at, &p);
}
