/* SPDX-License-Identifier: Apache-2.0 */
/* Makes room for a part of a batch: its worker, its names, its entries. */
#include "reader/base/vec.h"
#include "reader/format/location.h"
#include "reader/tensor/statistic_list.h"
#include "reader/trial_take.h"

#include <string.h>

/* ---- workers: in natural order, so numbers change when one is inserted ---- */

static void renumber_workers(struct sm_trial *t, size_t from)
{
    for (size_t i = 0; i < t->n_parts; i++)
        t->parts[i].worker = (uint16_t)(t->parts[i].worker + (t->parts[i].worker >= from));
}

static void insert_i64(int64_t *items, size_t n, size_t at, int64_t value)
{
    memmove(&items[at + 1], &items[at], (n - at) * sizeof *items);
    items[at] = value;
}

/* The index of the first worker that is not before the name. */
static size_t worker_place(const struct sm_trial *t, const char *name)
{
    size_t lo = 0, hi = t->n_workers;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (sm_natural_cmp(t->workers[mid], name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

uint32_t sm_trial_add_worker(struct sm_trial *t, const char *name)
{
    size_t n = t->n_workers, at = worker_place(t, name);
    if (at < n && strcmp(t->workers[at], name) == 0)
        return (uint32_t)at;
    if (n >= SM_WORKER_ANY || !SM_VEC_ROOM(t->workers, n, t->cap_workers) ||
        !SM_VEC_ROOM(t->worker_last, n, t->cap_last) ||
        !SM_VEC_ROOM(t->worker_written, n, t->cap_written))
        return UINT32_MAX;
    char *copy = sm_strdup(name);
    if (!copy)
        return UINT32_MAX;
    memmove(&t->workers[at + 1], &t->workers[at], (n - at) * sizeof *t->workers);
    t->workers[at] = copy;
    insert_i64(t->worker_last, n, at, -1);
    insert_i64(t->worker_written, n, at, 0);
    t->n_workers++;
    if (at < n)
        renumber_workers(t, at);
    return (uint32_t)at;
}

/* ---- the trial's ids of a batch's names, looked up once per batch ---- */

static uint32_t tensor_of(struct sm_trial *t, const char *p, size_t n)
{
    uint32_t id = sm_names_add(t->names, p, n);
    if (id == SM_NAME_NONE || id < t->n_tensors)
        return id;
    if (!sm_vec_reserve((void **)&t->tensors, &t->cap_tensors, (size_t)id + 1,
                        sizeof *t->tensors) ||
        !sm_vec_reserve((void **)&t->room, &t->cap_room, (size_t)id + 1, sizeof *t->room) ||
        !sm_vec_reserve((void **)&t->order, &t->cap_order, (size_t)id + 1, sizeof *t->order))
        return SM_NAME_NONE;
    for (; t->n_tensors <= id; t->n_tensors++) {
        t->tensors[t->n_tensors] = (struct sm_trial_tensor){.name = (uint32_t)t->n_tensors};
        t->room[t->n_tensors] = 0;
    }
    return id;
}

static bool look_up_name(struct sm_trial *t, const struct sm_batch *b, uint32_t name,
                         struct name_ids *m)
{
    struct sm_text text = {sm_names_text(b->names, name), sm_names_length(b->names, name)}, op,
                   tensor = text;
    bool absolute;
    m->kind = SM_ENTRY_VALUE;
    if (sm_location_reduction(text, &op, &absolute, &tensor)) {
        int reduction = sm_reduction_of_name(op.p, op.n);
        if (reduction > 0) {
            m->kind = SM_ENTRY_REDUCTION;
            m->reduction = (uint8_t)(reduction | (absolute ? SM_REDUCE_ABS : 0));
        } else {
            tensor = text; /* an unknown operation: shown as a tensor of that name */
        }
    }
    uint32_t id = tensor_of(t, tensor.p, tensor.n);
    m->tensor = id + 1;
    return id != SM_NAME_NONE;
}

/* ---- prepare ---- */

static bool reserve_entry(struct sm_trial *t, uint32_t id)
{
    struct sm_trial_tensor *x = &t->tensors[id];
    size_t room = ++t->room[id];
    return sm_trial_unpack_scalars(t, x) &&
           sm_vec_reserve((void **)&x->located, &x->cap_entries, x->n_entries + room,
                          sizeof *x->located) &&
           (!x->kept || sm_vec_reserve((void **)&x->kept, &x->cap_briefs, x->n_entries + room,
                                       sizeof *x->kept));
}

static bool reserve_value(struct sm_trial *t, const struct sm_batch *b, size_t value, uint32_t id)
{
    bool known = b->known && b->known[value].dtype;
    return reserve_entry(t, id) && (!known || sm_trial_need_briefs(&t->tensors[id]));
}

/* Packed if the tensor has nothing else; sm_trial_open_scalar makes the room. Scalars are known
 * when they are added, so otherwise they have briefs from the start. */
static bool reserve_scalar(struct sm_trial *t, uint32_t id)
{
    struct sm_trial_tensor *x = &t->tensors[id];
    if (!t->room[id] && !sm_trial_pack_scalars(x))
        return false;
    if (x->scalars && t->room[id] < SM_POINTS_BLOCK / 2) {
        t->room[id]++;
        return true;
    }
    return reserve_entry(t, id) && (x->kept || sm_trial_need_briefs(x));
}

static bool reserve_scalars(struct sm_trial *t, const struct sm_batch *b,
                            const struct sm_batch_part *p, struct name_ids *names,
                            size_t *n_scalars)
{
    for (*n_scalars = 0; *n_scalars < p->n_scalars; ++*n_scalars) {
        uint32_t name = b->scalars[p->first_scalar + *n_scalars].name, id;
        if (!names[name].tensor) {
            id = tensor_of(t, sm_names_text(b->names, name), sm_names_length(b->names, name));
            if (id == SM_NAME_NONE)
                return false;
            names[name] = (struct name_ids){.tensor = id + 1, .kind = SM_ENTRY_VALUE};
        }
        if (!reserve_scalar(t, names[name].tensor - 1))
            return ++*n_scalars, false;
    }
    return true;
}

static bool reserve_entries(struct sm_trial *t, const struct sm_batch *b,
                            const struct sm_batch_part *p, struct name_ids *names, size_t *n_values,
                            size_t *n_shapes)
{
    for (*n_values = 0; *n_values < p->n_values; ++*n_values) {
        uint32_t name = b->values[p->first_value + *n_values].name;
        if (!names[name].tensor && !look_up_name(t, b, name, &names[name]))
            return false;
        if (!reserve_value(t, b, p->first_value + *n_values, names[name].tensor - 1))
            return ++*n_values, false;
    }
    for (*n_shapes = 0; *n_shapes < p->n_shapes; ++*n_shapes) {
        const struct sm_batch_shape *s = &b->shapes[p->first_shape + *n_shapes];
        uint32_t id =
            tensor_of(t, sm_names_text(b->names, s->name), sm_names_length(b->names, s->name));
        if (id == SM_NAME_NONE)
            return false;
        if (!reserve_entry(t, id))
            return ++*n_shapes, false;
    }
    return true;
}

uint32_t sm_trial_shape_tensor(const struct sm_trial *t, const struct sm_batch *b,
                               const struct sm_batch_shape *s)
{
    return sm_names_find(t->names, sm_names_text(b->names, s->name),
                         sm_names_length(b->names, s->name));
}

static size_t dims_of(const struct sm_batch *b, const struct sm_batch_part *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n_shapes; i++)
        n += (size_t)b->dims[b->shapes[p->first_shape + i].first_dim] + 1;
    return n;
}

/* Adding a worker renumbers others. */
static uint32_t worker_of(struct sm_trial *t, const char *name, struct name_ids *known)
{
    if (!known->workers || known->workers != t->n_workers) {
        known->worker = sm_trial_add_worker(t, name);
        known->workers = (uint32_t)t->n_workers;
    }
    return known->worker;
}

/* The place of each scalar, so that adding it cannot fail. */
static bool open_scalars(struct sm_trial *t, const struct sm_batch *b,
                         const struct sm_batch_part *p, const struct name_ids *names,
                         const struct prepared *x)
{
    const struct sm_part part = {
        .step = {p->step}, .worker = (uint16_t)x->worker, .event_file = x->path};
    for (size_t i = 0; i < p->n_scalars; i++)
        if (!sm_trial_open_scalar(t, names[b->scalars[p->first_scalar + i].name].tensor - 1, &part))
            return false;
    return true;
}

bool sm_trial_prepare(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p,
                      struct name_ids *names, struct prepared *out)
{
    size_t n_values = 0, n_shapes = 0, n_scalars = 0;
    out->worker = worker_of(t, sm_names_text(b->names, p->worker), &names[p->worker]);
    out->path = SM_NAME_NONE;
    if (p->event_file != SM_NAME_NONE)
        out->path = sm_names_add(t->paths, sm_names_text(b->names, p->event_file),
                                 sm_names_length(b->names, p->event_file));
    bool ok = out->worker != UINT32_MAX &&
              (p->event_file == SM_NAME_NONE || out->path != SM_NAME_NONE) &&
              t->n_parts < NO_PART - 1 && t->n_sessions < UINT16_MAX &&
              SM_VEC_ROOM(t->parts, t->n_parts, t->cap_parts) &&
              SM_VEC_ROOM(t->next_part, t->n_parts, t->cap_next) && sm_step_list_open(t->steps) &&
              SM_VEC_ROOM(t->late, t->n_late, t->cap_late) &&
              SM_VEC_ROOM(t->sessions, t->n_sessions, t->cap_sessions) &&
              sm_vec_reserve((void **)&t->dims, &t->cap_dims, t->n_dims + dims_of(b, p),
                             sizeof *t->dims) &&
              reserve_entries(t, b, p, names, &n_values, &n_shapes) &&
              reserve_scalars(t, b, p, names, &n_scalars) && sm_trial_remove(t, b, p, names, out) &&
              open_scalars(t, b, p, names, out);
    for (size_t i = 0; i < n_values; i++)
        t->room[names[b->values[p->first_value + i].name].tensor - 1] = 0;
    for (size_t i = 0; i < n_scalars; i++)
        t->room[names[b->scalars[p->first_scalar + i].name].tensor - 1] = 0;
    for (size_t i = 0; i < n_shapes; i++)
        t->room[sm_trial_shape_tensor(t, b, &b->shapes[p->first_shape + i])] = 0;
    return ok;
}
