/* SPDX-License-Identifier: Apache-2.0 */
/* Adds a part of a batch to the trial: session, step, entries. */
#include "reader/trial_take.h"

#include <string.h>

/* ---- sessions ---- */

/* Whether p begins a session: a restarted job writes a step again that this session has, or
 * continues below the last step of its worker, later. When that was, the records say: what copies a
 * trial brings its files in any order and with any times. A file that merely arrives late was
 * written before what its worker wrote since. In the first scan only the newest are known. */
static bool is_restart(const struct sm_trial *t, const struct sm_batch_part *p, uint32_t worker,
                       const struct sm_part *before)
{
    if (!t->n_sessions || t->new_session)
        return true;
    if (before && p->completes)
        return false;
    if (before)
        return before->session == t->sessions[t->n_sessions - 1].id;
    return t->scanned && p->step < t->worker_last[worker] && p->written_us &&
           t->worker_written[worker] && p->written_us > t->worker_written[worker];
}

static bool begins_session(const struct sm_trial *t, const struct sm_batch_part *p, uint32_t worker,
                           const struct sm_part *before)
{
    if (p->session)
        return !t->n_sessions || p->session > t->given_session;
    return p->adds ? !t->n_sessions || t->new_session : is_restart(t, p, worker, before);
}

static void begin_session(struct sm_trial *t, const struct sm_batch_part *p)
{
    t->sessions[t->n_sessions] = (struct sm_trial_session){
        .id = (uint16_t)t->n_sessions,
        .first = {p->step},
        .last = {p->step},
        .begin_us = p->time_us,
        .end_us = p->time_us,
    };
    t->n_sessions++;
    t->new_session = false;
    for (size_t w = 0; w < t->n_workers; w++)
        t->worker_last[w] = -1;
}

static bool has_step(const struct sm_trial *t, const struct sm_trial_session *session,
                     const struct sm_trial_step *s)
{
    for (uint32_t k = s->first_part; k != NO_PART; k = t->next_part[k])
        if (t->parts[k].session == session->id)
            return true;
    return false;
}

static void extend_session(struct sm_trial_session *s, const struct sm_batch_part *p, bool new_step)
{
    s->first.n = p->step < s->first.n ? p->step : s->first.n;
    s->last.n = p->step > s->last.n ? p->step : s->last.n;
    s->begin_us = p->time_us < s->begin_us ? p->time_us : s->begin_us;
    s->end_us = p->time_us > s->end_us ? p->time_us : s->end_us;
    s->steps += new_step;
}

/* ---- steps and parts ---- */

static struct sm_trial_step *step_of(struct sm_trial *t, int64_t step)
{
    bool added;
    const struct sm_trial_step *next;
    struct sm_trial_step *s = sm_step_list_put(t->steps, step, &added, &next);
    if (!added)
        return s;
    s->first_part = NO_PART;
    s->complete = next && next->complete; /* those below a complete one are */
    t->completed += s->complete;
    t->mode_steps[s->mode]++;
    return s;
}

/* Room was made by sm_trial_prepare. */
static void note_late(struct sm_trial *t, int64_t step)
{
    const struct sm_trial_step *last = sm_step_list_last(t->steps);
    if (last && step <= last->step.n &&
        (t->n_late == t->late_before || t->late[t->n_late - 1] != step))
        t->late[t->n_late++] = step;
}

/* The part linked last, if it is the last one of the step and before the worker; else NO_PART.
 * Steps come with their workers in order, so most parts are appended without a search. */
static uint32_t tail_of(const struct sm_trial *t, const struct sm_trial_step *s, uint32_t worker)
{
    uint32_t k = t->tail_part;
    bool valid = k < t->n_parts && s->first_part != NO_PART && t->parts[k].step.n == s->step.n &&
                 !t->parts[k].replaced && t->next_part[k] == NO_PART;
    return valid && t->parts[k].worker < worker ? k : NO_PART;
}

/* The current part of a worker in a step. */
static struct sm_part *find_part(const struct sm_trial *t, const struct sm_trial_step *s,
                                 uint32_t worker)
{
    if (tail_of(t, s, worker) != NO_PART)
        return NULL;
    for (uint32_t k = s->first_part; k != NO_PART; k = t->next_part[k])
        if (t->parts[k].worker == worker)
            return &t->parts[k];
    return NULL;
}

static void unlink_part(struct sm_trial *t, struct sm_trial_step *s, struct sm_part *p)
{
    uint32_t *link = &s->first_part;
    while (&t->parts[*link] != p)
        link = &t->next_part[*link];
    *link = t->next_part[*link];
    p->replaced = true;
    s->n_workers--;
}

static void link_part(struct sm_trial *t, struct sm_trial_step *s, uint32_t part)
{
    const struct sm_part *p = &t->parts[part], *first;
    uint32_t tail = tail_of(t, s, p->worker), *link = &s->first_part;
    if (tail != NO_PART)
        link = &t->next_part[tail];
    while (*link != NO_PART && t->parts[*link].worker < p->worker)
        link = &t->next_part[*link];
    t->next_part[part] = *link;
    *link = part;
    t->tail_part = part;
    s->n_workers++;
    first = &t->parts[s->first_part];
    t->mode_steps[s->mode]--;
    t->mode_steps[first->mode]++;
    s->mode = first->mode;
    s->mode_step = first->mode_step;
    s->time_us = p->time_us > s->time_us ? p->time_us : s->time_us;
}

/* ---- entries ---- */

/* Whether entry a is ordered before b. */
static bool is_before(const struct sm_trial *t, const struct sm_entry *a, const struct sm_entry *b)
{
    const struct sm_part *x = &t->parts[a->part], *y = &t->parts[b->part];
    if (x->step.n != y->step.n)
        return x->step.n < y->step.n;
    if (x->worker != y->worker)
        return x->worker < y->worker;
    if (a->part == b->part)
        return a->seq < b->seq;
    return sm_trial_file_before(t, x, y) || (!sm_trial_file_before(t, y, x) && a->part < b->part);
}

size_t sm_trial_entry_position(const struct sm_trial *t, const struct sm_trial_tensor *x,
                               const struct sm_entry *e)
{
    size_t lo = 0, hi = x->n_entries;
    if (!hi || t->parts[e->part].step.n > x->last.n)
        return hi;
    struct sm_entry other = sm_tensor_entry(t, x, hi - 1);
    if (!is_before(t, e, &other))
        return hi;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        other = sm_tensor_entry(t, x, mid);
        if (is_before(t, e, &other))
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

/* A value that is being added: what of it is known besides where it lies. */
struct known {
    const struct sm_brief *brief;         /* NULL: not read yet, or a packed scalar */
    const struct sm_batch_scalar *scalar; /* NULL: it is none */
};

static void insert_located(struct sm_trial_tensor *x, const struct sm_entry *e,
                           const struct sm_brief *brief, size_t at)
{
    memmove(&x->located[at + 1], &x->located[at], (x->n_entries - at) * sizeof *x->located);
    x->located[at] = *e;
    if (x->kept) {
        memmove(&x->kept[at + 1], &x->kept[at], (x->n_entries - at) * sizeof *x->kept);
        x->kept[at] = brief ? *brief : (struct sm_brief){0};
    }
}

/* False: no memory, which cannot be after sm_trial_open_scalar. */
static bool insert_entry(struct sm_trial *t, struct sm_trial_tensor *x, const struct sm_entry *e,
                         const struct known *known, size_t at)
{
    if (!x->scalars)
        insert_located(x, e, known->brief, at);
    else if (!sm_trial_put_scalar(x, at, e, known->scalar))
        return false;
    x->n_entries++;
    if (e->kind == SM_ENTRY_SHAPE)
        return true;
    bool unsettled = !known->brief && !known->scalar;
    x->unsettled += unsettled;
    t->briefs.unsettled += unsettled;
    t->briefs.all++;
    return true;
}

static void add_entry(struct sm_trial *t, struct sm_trial_tensor *x, const struct sm_entry *e,
                      const struct known *value, struct sm_trial_step *s)
{
    size_t at = sm_trial_entry_position(t, x, e);
    int64_t step = s->step.n;
    bool last = at == x->n_entries, first = !at;
    bool known = last ? !first && x->last.n == step
                      : (!first && sm_trial_entry_step(t, x, at - 1) == step) ||
                            sm_trial_entry_step(t, x, at) == step;
    if (!x->n_entries) {
        t->order_stale = true;
        t->tensors_added++;
    }
    if (!insert_entry(t, x, e, value, at)) {
        t->scan.failed = true;
        return;
    }
    x->modes |= (uint8_t)(1 << t->parts[e->part].mode);
    if (e->kind == SM_ENTRY_REDUCTION)
        x->reductions[(e->reduction & SM_REDUCE_ABS) != 0] |=
            1u << (e->reduction & (SM_REDUCE_ABS - 1));
    x->has_value = x->has_value || e->kind == SM_ENTRY_VALUE;
    x->has_shape = x->has_shape || e->kind == SM_ENTRY_SHAPE;
    x->steps += !known;
    x->first.n = first ? step : x->first.n;
    x->last.n = last ? step : x->last.n;
    s->tensors += !known;
}

/* seq: that of the part's first value. */
static void add_entries(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p,
                        uint32_t part, size_t seq, const struct name_ids *names,
                        struct sm_trial_step *s)
{
    for (size_t i = 0; i < p->n_values; i++) {
        const struct sm_batch_value *v = &b->values[p->first_value + i];
        const struct name_ids *m = &names[v->name];
        bool same_record = i && v->offset == v[-1].offset;
        struct sm_entry e = {.offset =
                                 v->offset < SM_INDEX_OFFSET_MAX ? v->offset : SM_INDEX_OFFSET_MAX,
                             .length = v->length,
                             .value = v->value,
                             .part = part,
                             .tensor = m->tensor - 1,
                             .kind = m->kind,
                             .reduction = m->reduction & (SM_REDUCE_ABS * 2 - 1),
                             .seq = (uint16_t)(seq + i < UINT16_MAX ? seq + i : UINT16_MAX)};
        const struct sm_batch_scalar *known = b->known ? &b->known[p->first_value + i] : NULL;
        struct sm_brief brief;
        if (known && known->dtype)
            sm_brief_of_number((enum sm_dtype)known->dtype, known->element, known->time, &brief);
        add_entry(t, &t->tensors[m->tensor - 1], &e,
                  &(struct known){known && known->dtype ? &brief : NULL, NULL}, s);
        t->tensors[m->tensor - 1].forms |= (uint8_t)(1 << v->form);
        t->bytes += same_record ? 0 : v->length;
    }
}

/* seq: the number of values that the part has. A scalar has no record: its length is 0, and its
 * offset is a number of its own. */
static void add_scalars(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p,
                        uint32_t part, size_t seq, const struct name_ids *names,
                        struct sm_trial_step *s)
{
    for (size_t i = 0; i < p->n_scalars; i++, seq++) {
        const struct sm_batch_scalar *v = &b->scalars[p->first_scalar + i];
        uint32_t tensor = names[v->name].tensor - 1;
        struct sm_entry e = {.offset = t->scalars_added++ & SM_INDEX_OFFSET_MAX,
                             .value = UINT16_MAX,
                             .part = part,
                             .tensor = tensor,
                             .kind = SM_ENTRY_VALUE,
                             .seq = (uint16_t)(seq < UINT16_MAX ? seq : UINT16_MAX)};
        bool packed = t->tensors[tensor].scalars;
        struct sm_brief brief;
        if (!packed)
            sm_brief_of_number((enum sm_dtype)v->dtype, v->element, v->time, &brief);
        add_entry(t, &t->tensors[tensor], &e, &(struct known){packed ? NULL : &brief, v}, s);
        t->tensors[tensor].forms |= (uint8_t)(1 << SM_FORM_SCALAR);
    }
    t->bytes += p->scalar_bytes;
}

static void add_shape_entries(struct sm_trial *t, const struct sm_batch *b,
                              const struct sm_batch_part *p, uint32_t part, struct sm_trial_step *s)
{
    for (size_t i = 0; i < p->n_shapes; i++) {
        const struct sm_batch_shape *shape = &b->shapes[p->first_shape + i];
        const uint64_t *dims = &b->dims[shape->first_dim];
        size_t n = (size_t)dims[0] + 1;
        uint32_t tensor = sm_trial_shape_tensor(t, b, shape);
        struct sm_entry e = {.offset = t->n_dims,
                             .part = part,
                             .tensor = tensor,
                             .kind = SM_ENTRY_SHAPE,
                             .seq = UINT16_MAX};
        memcpy(&t->dims[t->n_dims], dims, n * sizeof *dims);
        t->n_dims += n;
        add_entry(t, &t->tensors[tensor], &e, &(struct known){0}, s);
    }
}

/* After a part was replaced: counts the names in the current parts of the step. */
static void recount_tensors(struct sm_trial *t, struct sm_trial_step *s)
{
    s->tensors = 0;
    for (size_t i = 0; i < t->n_tensors; i++) {
        size_t from, to;
        bool live = false;
        if (sm_trial_entries_at(t, &t->tensors[i], s->step, &from, &to))
            for (size_t k = from; k < to && !live; k++)
                live = !sm_tensor_part(t, &t->tensors[i], k)->replaced;
        s->tensors += live;
    }
}

static void note_arrival(struct sm_trial *t, int64_t time_us)
{
    size_t n = t->arrivals.n;
    if (n == ARRIVALS)
        memmove(t->arrivals.us, t->arrivals.us + 1, --n * sizeof *t->arrivals.us);
    t->arrivals.us[n] = time_us;
    t->arrivals.n = n + 1;
}

/* A growing file continues a step. False: no part of the step is of this file. */
static bool extend_part(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p,
                        const struct name_ids *names, const struct prepared *x,
                        struct sm_trial_step *s)
{
    for (uint32_t k = s->first_part; k != NO_PART; k = t->next_part[k]) {
        struct sm_part *before = &t->parts[k];
        if (before->worker != x->worker || before->event_file != x->path)
            continue;
        add_entries(t, b, p, k, before->entries, names, s);
        add_scalars(t, b, p, k, before->entries + p->n_values, names, s);
        before->entries += (uint32_t)(p->n_values + p->n_scalars);
        before->time_us = p->time_us > before->time_us ? p->time_us : before->time_us;
        t->newest_us = p->time_us > t->newest_us ? p->time_us : t->newest_us;
        return true;
    }
    return false;
}

void sm_trial_commit(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p,
                     const struct name_ids *names, const struct prepared *x)
{
    if (p->removes == SM_REMOVES_STEPS)
        return;
    uint32_t part = (uint32_t)t->n_parts;
    note_late(t, p->step);
    struct sm_trial_step *s = step_of(t, p->step);
    struct sm_part *before = find_part(t, s, x->worker);
    if (p->adds && extend_part(t, b, p, names, x, s))
        return;
    if (begins_session(t, p, x->worker, before))
        begin_session(t, p);
    t->given_session = p->session;
    struct sm_trial_session *session = &t->sessions[t->n_sessions - 1];
    bool new_step = !has_step(t, session, s);
    extend_session(session, p, new_step);
    t->parts[t->n_parts++] = (struct sm_part){
        .step = {p->step},
        .mode_step = {p->mode_step},
        .mode = (uint8_t)p->mode,
        .worker = (uint16_t)x->worker,
        .session = session->id,
        .event_file = x->path,
        .entries = (uint32_t)(p->n_values + p->n_scalars + p->n_shapes),
        .time_us = p->time_us,
    };
    if (before && !p->adds)
        unlink_part(t, s, before);
    if (new_step)
        note_arrival(t, p->time_us);
    link_part(t, s, part);
    /* one more part of the same worker */
    s->n_workers = (uint16_t)(s->n_workers - (before && p->adds));
    if (p->step > t->worker_last[x->worker]) {
        t->worker_last[x->worker] = p->step;
        t->worker_written[x->worker] = p->written_us;
    }
    t->newest_us = p->time_us > t->newest_us ? p->time_us : t->newest_us;
    t->index_files += !before;
    add_entries(t, b, p, part, 0, names, s);
    add_scalars(t, b, p, part, p->n_values, names, s);
    add_shape_entries(t, b, p, part, s);
    if (before && !p->adds)
        recount_tensors(t, s);
}
