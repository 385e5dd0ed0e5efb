/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/save/archive_plan.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/tensor/statistic_list.h"

#include <stdlib.h>
#include <string.h>

#define NO_PART UINT32_MAX

/* An entry: part is an index in the batch, tensor one in the choice. */
struct chosen {
    size_t entry;
    uint32_t part, tensor;
};
struct planning {
    const struct sm_trial *trial;
    const struct sm_archive_choice *choice;
    struct sm_archive_save *save;
    uint32_t *order;   /* the chosen parts of the trial, in order of arrival */
    uint32_t *part_of; /* by the trial's part: index in the batch, or NO_PART */
    size_t n_order, cap_order, cap_part_of;
    struct chosen *items;
    size_t n_items, cap_items;
    struct sm_str record; /* scratch */
};

/* ---- choosing parts ---- */

static int compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_steps(const void *a, const void *b)
{
    int64_t x = ((const struct sm_step *)a)->n, y = ((const struct sm_step *)b)->n;
    return (x > y) - (x < y);
}

static bool wants_part(const struct sm_archive_choice *c, const struct sm_part *p)
{
    return (c->mode == SM_MODE_ANY || p->mode == c->mode) &&
           (c->worker == SM_WORKER_ANY || p->worker == c->worker) &&
           (!c->steps || bsearch(&p->step, c->steps, c->n_steps, sizeof *c->steps, compare_steps));
}

static bool find_parts(struct planning *x)
{
    const struct sm_part *p,
        *first = sm_trial_step_count(x->trial) ? sm_trial_part(x->trial, 0) : NULL;
    for (size_t i = 0; i < sm_trial_step_count(x->trial); i++)
        for (p = sm_trial_step_part(x->trial, i, 0); p; p = sm_trial_next_part(x->trial, p)) {
            if (!wants_part(x->choice, p))
                continue;
            if (!SM_VEC_ROOM(x->order, x->n_order, x->cap_order))
                return false;
            x->order[x->n_order++] = (uint32_t)(p - first);
        }
    if (!x->n_order)
        return true;
    qsort(x->order, x->n_order, sizeof *x->order, compare_u32);
    size_t n = (size_t)x->order[x->n_order - 1] + 1;
    if (!sm_vec_reserve((void **)&x->part_of, &x->cap_part_of, n, sizeof *x->part_of))
        return false;
    memset(x->part_of, 0xff, x->cap_part_of * sizeof *x->part_of);
    for (size_t i = 0; i < x->n_order; i++)
        x->part_of[x->order[i]] = (uint32_t)i;
    return true;
}

/* ---- choosing values ---- */

static const struct sm_trial_tensor *tensor_of(const struct planning *x, size_t number)
{
    return x->choice->tensors ? x->choice->tensors[number] : sm_trial_tensor(x->trial, number);
}

static struct sm_entry entry_of(const struct planning *x, const struct chosen *c)
{
    return sm_tensor_entry(x->trial, tensor_of(x, c->tensor), c->entry);
}

static bool choose_tensor(struct planning *x, const struct sm_trial_tensor *t, uint32_t number)
{
    for (size_t i = 0; i < t->n_entries; i++) {
        struct sm_entry e = sm_tensor_entry(x->trial, t, i);
        if (e.part >= x->cap_part_of || x->part_of[e.part] == NO_PART)
            continue;
        if (!SM_VEC_ROOM(x->items, x->n_items, x->cap_items))
            return false;
        x->items[x->n_items++] = (struct chosen){i, x->part_of[e.part], number};
    }
    return true;
}

static int compare_chosen(const void *a, const void *b, void *planning)
{
    const struct chosen *x = a, *y = b;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    struct sm_entry e = entry_of(planning, x), f = entry_of(planning, y);
    if (e.seq != f.seq)
        return e.seq < f.seq ? -1 : 1;
    if (e.offset != f.offset)
        return e.offset < f.offset ? -1 : 1;
    return (e.value > f.value) - (e.value < f.value);
}

static bool choose_values(struct planning *x)
{
    const struct sm_archive_choice *c = x->choice;
    size_t n = c->tensors ? c->n_tensors : sm_trial_tensor_count(x->trial);
    for (size_t i = 0; i < n; i++) {
        size_t before = x->n_items;
        if (!choose_tensor(x, tensor_of(x, i), (uint32_t)i))
            return false;
        x->save->n_tensors += x->n_items > before;
    }
    if (x->n_items)
        qsort_r(x->items, x->n_items, sizeof *x->items, compare_chosen, x);
    return true;
}

/* ---- filling the batch ---- */

static uint32_t add_name(struct sm_names *names, const char *z)
{
    return sm_names_add(names, z, strlen(z));
}

/* The name in the trial's own index: reductions have their own names. */
static uint32_t value_name(struct planning *x, const struct sm_entry *e, uint32_t tensor)
{
    const struct sm_names *from = sm_trial_names(x->trial);
    struct sm_str name = {0};
    if (e->kind == SM_ENTRY_REDUCTION)
        sm_str_printf(&name, "smdebug/reductions/%s/", sm_reduction_name(e->reduction));
    sm_str_addn(&name, sm_names_text(from, tensor), sm_names_length(from, tensor));
    uint32_t id = name.failed ? SM_NAME_NONE
                              : sm_names_add(x->save->batch->names, sm_str_text(&name), name.len);
    sm_str_clear(&name);
    return id;
}

static bool add_shape(struct planning *x, const struct sm_entry *e, uint32_t name)
{
    struct sm_batch *b = x->save->batch;
    unsigned n;
    const uint64_t *dims = sm_trial_shape(x->trial, e, &n);
    if (!SM_VEC_ROOM(b->shapes, b->n_shapes, b->cap_shapes) ||
        !sm_vec_reserve((void **)&b->dims, &b->cap_dims, b->n_dims + n + 1, sizeof *b->dims))
        return false;
    b->shapes[b->n_shapes++] = (struct sm_batch_shape){name, b->n_dims};
    b->dims[b->n_dims++] = n;
    memcpy(b->dims + b->n_dims, dims, n * sizeof *dims);
    b->n_dims += n;
    return true;
}

/* Where the records of scalars are in their files, which no record of the trial is. */
#define SCALARS_BEGIN ((uint64_t)1 << 46)
static const char scalars_file[] = "scalars";

bool sm_archive_scalar_record(const struct sm_archive_save *s, const struct sm_archive_record *r,
                              struct sm_str *out)
{
    const struct sm_batch *b = s->batch;
    const struct sm_batch_scalar *v = &s->scalars[r->number];
    struct sm_text tag = {sm_names_text(b->names, v->name), sm_names_length(b->names, v->name)};
    sm_str_truncate(out, 0);
    return sm_event_write_number(out, tag, b->parts[r->part].step, v->time, (enum sm_dtype)v->dtype,
                                 v->element);
}

static bool add_scalar(struct planning *x, const struct chosen *c, uint32_t part, uint32_t name)
{
    struct sm_archive_save *s = x->save;
    struct sm_batch *b = s->batch;
    struct sm_brief brief = sm_tensor_brief(x->trial, tensor_of(x, c->tensor), c->entry);
    struct sm_batch_scalar v = {.time = brief.time, .name = name, .dtype = brief.dtype};
    struct sm_archive_record r = {.tensor = c->tensor,
                                  .value = (uint32_t)b->n_values,
                                  .part = part,
                                  .scalar = true,
                                  .number = (uint32_t)s->n_scalars};
    memcpy(v.element, brief.first, sizeof v.element);
    if (b->parts[part].event_file == SM_NAME_NONE)
        b->parts[part].event_file = add_name(b->names, scalars_file);
    if (b->parts[part].event_file == SM_NAME_NONE ||
        !SM_VEC_ROOM(b->values, b->n_values, b->cap_values) ||
        !SM_VEC_ROOM(s->scalars, s->n_scalars, s->cap_scalars) ||
        !SM_VEC_ROOM(s->records, s->n_records, s->cap_records))
        return false;
    s->scalars[s->n_scalars++] = v;
    if (!sm_archive_scalar_record(s, &r, &x->record))
        return false;
    s->records[s->n_records++] = r;
    b->values[b->n_values++] = (struct sm_batch_value){
        .offset = SCALARS_BEGIN + s->scalars_end, .length = x->record.len, .name = name};
    s->scalars_end += x->record.len;
    s->info.bytes += x->record.len;
    return true;
}

static bool add_value(struct planning *x, const struct chosen *c, uint32_t part, uint32_t name)
{
    struct sm_archive_save *s = x->save;
    struct sm_batch *b = s->batch;
    struct sm_entry e = entry_of(x, c);
    if (!SM_VEC_ROOM(b->values, b->n_values, b->cap_values) ||
        !SM_VEC_ROOM(s->records, s->n_records, s->cap_records))
        return false;
    if (!b->parts[part].n_values || b->values[b->n_values - 1].offset != e.offset)
        s->info.bytes += e.length;
    s->records[s->n_records++] =
        (struct sm_archive_record){.tensor = c->tensor,
                                   .value = (uint32_t)b->n_values,
                                   .part = part,
                                   .left_out = sm_trial_left_out(x->trial, &e)};
    b->values[b->n_values++] = (struct sm_batch_value){
        .offset = e.offset, .length = e.length, .name = name, .value = e.value};
    return true;
}

static bool add_entry(struct planning *x, const struct chosen *c, uint32_t part)
{
    struct sm_entry e = entry_of(x, c);
    uint32_t name = value_name(x, &e, e.tensor);
    struct sm_batch_part *p = &x->save->batch->parts[part];
    if (name == SM_NAME_NONE)
        return false;
    if (e.kind == SM_ENTRY_SHAPE)
        return add_shape(x, &e, name) && ++p->n_shapes;
    if (sm_entry_is_scalar(&e))
        return add_scalar(x, c, part, name) && ++p->n_values;
    return add_value(x, c, part, name) && ++p->n_values;
}

static bool add_part(struct planning *x, const struct sm_part *from)
{
    struct sm_batch *b = x->save->batch;
    const char *events = sm_trial_event_path(x->trial, from);
    struct sm_batch_part p = {
        .step = from->step.n,
        .mode_step = from->mode_step.n,
        .mode = from->mode,
        .time_us = from->time_us,
        .session = from->session < UINT16_MAX ? from->session + 1u : UINT16_MAX,
        .adds = sm_trial_traits(x->trial)->runs,
        .worker = add_name(b->names, sm_trial_worker(x->trial, from->worker)),
        .event_file = events ? add_name(b->names, events) : SM_NAME_NONE,
        .first_value = b->n_values,
        .first_shape = b->n_shapes,
    };
    if (p.worker == SM_NAME_NONE || (events && p.event_file == SM_NAME_NONE) ||
        !SM_VEC_ROOM(b->parts, b->n_parts, b->cap_parts))
        return false;
    x->save->n_steps += !b->n_parts || b->parts[b->n_parts - 1].step != p.step;
    b->parts[b->n_parts++] = p;
    return true;
}

/* Parts without any chosen tensor are kept only if all tensors are chosen. */
static bool fill_batch(struct planning *x)
{
    size_t at = 0;
    for (uint32_t i = 0; i < x->n_order; i++) {
        size_t from = at;
        while (at < x->n_items && x->items[at].part == i)
            at++;
        if (at == from && x->choice->tensors)
            continue;
        if (!add_part(x, sm_trial_part(x->trial, x->order[i])))
            return false;
        for (size_t k = from; k < at; k++)
            if (!add_entry(x, &x->items[k], (uint32_t)x->save->batch->n_parts - 1))
                return false;
    }
    return true;
}

/* ---- records ---- */

static int compare_records(const void *a, const void *b)
{
    const struct sm_archive_record *x = a, *y = b;
    if (x->tensor != y->tensor)
        return x->tensor < y->tensor ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static bool number_files(struct sm_archive_save *s)
{
    uint32_t next = 1;
    s->files = sm_alloc_zero((size_t)sm_names_count(s->batch->names) + 1, sizeof *s->files);
    for (size_t i = 0; s->files && i < s->batch->n_parts; i++) {
        uint32_t name = s->batch->parts[i].event_file;
        if (name != SM_NAME_NONE && !s->files[name])
            s->files[name] = next++;
    }
    return s->files;
}

static bool list_workers(struct planning *x)
{
    struct sm_archive_save *s = x->save;
    size_t n = sm_trial_worker_count(x->trial),
           chosen = x->choice->worker < n ? x->choice->worker : 0;
    s->workers = sm_alloc_zero(n + 1, sizeof *s->workers);
    s->n_wanted = x->choice->worker < n ? 1 : n;
    for (size_t i = 0; s->workers && i < n; i++)
        if (!(s->workers[s->n_workers++] =
                  sm_strdup(sm_trial_worker(x->trial, (uint16_t)((i + chosen) % n)))))
            return false;
    return s->workers;
}

static bool keep_text(struct sm_archive_save *s, struct sm_text *out, const char *p, size_t n)
{
    out->p = sm_arena_strndup(&s->arena, n ? p : "", n);
    out->n = n;
    return out->p;
}

static bool keep_info(struct planning *x)
{
    const struct sm_trial *t = x->trial;
    const struct sm_archive_choice *c = x->choice;
    const struct sm_archive_info *from = sm_trial_archive(t);
    struct sm_archive_info *i = &x->save->info;
    const char *state = sm_trial_state_name(sm_trial_state(t));
    i->saved_us = sm_clock_wall_us();
    i->board = sm_trial_traits(t)->runs;
    i->claimed = sm_trial_claimed(t);
    i->ended = from ? from->ended : sm_trial_state(t) == SM_TRIAL_ENDED;
    i->one_worker = c->worker != SM_WORKER_ANY || (from && from->one_worker);
    i->stats_only = c->stats_only || (from && from->stats_only);
    struct sm_text name = from ? from->name : sm_text(sm_trial_name(t)),
                   path = from ? from->path : sm_text(sm_trial_path(t)),
                   was = from ? from->state : sm_text(state),
                   findings = c->findings.n || !from ? c->findings : from->findings;
    return keep_text(x->save, &i->name, name.p, name.n) &&
           keep_text(x->save, &i->path, path.p, path.n) &&
           keep_text(x->save, &i->state, was.p, was.n) &&
           keep_text(x->save, &i->chosen, c->words.p, c->words.n) &&
           keep_text(x->save, &i->findings, findings.p, findings.n);
}

static bool list_members(struct planning *x, size_t collection, struct sm_collection_def *out)
{
    const struct sm_trial *t = x->trial;
    size_t n;
    const uint32_t *ids = sm_trial_collection_tensors(t, collection, &n);
    const char **names = sm_arena_alloc(&x->save->arena, n * sizeof *names);
    for (size_t i = 0; names && i < n; i++)
        names[i] = sm_names_text(sm_trial_names(t), ids[i]);
    *out = (struct sm_collection_def){.name = sm_trial_collection(t, collection)->name,
                                      .names = names,
                                      .n_names = n,
                                      .reductions = ""};
    return names;
}

static bool keep_collections(struct planning *x)
{
    size_t n = sm_trial_collection_count(x->trial);
    struct sm_collections_def all = {.num_workers = 1, .n = n};
    if (!sm_trial_traits(x->trial)->runs || sm_trial_archive(x->trial))
        return true;
    all.items = sm_arena_alloc(&x->save->arena, n * sizeof *all.items);
    for (size_t i = 0; all.items && i < n; i++)
        if (!list_members(x, i, &all.items[i]))
            return false;
    if (all.items)
        sm_collections_write(&x->save->named, &all);
    return all.items && !x->save->named.failed;
}

static bool plan(struct planning *x)
{
    struct sm_archive_save *s = x->save;
    s->batch = sm_batch_new(0, 0);
    if (!s->batch || !find_parts(x) || !choose_values(x) || !fill_batch(x) || !number_files(s) ||
        !list_workers(x) || !keep_info(x) || !keep_collections(x))
        return false;
    if (s->n_records)
        qsort(s->records, s->n_records, sizeof *s->records, compare_records);
    return true;
}

bool sm_archive_save_new(struct sm_trial *t, const struct sm_archive_choice *c,
                         struct sm_archive_save **out, struct sm_err *err)
{
    struct sm_archive_save *s = sm_alloc_zero(1, sizeof *s);
    struct planning x = {.trial = t, .choice = c, .save = s};
    if (s) {
        s->source = sm_source_ref(sm_trial_source(t));
        s->stats_only = c->stats_only;
        s->level = c->level ? c->level : SM_ARCHIVE_LEVEL;
    }
    bool ok = s && plan(&x);
    if (!ok)
        sm_err_set(err, SM_ERR_MEMORY, "no memory to save a trial");
    else if (!s->batch->n_parts)
        ok = sm_err_set(err, SM_ERR_MISSING, "nothing is chosen: no saved step has any of it");
    sm_free(x.order);
    sm_free(x.part_of);
    sm_free(x.items);
    sm_str_clear(&x.record);
    if (ok)
        *out = s;
    else
        sm_archive_save_free(s);
    return ok;
}

void sm_archive_save_free(struct sm_archive_save *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_workers; i++)
        sm_free(s->workers[i]);
    sm_free(s->workers);
    sm_free(s->files);
    sm_free(s->records);
    sm_free(s->scalars);
    sm_batch_free(s->batch);
    sm_source_unref(s->source);
    sm_arena_clear(&s->arena);
    sm_str_clear(&s->named);
    sm_free(s);
}

size_t sm_archive_save_count(const struct sm_archive_save *s)
{
    return s->n_records;
}
