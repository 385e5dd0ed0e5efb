/* What the tail found, into the trial: workers, sessions, steps, parts, entries, completeness.
 *
 * A part is taken whole or not at all: `prepare` reserves everything it needs and may fail, `commit` cannot. */
#include "reader/base/vec.h"
#include "reader/format/location.h"
#include "reader/trial_state.h"

#include <string.h>

enum { WAIT_WINDOW = 1000 };             /* SMDEBUG_INCOMPLETE_STEP_WAIT_WINDOW */

/* ---- workers: kept in natural order, so numbers move when one comes in between ---- */

static void renumber(struct sm_trial *t, size_t from)
{
    for (size_t i = 0; i < t->n_parts; i++)
        t->parts[i].worker = (uint16_t)(t->parts[i].worker + (t->parts[i].worker >= from));
}

static void insert_i64(int64_t *items, size_t n, size_t at, int64_t value)
{
    memmove(&items[at + 1], &items[at], (n - at) * sizeof *items);
    items[at] = value;
}

uint32_t sm_trial_add_worker(struct sm_trial *t, const char *name)
{
    size_t at = 0, n = t->n_workers;
    while (at < n && sm_natural_cmp(t->workers[at], name) < 0)
        at++;
    if (at < n && strcmp(t->workers[at], name) == 0)
        return (uint32_t)at;
    if (n >= SM_WORKER_ANY || !SM_VEC_ROOM(t->workers, n, t->cap_workers) || !SM_VEC_ROOM(t->worker_last, n, t->cap_last) ||
        !SM_VEC_ROOM(t->worker_time, n, t->cap_time))
        return UINT32_MAX;
    char *copy = sm_strdup(name);
    if (!copy)
        return UINT32_MAX;
    memmove(&t->workers[at + 1], &t->workers[at], (n - at) * sizeof *t->workers);
    t->workers[at] = copy;
    insert_i64(t->worker_last, n, at, -1);
    insert_i64(t->worker_time, n, at, 0);
    t->n_workers++;
    if (at < n)
        renumber(t, at);
    return (uint32_t)at;
}

/* ---- sessions ---- */

/* A restarted job writes a step again that this session has, or goes on below what its worker has written, later. A file
 * that only arrives late is older than what its worker wrote since. At the first scan no order can be told. */
static bool is_restart(const struct sm_trial *t, const struct sm_batch_part *p, uint32_t worker, const struct sm_part *before)
{
    if (!t->n_sessions || t->new_session)
        return true;
    if (before)
        return before->session == t->sessions[t->n_sessions - 1].id;
    return t->scanned && p->step < t->worker_last[worker] && p->time_us > t->worker_time[worker];
}

static void begin_session(struct sm_trial *t, const struct sm_batch_part *p)
{
    t->sessions[t->n_sessions] = (struct sm_trial_session){
        .id = (uint16_t)t->n_sessions, .first = {p->step}, .last = {p->step}, .begin_us = p->time_us, .end_us = p->time_us,
    };
    t->n_sessions++;
    t->new_session = false;
    for (size_t w = 0; w < t->n_workers; w++)
        t->worker_last[w] = -1;
}

static bool has_step(const struct sm_trial *t, const struct sm_trial_session *session, const struct sm_trial_step *s)
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

/* ---- what the names of a batch are in the trial; looked up once a batch ---- */

struct meaning {
    uint32_t tensor;                     /* name id + 1; 0: not looked up yet */
    uint8_t kind, reduction;
};

static uint32_t tensor_of(struct sm_trial *t, const char *p, size_t n)
{
    uint32_t id = sm_names_add(t->names, p, n);
    if (id == SM_NAME_NONE || id < t->n_tensors)
        return id;
    if (!sm_vec_reserve((void **)&t->tensors, &t->cap_tensors, (size_t)id + 1, sizeof *t->tensors) ||
        !sm_vec_reserve((void **)&t->room, &t->cap_room, (size_t)id + 1, sizeof *t->room) ||
        !sm_vec_reserve((void **)&t->order, &t->cap_order, (size_t)id + 1, sizeof *t->order))
        return SM_NAME_NONE;
    for (; t->n_tensors <= id; t->n_tensors++) {
        t->tensors[t->n_tensors] = (struct sm_trial_tensor){.name = (uint32_t)t->n_tensors};
        t->room[t->n_tensors] = 0;
    }
    return id;
}

static bool look_up(struct sm_trial *t, const struct sm_batch *b, uint32_t name, struct meaning *m)
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
    uint32_t id = tensor_of(t, tensor.p, tensor.n);
    m->tensor = id + 1;
    return id != SM_NAME_NONE;
}

/* ---- prepare ---- */

static bool reserve_entry(struct sm_trial *t, uint32_t id)
{
    struct sm_trial_tensor *x = &t->tensors[id];
    return sm_vec_reserve((void **)&x->entries, &x->cap_entries, x->n_entries + ++t->room[id], sizeof *x->entries);
}

static bool reserve_entries(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p, struct meaning *names,
                            size_t *n_values, size_t *n_shapes)
{
    for (*n_values = 0; *n_values < p->n_values; ++*n_values) {
        uint32_t name = b->values[p->first_value + *n_values].name;
        if (!names[name].tensor && !look_up(t, b, name, &names[name]))
            return false;
        if (!reserve_entry(t, names[name].tensor - 1))
            return ++*n_values, false;
    }
    for (*n_shapes = 0; *n_shapes < p->n_shapes; ++*n_shapes) {
        const struct sm_batch_shape *s = &b->shapes[p->first_shape + *n_shapes];
        uint32_t id = tensor_of(t, sm_names_text(b->names, s->name), sm_names_length(b->names, s->name));
        if (id == SM_NAME_NONE)
            return false;
        if (!reserve_entry(t, id))
            return ++*n_shapes, false;
    }
    return true;
}

static uint32_t shape_tensor(const struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_shape *s)
{
    return sm_names_find(t->names, sm_names_text(b->names, s->name), sm_names_length(b->names, s->name));
}

static size_t dims_of(const struct sm_batch *b, const struct sm_batch_part *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n_shapes; i++)
        n += (size_t)b->dims[b->shapes[p->first_shape + i].first_dim] + 1;
    return n;
}

struct prepared {
    uint32_t worker, path;
};

static bool prepare(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p, struct meaning *names, struct prepared *out)
{
    size_t n_values = 0, n_shapes = 0;
    out->worker = sm_trial_add_worker(t, sm_names_text(b->names, p->worker));
    out->path = SM_NAME_NONE;
    if (p->event_file != SM_NAME_NONE)
        out->path = sm_names_add(t->paths, sm_names_text(b->names, p->event_file), sm_names_length(b->names, p->event_file));
    bool ok = out->worker != UINT32_MAX && (p->event_file == SM_NAME_NONE || out->path != SM_NAME_NONE) && t->n_parts < NO_PART - 1 &&
              t->n_sessions < UINT16_MAX && SM_VEC_ROOM(t->parts, t->n_parts, t->cap_parts) &&
              SM_VEC_ROOM(t->next_part, t->n_parts, t->cap_next) && SM_VEC_ROOM(t->steps, t->n_steps, t->cap_steps) &&
              SM_VEC_ROOM(t->sessions, t->n_sessions, t->cap_sessions) &&
              sm_vec_reserve((void **)&t->dims, &t->cap_dims, t->n_dims + dims_of(b, p), sizeof *t->dims) &&
              reserve_entries(t, b, p, names, &n_values, &n_shapes);
    for (size_t i = 0; i < n_values; i++)
        t->room[names[b->values[p->first_value + i].name].tensor - 1] = 0;
    for (size_t i = 0; i < n_shapes; i++)
        t->room[shape_tensor(t, b, &b->shapes[p->first_shape + i])] = 0;
    return ok;
}

/* ---- commit: steps and parts ---- */

static size_t step_index(struct sm_trial *t, int64_t step)
{
    size_t at = sm_trial_step_at(t, (struct sm_step){step});
    if (at < t->n_steps && t->steps[at].step.n == step)
        return at;
    memmove(&t->steps[at + 1], &t->steps[at], (t->n_steps - at) * sizeof *t->steps);
    t->n_steps++;
    t->steps[at] = (struct sm_trial_step){.step = {step}, .first_part = NO_PART};
    if (at < t->completed) {
        t->completed++;
        t->steps[at].complete = true;
    }
    return at;
}

/* The part that stands for a worker in a step. */
static struct sm_part *part_of(const struct sm_trial *t, const struct sm_trial_step *s, uint32_t worker)
{
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
    uint32_t *link = &s->first_part;
    while (*link != NO_PART && t->parts[*link].worker < p->worker)
        link = &t->next_part[*link];
    t->next_part[part] = *link;
    *link = part;
    s->n_workers++;
    first = &t->parts[s->first_part];
    s->mode = first->mode;
    s->mode_step = first->mode_step;
    s->time_us = p->time_us > s->time_us ? p->time_us : s->time_us;
}

/* ---- commit: entries ---- */

/* Does entry a stand before b? */
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

static int64_t step_of(const struct sm_trial *t, const struct sm_trial_tensor *x, size_t i)
{
    return t->parts[x->entries[i].part].step.n;
}

static void add_entry(struct sm_trial *t, struct sm_trial_tensor *x, const struct sm_entry *e, struct sm_trial_step *s)
{
    size_t at = place_of(t, x, e);
    bool known = (at && step_of(t, x, at - 1) == s->step.n) || (at < x->n_entries && step_of(t, x, at) == s->step.n);
    memmove(&x->entries[at + 1], &x->entries[at], (x->n_entries - at) * sizeof *x->entries);
    x->entries[at] = *e;
    if (!x->n_entries) {
        t->order_stale = true;
        t->births++;
    }
    x->n_entries++;
    x->modes |= (uint8_t)(1 << t->parts[e->part].mode);
    if (e->kind == SM_ENTRY_REDUCTION)
        x->reductions[(e->reduction & SM_REDUCE_ABS) != 0] |= 1u << (e->reduction & (SM_REDUCE_ABS - 1));
    x->has_value = x->has_value || e->kind == SM_ENTRY_VALUE;
    x->has_shape = x->has_shape || e->kind == SM_ENTRY_SHAPE;
    x->steps += !known;
    x->first.n = step_of(t, x, 0);
    x->last.n = step_of(t, x, x->n_entries - 1);
    s->tensors += !known;
}

/* seq: of the part's first value. */
static void add_values(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p, uint32_t part, size_t seq,
                       const struct meaning *names, struct sm_trial_step *s)
{
    for (size_t i = 0; i < p->n_values; i++) {
        const struct sm_batch_value *v = &b->values[p->first_value + i];
        const struct meaning *m = &names[v->name];
        bool same_record = i && v->offset == v[-1].offset;
        struct sm_entry e = {.offset = v->offset, .length = v->length, .value = v->value, .part = part, .kind = m->kind,
                             .reduction = m->reduction,
                             .seq = (uint16_t)(seq + i < UINT16_MAX ? seq + i : UINT16_MAX)};
        add_entry(t, &t->tensors[m->tensor - 1], &e, s);
        t->bytes += same_record ? 0 : v->length;
    }
}

static void add_shapes(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p, uint32_t part, struct sm_trial_step *s)
{
    for (size_t i = 0; i < p->n_shapes; i++) {
        const struct sm_batch_shape *shape = &b->shapes[p->first_shape + i];
        const uint64_t *dims = &b->dims[shape->first_dim];
        size_t n = (size_t)dims[0] + 1;
        struct sm_entry e = {.offset = t->n_dims, .part = part, .kind = SM_ENTRY_SHAPE, .seq = UINT16_MAX};
        memcpy(&t->dims[t->n_dims], dims, n * sizeof *dims);
        t->n_dims += n;
        add_entry(t, &t->tensors[shape_tensor(t, b, shape)], &e, s);
    }
}

/* After a part was replaced: the names that the present parts of the step have. */
static void recount_tensors(struct sm_trial *t, struct sm_trial_step *s)
{
    s->tensors = 0;
    for (size_t i = 0; i < t->n_tensors; i++) {
        size_t from, to;
        bool live = false;
        if (sm_trial_entries_at(t, &t->tensors[i], s->step, &from, &to))
            for (size_t k = from; k < to && !live; k++)
                live = !t->parts[t->tensors[i].entries[k].part].replaced;
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

/* A file that grows goes on with a step. False: no part of the step is of this file. */
static bool extend_part(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p, const struct meaning *names,
                        const struct prepared *x, struct sm_trial_step *s)
{
    for (uint32_t k = s->first_part; k != NO_PART; k = t->next_part[k]) {
        struct sm_part *before = &t->parts[k];
        if (before->worker != x->worker || before->event_file != x->path)
            continue;
        add_values(t, b, p, k, before->entries, names, s);
        before->entries += (uint32_t)p->n_values;
        before->time_us = p->time_us > before->time_us ? p->time_us : before->time_us;
        t->newest_us = p->time_us > t->newest_us ? p->time_us : t->newest_us;
        return true;
    }
    return false;
}

static void commit(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p, const struct meaning *names,
                   const struct prepared *x)
{
    uint32_t part = (uint32_t)t->n_parts;
    struct sm_trial_step *s = &t->steps[step_index(t, p->step)];
    struct sm_part *before = part_of(t, s, x->worker);
    if (p->adds && extend_part(t, b, p, names, x, s))
        return;
    if (p->adds ? !t->n_sessions || t->new_session : is_restart(t, p, x->worker, before))
        begin_session(t, p);
    struct sm_trial_session *session = &t->sessions[t->n_sessions - 1];
    bool new_step = !has_step(t, session, s);
    extend_session(session, p, new_step);
    t->parts[t->n_parts++] = (struct sm_part){
        .step = {p->step}, .mode_step = {p->mode_step}, .mode = (uint8_t)p->mode, .worker = (uint16_t)x->worker,
        .session = session->id, .event_file = x->path, .entries = (uint32_t)(p->n_values + p->n_shapes), .time_us = p->time_us,
    };
    if (before && !p->adds)
        unlink_part(t, s, before);
    if (new_step)
        note_arrival(t, p->time_us);
    link_part(t, s, part);
    s->n_workers = (uint16_t)(s->n_workers - (before && p->adds));         /* one more part of the same worker */
    if (p->step > t->worker_last[x->worker]) {
        t->worker_last[x->worker] = p->step;
        t->worker_time[x->worker] = p->time_us;
    }
    t->newest_us = p->time_us > t->newest_us ? p->time_us : t->newest_us;
    t->index_files += !before;
    add_values(t, b, p, part, 0, names, s);
    add_shapes(t, b, p, part, s);
    if (before && !p->adds)
        recount_tensors(t, s);
}

/* ---- completeness (doc/formats.md) ---- */

static void update_complete(struct sm_trial *t)
{
    int64_t needed = t->options.worker && t->num_workers > 1 ? 1 : t->num_workers;
    for (size_t i = t->n_steps; needed > 0 && i-- > t->completed;)
        if (t->steps[i].n_workers >= needed) {
            t->last_complete = t->steps[i].step.n > t->last_complete ? t->steps[i].step.n : t->last_complete;
            break;
        }
    while (needed > 0 && (int64_t)t->n_steps - (t->last_complete + 1) > WAIT_WINDOW)
        t->last_complete += WAIT_WINDOW / 2;
    int64_t upto = t->ended ? INT64_MAX : t->last_complete;
    while (t->completed < t->n_steps && t->steps[t->completed].step.n <= upto)
        t->steps[t->completed++].complete = true;
}

/* The end marker went: a restarted job removed it. */
static void reopen(struct sm_trial *t)
{
    t->completed = 0;
    for (size_t i = 0; i < t->n_steps; i++)
        t->steps[i].complete = false;
}

/* ---- batches ---- */

void sm_trial_take_problems(struct sm_trial *t, const struct sm_problems *p)
{
    for (size_t i = 0; i < p->n; i++) {
        struct sm_err err;
        sm_err_set(&err, p->items[i].code, "%s", p->items[i].message);
        sm_problems_add(&t->problems, p->items[i].file, p->items[i].offset, &err);
    }
}

size_t sm_trial_merge(struct sm_trial *t, const struct sm_batch *b)
{
    struct meaning *names = sm_alloc_zero(sm_names_count(b->names), sizeof *names);
    size_t i = 0;
    for (; names && i < b->n_parts; i++) {
        struct prepared x;
        if (!prepare(t, b, &b->parts[i], names, &x))
            break;
        commit(t, b, &b->parts[i], names, &x);
    }
    sm_free(names);
    t->after_end = t->after_end || (t->ended && t->scanned && i);
    t->arrivals_seen += i > 0;
    sm_trial_take_problems(t, &b->problems);
    update_complete(t);
    return i;
}

/* Another directory has taken the place of the one we knew: its steps are not on disk any more. Parts stay, as readers
 * remember values by their numbers. */
static void forget_steps(struct sm_trial *t)
{
    for (size_t i = 0; i < t->n_tensors; i++) {
        struct sm_trial_tensor *x = &t->tensors[i];
        *x = (struct sm_trial_tensor){.name = x->name, .entries = x->entries, .cap_entries = x->cap_entries};
    }
    for (size_t i = 0; i < t->n_parts; i++)
        t->parts[i].replaced = true;
    for (size_t w = 0; w < t->n_workers; w++)
        sm_free(t->workers[w]);
    t->n_steps = t->completed = t->n_workers = t->arrivals.n = 0;
    t->bytes = t->index_files = 0;
    t->last_complete = -1;
    t->newest_us = 0;
    t->new_session = t->order_stale = true;
    t->after_end = false;
    sm_trial_clear_collections(t);
}

void sm_trial_merge_news(struct sm_trial *t, struct sm_news *n)
{
    uint64_t problems = t->problems.total;
    bool other = t->exists != n->exists || t->ended != n->ended || t->claimed != n->claimed || t->emptied != n->emptied;
    bool reopened = n->exists && t->ended && !n->ended;
    if (n->reborn)
        forget_steps(t);
    if (n->exists) {
        t->arrivals_seen += t->ended != n->ended;
        t->ended = n->ended;
        t->claimed = n->claimed;
    }
    if (n->board && !t->board) {
        t->board = true;
        t->num_workers = 1;              /* a step is complete when one run has it */
    }
    t->exists = n->exists;
    t->emptied = n->emptied;
    if (reopened)
        reopen(t);
    if (!sm_trial_merge_collections(t, n)) {
        t->scan.failed = true;
        sm_tail_unread(t->tail);
    }
    sm_trial_take_problems(t, &n->problems);
    update_complete(t);
    t->version += other || n->reborn || n->n_collections || problems != t->problems.total;
}
