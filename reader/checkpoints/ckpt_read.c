/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/checkpoints/ckpt_read.h"

#include "reader/base/vec.h"
#include "reader/checkpoints/ckpt_beside.h"
#include "reader/checkpoints/ckpt_formats.h"
#include "reader/checkpoints/ckpt_names.h"
#include "reader/checkpoints/ckpt_source.h"
#include "reader/logs/log_json.h"
#include "reader/tensor_files/ckpt_shards.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRESH_US = 5000000 }; /* a file may be incomplete for so long after it was written */

/* The files of a group that have tensors. */
struct group_reader {
    const struct sm_ckpt_input *in;
    struct sm_source *files; /* as they are */
    struct sm_batch *batch;
    struct sm_ckpt_file **read;
    struct sm_stat *stats;
    size_t n;
    unsigned kinds;   /* of those files, as sm_run_info.tensor_files */
    unsigned damaged; /* as sm_run_info.damaged_files */
    size_t faults;    /* files of which nothing could be read */
    bool late, no_memory;
};

/* ---- one file ---- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_fresh(const struct group_reader *r, const struct sm_ckpt_item *item)
{
    int64_t age = r->in->now_us - item->st.mtime_us;
    return r->in->may_be_late && age < FRESH_US && age > -FRESH_US;
}

static void note_fault(struct group_reader *r, const struct sm_ckpt_item *item, int64_t at,
                       struct sm_err *err)
{
    sm_err_strip(err, item->path);
    r->no_memory = r->no_memory || err->code == SM_ERR_MEMORY;
    r->late = r->late || is_fresh(r, item);
    r->faults++;
    sm_problems_add(&r->batch->problems, item->path, at, err);
}

static void take_problems(struct group_reader *r, const struct sm_ckpt_item *item,
                          const struct sm_problems *p)
{
    struct sm_err err;
    r->late = r->late || (p->n && is_fresh(r, item));
    for (size_t i = 0; i < p->n; i++) {
        sm_err_set(&err, p->items[i].code, "%s", p->items[i].message);
        sm_problems_add(&r->batch->problems, p->items[i].file, p->items[i].offset, &err);
    }
}

/* Keeps what was read of a file. */
static bool keep_file(struct group_reader *r, const struct sm_ckpt_item *item,
                      const struct sm_ckpt_file *f)
{
    struct sm_ckpt_file *copy = sm_alloc(sizeof *copy);
    if (!copy)
        return false;
    *copy = *f;
    r->stats[r->n] = item->st;
    r->read[r->n++] = copy;
    return true;
}

static void read_tensors(struct group_reader *r, const struct sm_ckpt_item *item,
                         const struct sm_file *file, const struct sm_ckpt_format *format)
{
    struct sm_ckpt_file f = {.path = item->path, .size_bytes = item->st.size_bytes};
    struct sm_err err = {0};
    int64_t at = -1;
    if (!format->read(file, &f, &at, &err)) {
        note_fault(r, item, at, &err);
        r->damaged |= 1u << format->files;
    }
    take_problems(r, item, &f.problems);
    if (f.n || f.n_shapes || f.leaves.n)
        r->kinds |= 1u << (sm_ckpt_is_dump(&f) ? SM_FILES_TE_DUMP : format->files);
    if (!keep_file(r, item, &f)) {
        r->no_memory = true;
        sm_ckpt_file_clear(&f);
    }
}

static void read_item(struct group_reader *r, const struct sm_ckpt_item *item)
{
    struct sm_file file = {0};
    struct sm_err err = {0};
    uint8_t head[SM_CKPT_HEAD];
    size_t got = 0;
    bool ok = sm_file_open(&file, r->files, item->path, &err) &&
              sm_file_read(&file, 0, head, sizeof head, &got, &err);
    const struct sm_ckpt_format *format =
        ok ? sm_ckpt_format_of(base_of(item->path), head, got) : NULL;
    if (!ok)
        note_fault(r, item, -1, &err);
    else if (format)
        read_tensors(r, item, &file, format);
    else if (sm_ends_with(item->path, ".index.json"))
        sm_ckpt_check_index(r->files, item->path, &r->batch->problems);
    sm_file_close(&file);
}

/* ---- the batch ---- */

static bool add_config(struct group_reader *r, const struct sm_ckpt_file *f)
{
    struct sm_run_info *info = f->leaves.n ? sm_batch_info(r->batch) : NULL;
    struct sm_str key = {0};
    bool ok = info || !f->leaves.n;
    for (size_t i = 0; i < f->leaves.n && ok; i++) {
        const struct sm_run_field *x = &f->leaves.items[i];
        sm_str_truncate(&key, 0);
        sm_ckpt_leaf_name(f->path, sm_text(x->key), &key);
        ok = !key.failed && (!key.len || sm_run_fields_set(&info->config, key.data, key.len,
                                                           x->json, strlen(x->json)));
    }
    sm_str_clear(&key);
    return ok;
}

/* Whether a key is at the top, or in what trainers call their own state: "train_state.loss". */
static bool is_of_step(const char *key)
{
    static const char *const states[] = {"train_state", "trainer_state", "training_state",
                                         "metrics",     "stats",         "logs"};
    const char *dot = strchr(key, '.');
    for (size_t i = 0; dot && i < sizeof states / sizeof *states; i++)
        if (strlen(states[i]) == (size_t)(dot - key) &&
            strncmp(key, states[i], (size_t)(dot - key)) == 0)
            return !strchr(dot + 1, '.');
    return !dot;
}

/* A number at the top of a file of weights is one of the step: "epoch", "best_loss". Of a run with
 * a log, that has them. */
static bool add_number(struct group_reader *r, const struct sm_run_field *x)
{
    struct sm_batch *b = r->batch;
    double v;
    if (!is_of_step(x->key) || !sm_log_number(x->json, strlen(x->json), &v))
        return true;
    uint32_t name = sm_names_add(b->names, x->key, strlen(x->key));
    if (name == SM_NAME_NONE || !SM_VEC_ROOM(b->scalars, b->n_scalars, b->cap_scalars))
        return false;
    b->scalars[b->n_scalars++] = (struct sm_batch_scalar){
        .time = (double)NAN, .number = v, .name = name, .dtype = SM_DTYPE_FLOAT64};
    return true;
}

static bool add_numbers(struct group_reader *r, const struct sm_ckpt_file *f)
{
    bool ok = true;
    for (size_t i = 0; i < f->leaves.n && ok && sm_ckpt_is_weights(f->path) && !r->in->adds; i++)
        ok = add_number(r, &f->leaves.items[i]);
    return ok;
}

static bool add_shapes(struct group_reader *r, const struct sm_ckpt_file *f)
{
    struct sm_batch *b = r->batch;
    for (size_t i = 0; i < f->n_shapes; i++) {
        const struct sm_ckpt_shape *s = &f->shapes[i];
        uint32_t name = sm_names_add(b->names, s->name, strlen(s->name));
        if (name == SM_NAME_NONE || !SM_VEC_ROOM(b->shapes, b->n_shapes, b->cap_shapes) ||
            !sm_vec_reserve((void **)&b->dims, &b->cap_dims, b->n_dims + s->n_dims + 1,
                            sizeof *b->dims))
            return false;
        b->shapes[b->n_shapes++] = (struct sm_batch_shape){name, b->n_dims};
        b->dims[b->n_dims++] = s->n_dims;
        memcpy(b->dims + b->n_dims, s->dims, s->n_dims * sizeof *s->dims);
        b->n_dims += s->n_dims;
    }
    return true;
}

static size_t count_tensors(const struct group_reader *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        n += r->read[i]->n;
    return n;
}

static bool add_values(struct group_reader *r, const struct sm_ckpt_part *part)
{
    struct sm_batch *b = r->batch;
    size_t n = count_tensors(r), k = 0;
    uint32_t *names = sm_alloc((n + 1) * sizeof *names);
    struct sm_ckpt_place *places = sm_alloc((n + 1) * sizeof *places);
    bool ok =
        names && places &&
        sm_vec_reserve((void **)&b->values, &b->cap_values, b->n_values + n, sizeof *b->values);
    for (size_t i = 0; i < r->n; i++)
        for (size_t t = 0; t < r->read[i]->n && ok; t++) {
            const struct sm_ckpt_tensor *x = &r->read[i]->tensors[t];
            names[k] = sm_names_add(b->names, x->name, x->name_n);
            ok = names[k++] != SM_NAME_NONE;
        }
    ok = ok && sm_ckpt_source_add(r->in->source, part, places);
    for (size_t i = 0; i < n && ok; i++)
        b->values[b->n_values++] = (struct sm_batch_value){
            .offset = places[i].offset, .length = places[i].length, .name = names[i]};
    sm_free(names);
    sm_free(places);
    return ok;
}

static int64_t newest_us(const struct group_reader *r)
{
    int64_t us = 0;
    for (size_t i = 0; i < r->n; i++)
        us = r->stats[i].mtime_us > us ? r->stats[i].mtime_us : us;
    return us;
}

static bool add_part(struct group_reader *r)
{
    struct sm_batch *b = r->batch;
    const struct sm_ckpt_group *g = r->in->group;
    const char *worker = *g->worker ? g->worker : ".", *path = r->read[0]->path;
    struct sm_batch_part p = {.step = r->in->step,
                              .mode_step = r->in->step,
                              .mode = SM_MODE_GLOBAL,
                              .adds = r->in->adds,
                              .time_us = newest_us(r),
                              .worker = sm_names_add(b->names, worker, strlen(worker)),
                              .event_file = sm_names_add(b->names, path, strlen(path)),
                              .first_value = b->n_values,
                              .first_shape = b->n_shapes,
                              .first_scalar = b->n_scalars};
    struct sm_ckpt_part part = {.path = path,
                                .files = r->read,
                                .stats = r->stats,
                                .n_files = r->n,
                                .step = p.step,
                                .time = (double)p.time_us / 1e6};
    struct sm_run_info *info = sm_batch_info(b);
    bool ok = info && p.worker != SM_NAME_NONE && p.event_file != SM_NAME_NONE &&
              SM_VEC_ROOM(b->parts, b->n_parts, b->cap_parts);
    if (info)
        info->tensor_files |= r->kinds;
    for (size_t i = 0; i < r->n && ok; i++)
        ok = add_config(r, r->read[i]) && add_numbers(r, r->read[i]) && add_shapes(r, r->read[i]);
    p.n_scalars = b->n_scalars - p.first_scalar;
    p.n_shapes = b->n_shapes - p.first_shape;
    ok = ok && sm_ckpt_name_tensors(r->read, r->n) && add_values(r, &part);
    p.n_values = b->n_values - p.first_value;
    if (ok)
        b->parts[b->n_parts++] = p;
    return ok;
}

/* ---- a group ---- */

/* The place of a file in the order of writing that one of them says; those it does not say come
 * first. */
static uint32_t rank_of(const struct sm_names *order, const char *path)
{
    const char *name = base_of(path), *dot = strrchr(name, '.');
    uint32_t id = sm_names_find(order, name, dot ? (size_t)(dot - name) : strlen(name));
    return id == SM_NAME_NONE ? 0 : id + 1;
}

struct read_file {
    struct sm_ckpt_file *file;
    struct sm_stat st;
    uint32_t rank;
    size_t at;
};

static int by_rank(const void *a, const void *b)
{
    const struct read_file *x = a, *y = b;
    int order = (x->rank > y->rank) - (x->rank < y->rank);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static bool sort_files(struct group_reader *r)
{
    const struct sm_names *order = NULL;
    for (size_t i = 0; i < r->n; i++)
        order = r->read[i]->order ? r->read[i]->order : order;
    struct read_file *all = order ? sm_alloc((r->n + 1) * sizeof *all) : NULL;
    if (!order || !all)
        return !order;
    for (size_t i = 0; i < r->n; i++)
        all[i] = (struct read_file){r->read[i], r->stats[i], rank_of(order, r->read[i]->path), i};
    qsort(all, r->n, sizeof *all, by_rank);
    for (size_t i = 0; i < r->n; i++) {
        r->read[i] = all[i].file;
        r->stats[i] = all[i].st;
    }
    sm_free(all);
    return true;
}

/* Puts shards together. What lacks may still be written. */
static void join_shards(struct group_reader *r)
{
    struct sm_problems *problems = &r->batch->problems;
    uint64_t before = problems->total;
    if (!sm_ckpt_join_shards(r->read, r->n, problems))
        r->no_memory = true;
    for (size_t i = 0; i < r->in->group->n && problems->total > before; i++)
        r->late = r->late || is_fresh(r, &r->in->group->items[i]);
}

static enum sm_fate end_damaged(struct group_reader *r)
{
    struct sm_run_info *info = r->damaged ? sm_batch_info(r->batch) : NULL;
    if (info)
        info->damaged_files |= r->damaged;
    r->no_memory = r->no_memory || (r->damaged && !info);
    return SM_FATE_BAD;
}

static enum sm_fate end_group(struct group_reader *r, size_t problems)
{
    struct sm_batch *b = r->batch;
    if (r->late) { /* it is read again: nothing of it counts yet */
        while (b->problems.n > problems) {
            struct sm_problem *p = &b->problems.items[--b->problems.n];
            sm_free(p->file);
            sm_free(p->message);
        }
        b->problems.total = b->problems.n;
        return SM_FATE_LATE;
    }
    bool anything = false;
    for (size_t i = 0; i < r->n; i++)
        anything = anything || r->read[i]->n || r->read[i]->n_shapes || r->read[i]->leaves.n;
    if (!anything)
        return end_damaged(r);
    r->no_memory = r->no_memory || !sort_files(r) || !add_part(r);
    return SM_FATE_TAKEN;
}

enum sm_fate sm_ckpt_read_group(const struct sm_ckpt_input *in, struct sm_batch *b, bool *no_memory)
{
    const struct sm_ckpt_group *g = in->group;
    struct group_reader r = {.in = in,
                             .files = sm_ckpt_source_files(in->source),
                             .batch = b,
                             .read = sm_alloc_zero(g->n + 1, sizeof *r.read),
                             .stats = sm_alloc_zero(g->n + 1, sizeof *r.stats)};
    size_t problems = b->problems.n;
    r.no_memory = !r.read || !r.stats;
    for (size_t i = 0; i < g->n && !r.no_memory; i++)
        read_item(&r, &g->items[i]);
    if (!r.no_memory)
        join_shards(&r);
    enum sm_fate fate = r.no_memory ? SM_FATE_LATE : end_group(&r, problems);
    for (size_t i = 0; i < r.n; i++) {
        sm_ckpt_file_clear(r.read[i]);
        sm_free(r.read[i]);
    }
    sm_free(r.read);
    sm_free(r.stats);
    *no_memory = *no_memory || r.no_memory;
    return fate;
}
