/* Batches into a trial: workers, steps, parts, entries, completeness, sessions. */
#include "reader/trial_state.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/location.h"

#include <string.h>

enum { WAIT_WINDOW = 1000 };             /* SMDEBUG_INCOMPLETE_STEP_WAIT_WINDOW */

/* ---- workers: kept in natural order, so numbers move when one comes in between ---- */

static void renumber(struct sm_trial *t, size_t from)
{
    for (size_t i = 0; i < t->n_parts; i++)
        t->parts[i].worker = (uint16_t)(t->parts[i].worker + (t->parts[i].worker >= from));
}

uint32_t sm_trial_worker_index(struct sm_trial *t, const char *name)
{
    size_t at = 0;
    while (at < t->n_workers && sm_natural_cmp(t->workers[at], name) < 0)
        at++;
    if (at < t->n_workers && strcmp(t->workers[at], name) == 0)
        return (uint32_t)at;
    if (!SM_VEC_ROOM(t->workers, t->n_workers, t->cap_workers) || !SM_VEC_ROOM(t->worker_last, t->n_workers, t->cap_worker_last))
        return UINT32_MAX;
    char *copy = sm_strdup(name);
    if (!copy)
        return UINT32_MAX;
    memmove(&t->workers[at + 1], &t->workers[at], (t->n_workers - at) * sizeof *t->workers);
    memmove(&t->worker_last[at + 1], &t->worker_last[at], (t->n_workers - at) * sizeof *t->worker_last);
    t->workers[at] = copy;
    t->worker_last[at] = -1;
    if (at < t->n_workers++)
        renumber(t, at);
    return (uint32_t)at;
}

/* ---- steps ---- */

static bool step_index(struct sm_trial *t, const struct sm_batch_part *p, size_t *out)
{
    size_t at = t->n_steps;
    if (at && t->steps[at - 1].step.n >= p->step)
        at = sm_trial_step_at(t, (struct sm_step){p->step});
    *out = at;
    if (at < t->n_steps && t->steps[at].step.n == p->step)
        return true;
    if (!SM_VEC_ROOM(t->steps, t->n_steps, t->cap_steps))
        return false;
    memmove(&t->steps[at + 1], &t->steps[at], (t->n_steps - at) * sizeof *t->steps);
    t->n_steps++;
    if (at < t->completed)
        t->completed++;
    t->steps[at] = (struct sm_trial_step){
        .step = {p->step}, .mode_step = {p->mode_step}, .mode = (uint8_t)p->mode, .first_part = NO_PART, .time_us = p->time_us,
        .complete = t->ended || p->step <= t->last_complete,
    };
    return true;
}

/* Takes the part of the same worker out of the step's list, if there is one. */
static void unlink_old(struct sm_trial *t, struct sm_trial_step *s, uint32_t worker)
{
    for (uint32_t *link = &s->first_part; *link != NO_PART; link = &t->next_part[*link]) {
        if (t->parts[*link].worker != worker)
            continue;
        t->parts[*link].replaced = true;
        *link = t->next_part[*link];
        s->n_workers--;
        return;
    }
}

static void link_part(struct sm_trial *t, struct sm_trial_step *s, uint32_t part)
{
    uint32_t *link = &s->first_part;
    while (*link != NO_PART && t->parts[*link].worker < t->parts[part].worker)
        link = &t->next_part[*link];
    t->next_part[part] = *link;
    *link = part;
    s->n_workers++;
}

/* ---- sessions: a restart writes steps again, or goes on below what its worker has written ---- */

static bool note_session(struct sm_trial *t, const struct sm_batch_part *p, uint32_t worker)
{
    bool restart = t->scanned && (p->replaces || p->step < t->worker_last[worker]) && p->time_us > t->newest_us;
    struct sm_trial_session *s = t->n_sessions ? &t->sessions[t->n_sessions - 1] : NULL;
    if (!s || (restart && p->step <= s->last.n)) {
        if (t->n_sessions > UINT16_MAX - 1 || !SM_VEC_ROOM(t->sessions, t->n_sessions, t->cap_sessions))
            return false;
        s = &t->sessions[t->n_sessions];
        *s = (struct sm_trial_session){.id = (uint16_t)t->n_sessions, .first = {p->step}, .last = {p->step}, .begin_us = p->time_us};
        t->n_sessions++;
        for (size_t w = 0; restart && w < t->n_workers; w++)
            t->worker_last[w] = -1;
    }
    s->first.n = p->step < s->first.n ? p->step : s->first.n;
    s->last.n = p->step > s->last.n ? p->step : s->last.n;
    s->begin_us = p->time_us < s->begin_us ? p->time_us : s->begin_us;
    s->end_us = p->time_us > s->end_us ? p->time_us : s->end_us;
    return true;
}

/* ---- entries ---- */

static struct sm_trial_tensor *tensor_of(struct sm_trial *t, const char *p, size_t n)
{
    uint32_t id = sm_names_add(t->names, p, n);
    if (id == SM_NAME_NONE)
        return NULL;
    if (id < t->n_tensors)
        return &t->tensors[id];
    if (!SM_VEC_ROOM(t->tensors, t->n_tensors, t->cap_tensors))
        return NULL;
    t->tensors[id] = (struct sm_trial_tensor){.name = id};
    t->n_tensors = id + 1;
    return &t->tensors[id];
}

/* Does entry a of the trial stand before b? */
static bool stands_before(const struct sm_trial *t, const struct sm_entry *a, const struct sm_entry *b)
{
    const struct sm_part *x = &t->parts[a->part], *y = &t->parts[b->part];
    if (x->step.n != y->step.n)
        return x->step.n < y->step.n;
    if (x->worker != y->worker)
        return x->worker < y->worker;
    return a->part != b->part ? a->part < b->part : a->seq < b->seq;
}

static size_t place_of(const struct sm_trial *t, const struct sm_trial_tensor *x, const struct sm_entry *e)
{
    size_t lo = 0, hi = x->n_entries;
    if (hi && !stands_before(t, e, &x->entries[hi - 1]))
        return hi;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (stands_before(t, e, &x->entries[mid]))
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static bool add_entry(struct sm_trial *t, struct sm_trial_tensor *x, const struct sm_entry *e)
{
    const struct sm_part *p = &t->parts[e->part];
    size_t at = place_of(t, x, e);
    if (!SM_VEC_ROOM(x->entries, x->n_entries, x->cap_entries))
        return false;
    bool known = (at && t->parts[x->entries[at - 1].part].step.n == p->step.n) ||
                 (at < x->n_entries && t->parts[x->entries[at].part].step.n == p->step.n);
    memmove(&x->entries[at + 1], &x->entries[at], (x->n_entries - at) * sizeof *x->entries);
    x->entries[at] = *e;
    x->n_entries++;
    x->modes |= (uint8_t)(1 << p->mode);
    if (e->kind == SM_ENTRY_REDUCTION)
        x->reductions[(e->reduction & SM_REDUCE_ABS) != 0] |= 1u << (e->reduction & (SM_REDUCE_ABS - 1));
    x->has_value = x->has_value || e->kind == SM_ENTRY_VALUE;
    x->has_shape = x->has_shape || e->kind == SM_ENTRY_SHAPE;
    if (!known) {
        x->first.n = x->steps && x->first.n < p->step.n ? x->first.n : p->step.n;
        x->last.n = x->steps && x->last.n > p->step.n ? x->last.n : p->step.n;
        x->steps++;
        t->steps[sm_trial_step_at(t, p->step)].tensors++;
    }
    return true;
}

/* What a name of a batch is in the trial; looked up once a batch. */
struct meaning {
    uint32_t tensor;                     /* name id + 1; 0: not looked up yet */
    uint8_t kind, reduction;
};

static bool mean(struct sm_trial *t, const struct sm_batch *b, uint32_t name, struct meaning *m)
{
    struct sm_text text = {sm_names_text(b->names, name), sm_names_length(b->names, name)}, op, tensor = text;
    bool absolute;
    m->kind = SM_ENTRY_VALUE;
    if (sm_location_reduction(text, &op, &absolute, &tensor)) {
        int reduction = sm_reduction_of_name(op.p, op.n);
        if (reduction > 0) {
            m->kind = SM_ENTRY_REDUCTION;
            m->reduction = (uint8_t)(reduction | (absolute ? SM_REDUCE_ABS : 0));
        } else {
            tensor = text;               /* an operation we do not know: shown as a tensor of that name */
        }
    }
    struct sm_trial_tensor *x = tensor_of(t, tensor.p, tensor.n);
    m->tensor = x ? x->name + 1 : 0;
    return x;
}

static bool add_values(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p, uint32_t part, struct meaning *names)
{
    for (size_t i = 0; i < p->n_values; i++) {
        const struct sm_batch_value *v = &b->values[p->first_value + i];
        struct meaning *m = &names[v->name];
        if (!m->tensor && !mean(t, b, v->name, m))
            return false;
        struct sm_entry e = {.offset = v->offset, .length = v->length, .part = part, .kind = m->kind, .reduction = m->reduction,
                             .seq = (uint16_t)(i < UINT16_MAX ? i : UINT16_MAX)};
        if (!add_entry(t, &t->tensors[m->tensor - 1], &e))
            return false;
        t->bytes += (int64_t)v->length;
    }
    return true;
}

static bool add_shapes(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p, uint32_t part)
{
    for (size_t i = 0; i < p->n_shapes; i++) {
        const struct sm_batch_shape *s = &b->shapes[p->first_shape + i];
        const uint64_t *dims = &b->dims[s->first_dim];
        size_t n = (size_t)dims[0] + 1;
        struct sm_trial_tensor *x = tensor_of(t, sm_names_text(b->names, s->name), sm_names_length(b->names, s->name));
        if (!x || !sm_vec_reserve((void **)&t->dims, &t->cap_dims, t->n_dims + n, sizeof *t->dims))
            return false;
        struct sm_entry e = {.offset = t->n_dims, .part = part, .kind = SM_ENTRY_SHAPE, .seq = UINT16_MAX};
        memcpy(&t->dims[t->n_dims], dims, n * sizeof *dims);
        t->n_dims += n;
        if (!add_entry(t, x, &e))
            return false;
    }
    return true;
}

static void note_arrival(struct sm_trial *t, const struct sm_batch_part *p)
{
    if (p->time_us > t->newest_us)
        t->newest_us = p->time_us;
    size_t n = t->arrivals.n;
    if (n == ARRIVALS)
        memmove(t->arrivals.us, t->arrivals.us + 1, (--n) * sizeof *t->arrivals.us);
    t->arrivals.us[n] = p->time_us;
    t->arrivals.n = n + 1;
}

static bool add_part(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p, struct meaning *names)
{
    size_t at;
    uint32_t worker = sm_trial_worker_index(t, sm_names_text(b->names, p->worker)), part = (uint32_t)t->n_parts;
    if (worker == UINT32_MAX || t->n_parts >= NO_PART - 1 || !SM_VEC_ROOM(t->parts, t->n_parts, t->cap_parts) ||
        !SM_VEC_ROOM(t->next_part, t->n_parts, t->cap_next) || !note_session(t, p, worker) || !step_index(t, p, &at))
        return false;
    uint32_t path = SM_NAME_NONE;
    if (p->event_file != SM_NAME_NONE) {
        path = sm_names_add(t->paths, sm_names_text(b->names, p->event_file), sm_names_length(b->names, p->event_file));
        if (path == SM_NAME_NONE)
            return false;
    }
    struct sm_trial_session *session = &t->sessions[t->n_sessions - 1];
    struct sm_trial_step *s = &t->steps[at];
    session->steps += s->first_part == NO_PART || p->replaces;
    t->parts[part] = (struct sm_part){
        .step = {p->step}, .mode_step = {p->mode_step}, .mode = (uint8_t)p->mode, .worker = (uint16_t)worker,
        .session = session->id, .event_file = path, .entries = (uint32_t)(p->n_values + p->n_shapes), .time_us = p->time_us,
    };
    t->n_parts++;
    unlink_old(t, s, worker);
    if (s->first_part == NO_PART) {
        s->mode = (uint8_t)p->mode;
        s->mode_step.n = p->mode_step;
    }
    s->time_us = p->time_us > s->time_us ? p->time_us : s->time_us;
    link_part(t, s, part);
    if (p->step > t->worker_last[worker])
        t->worker_last[worker] = p->step;
    t->index_files++;
    note_arrival(t, p);
    return add_values(t, b, p, part, names) && add_shapes(t, b, p, part);
}

/* ---- completeness (TRIAL_FORMAT.md 16) ---- */

static void update_complete(struct sm_trial *t)
{
    if (t->num_workers > 0)
        for (size_t i = t->n_steps; i-- > t->completed;)
            if (t->steps[i].n_workers >= t->num_workers) {
                if (t->steps[i].step.n > t->last_complete)
                    t->last_complete = t->steps[i].step.n;
                break;
            }
    while ((int64_t)t->n_steps - (t->last_complete + 1) > WAIT_WINDOW && t->num_workers > 0)
        t->last_complete += WAIT_WINDOW / 2;
    int64_t upto = t->ended ? INT64_MAX : t->last_complete;
    while (t->completed < t->n_steps && t->steps[t->completed].step.n <= upto)
        t->steps[t->completed++].complete = true;
}

bool sm_trial_merge(struct sm_trial *t, struct sm_batch *b)
{
    struct meaning *names = sm_alloc_zero(sm_names_count(b->names), sizeof *names);
    bool ok = names && sm_trial_merge_collections(t, b);
    t->after_end = t->after_end || (t->ended && t->scanned && b->n_parts);
    t->ended = b->ended;
    t->claimed = b->claimed;
    t->exists = b->exists;
    for (size_t i = 0; ok && i < b->n_parts; i++)
        ok = add_part(t, b, &b->parts[i], names);
    for (size_t i = 0; i < b->problems.n; i++) {
        struct sm_err err = {.code = b->problems.items[i].code};
        sm_err_set(&err, err.code, "%s", b->problems.items[i].message);
        sm_problems_add(&t->problems, b->problems.items[i].file, b->problems.items[i].offset, &err);
    }
    update_complete(t);
    sm_free(names);
    return ok;
}
