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
