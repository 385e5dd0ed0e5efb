/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/archive/archive_steps.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/event.h"
#include "reader/format/smdz.h"
#include "reader/format/wire.h"
#include "reader/source/source.h"

#include <string.h>

/* n names: text...       later referred to by number, in this order
 * n parts: step, fold(mode step), mode, flags, session, fold(time), worker [, path, file]
 *          n values: name, fold(offset - end of the previous one), length, index in the record
 *          n shapes: name, n dims: dim... */
enum { ADDS = 1, EVENTS = 2 };
#define STEP_LIMIT   ((uint64_t)1 << 47)
#define TIME_LIMIT   ((int64_t)1000000000000000000) /* microseconds */
#define LENGTH_LIMIT ((uint64_t)1 << 48)

/* ---- writing ---- */

struct putting {
    const struct sm_batch *batch;
    uint32_t *local; /* by name id: its number here + 1; 0 if none yet */
    uint32_t n_names;
    struct sm_str names, parts;
};

static void put_name(struct putting *w, uint32_t id)
{
    const struct sm_names *names = w->batch->names;
    if (!w->local[id]) {
        w->local[id] = ++w->n_names;
        sm_smdz_put_text(&w->names, sm_names_text(names, id), sm_names_length(names, id));
    }
    sm_wire_put(&w->parts, w->local[id] - 1);
}

static void put_values(struct putting *w, const struct sm_batch_part *p)
{
    uint64_t end = 0;
    sm_wire_put(&w->parts, p->n_values);
    for (size_t i = 0; i < p->n_values; i++) {
        const struct sm_batch_value *v = &w->batch->values[p->first_value + i];
        put_name(w, v->name);
        sm_wire_put(&w->parts, sm_smdz_fold((int64_t)(v->offset - end)));
        sm_wire_put(&w->parts, v->length);
        sm_wire_put(&w->parts, v->value);
        end = v->offset + v->length;
    }
}

static void put_shapes(struct putting *w, const struct sm_batch_part *p)
{
    sm_wire_put(&w->parts, p->n_shapes);
    for (size_t i = 0; i < p->n_shapes; i++) {
        const struct sm_batch_shape *s = &w->batch->shapes[p->first_shape + i];
        const uint64_t *dims = &w->batch->dims[s->first_dim];
        put_name(w, s->name);
        for (uint64_t d = 0; d <= dims[0]; d++) /* the number of dims first */
            sm_wire_put(&w->parts, dims[d]);
    }
}

static void put_part(struct putting *w, const struct sm_batch_part *p, const uint32_t *files)
{
    bool events = p->event_file != SM_NAME_NONE;
    sm_wire_put(&w->parts, (uint64_t)p->step);
    sm_wire_put(&w->parts, sm_smdz_fold(p->mode_step));
    sm_wire_put(&w->parts, (uint64_t)p->mode);
    sm_wire_put(&w->parts, (p->adds ? ADDS : 0u) | (events ? EVENTS : 0u));
    sm_wire_put(&w->parts, p->session);
    sm_wire_put(&w->parts, sm_smdz_fold(p->time_us));
    put_name(w, p->worker);
    if (events) {
        put_name(w, p->event_file);
        sm_wire_put(&w->parts, files[p->event_file]);
    }
    put_values(w, p);
    put_shapes(w, p);
}

bool sm_archive_put_steps(const struct sm_batch *b, size_t from, size_t to, const uint32_t *files,
                          struct sm_str *out)
{
    struct putting w = {
        .batch = b, .local = sm_alloc_zero((size_t)sm_names_count(b->names) + 1, sizeof *w.local)};
    for (size_t i = from; w.local && i < to; i++)
        put_part(&w, &b->parts[i], files);
    sm_wire_put(out, w.n_names);
    sm_str_addn(out, sm_str_text(&w.names), w.names.len);
    sm_wire_put(out, to - from);
    sm_str_addn(out, sm_str_text(&w.parts), w.parts.len);
    bool ok = w.local && !w.names.failed && !w.parts.failed && !out->failed;
    sm_free(w.local);
    sm_str_clear(&w.names);
    sm_str_clear(&w.parts);
    return ok;
}

/* ---- reading ---- */

struct getting {
    const struct sm_archive_steps *steps;
    struct sm_bytes b;
    size_t at;
    struct sm_batch *batch;
    uint32_t *names; /* ids in the batch, by number in the archive */
    size_t n_names;
    bool no_memory, too_many;
};

static bool no_memory(struct getting *r)
{
    r->no_memory = true;
    return false;
}

static bool get(struct getting *r, uint64_t most, uint64_t *out)
{
    return sm_wire_get(r->b, &r->at, out) && *out <= most;
}

static bool get_signed(struct getting *r, int64_t *out)
{
    uint64_t v;
    bool ok = get(r, UINT64_MAX, &v);
    *out = ok ? sm_smdz_unfold(v) : 0;
    return ok;
}

bool sm_archive_get_time(uint64_t folded, int64_t *time_us)
{
    *time_us = sm_smdz_unfold(folded);
    return *time_us >= -TIME_LIMIT && *time_us <= TIME_LIMIT;
}

static bool get_name(struct getting *r, uint32_t *id)
{
    uint64_t v;
    if (!get(r, UINT32_MAX, &v) || v >= r->n_names)
        return false;
    *id = r->names[v];
    return true;
}

/* Whether n more are within the limit. */
static bool allows(struct getting *r, uint64_t n)
{
    const struct sm_batch *b = r->batch;
    r->too_many = n > r->steps->most || b->n_parts + b->n_values + b->n_shapes + n > r->steps->most;
    return !r->too_many;
}

static bool get_names(struct getting *r)
{
    uint64_t n;
    if (!get(r, r->b.n, &n) || !allows(r, n))
        return false;
    r->names = sm_alloc_zero((size_t)n, sizeof *r->names);
    if (!r->names)
        return no_memory(r);
    for (; r->n_names < n; r->n_names++) {
        struct sm_text name;
        if (!sm_smdz_text(r->b, &r->at, &name))
            return false;
        r->names[r->n_names] = sm_names_add(r->batch->names, name.p, name.n);
        if (r->names[r->n_names] == SM_NAME_NONE)
            return no_memory(r);
    }
    return true;
}

static bool get_values(struct getting *r, struct sm_batch_part *p)
{
    struct sm_batch *b = r->batch;
    uint64_t n, length, value, end = 0;
    if (!get(r, r->b.n / 4, &n) || !allows(r, n))
        return false;
    if (!sm_vec_reserve((void **)&b->values, &b->cap_values, b->n_values + (size_t)n,
                        sizeof *b->values))
        return no_memory(r);
    for (; p->n_values < n; p->n_values++) {
        uint32_t name;
        int64_t skip;
        if (!get_name(r, &name) || !get_signed(r, &skip) || !get(r, LENGTH_LIMIT - 1, &length) ||
            !get(r, UINT16_MAX, &value))
            return false;
        uint64_t offset = end + (uint64_t)skip;
        if (offset > INT64_MAX - length)
            return false;
        b->values[b->n_values++] = (struct sm_batch_value){
            .offset = offset, .length = length, .name = name, .value = (uint16_t)value};
        end = offset + length;
    }
    return true;
}

static bool get_shape(struct getting *r, struct sm_batch_shape *out)
{
    struct sm_batch *b = r->batch;
    uint64_t n_dims, dim;
    out->first_dim = b->n_dims;
    if (!get_name(r, &out->name) || !get(r, SM_DIMS_MAX, &n_dims))
        return false;
    if (!sm_vec_reserve((void **)&b->dims, &b->cap_dims, b->n_dims + (size_t)n_dims + 1,
                        sizeof *b->dims))
        return no_memory(r);
    b->dims[b->n_dims++] = n_dims;
    for (uint64_t i = 0; i < n_dims; i++) {
        if (!get(r, UINT64_MAX, &dim))
            return false;
        b->dims[b->n_dims++] = dim;
    }
    return true;
}

static bool get_shapes(struct getting *r, struct sm_batch_part *p)
{
    struct sm_batch *b = r->batch;
    uint64_t n;
    if (!get(r, r->b.n / 2, &n) || !allows(r, n))
        return false;
    if (!sm_vec_reserve((void **)&b->shapes, &b->cap_shapes, b->n_shapes + (size_t)n,
                        sizeof *b->shapes))
        return no_memory(r);
    for (; p->n_shapes < n; p->n_shapes++)
        if (!get_shape(r, &b->shapes[b->n_shapes++]))
            return false;
    return true;
}

static bool get_event_file(struct getting *r, struct sm_batch_part *p)
{
    uint64_t number;
    if (!get_name(r, &p->event_file) || !get(r, UINT32_MAX - 1, &number))
        return false;
    struct sm_text path = {sm_names_text(r->batch->names, p->event_file),
                           sm_names_length(r->batch->names, p->event_file)};
    if (!sm_source_path_ok(path.p, path.n))
        return false;
    return r->steps->file(r->steps->ctx, path, (uint32_t)number) || no_memory(r);
}

static bool get_part(struct getting *r, struct sm_batch_part *p)
{
    uint64_t step, mode, flags, session, time;
    if (!get(r, STEP_LIMIT - 1, &step) || !get_signed(r, &p->mode_step) ||
        !get(r, SM_MODE_GLOBAL, &mode) || !get(r, ADDS | EVENTS, &flags) ||
        !get(r, UINT16_MAX, &session) || !get(r, UINT64_MAX, &time) ||
        !sm_archive_get_time(time, &p->time_us) || !get_name(r, &p->worker) || p->mode_step < 0)
        return false;
    p->step = (int64_t)step;
    p->mode = (int)mode;
    p->adds = flags & ADDS;
    p->session = (uint32_t)session;
    return mode && ((flags & EVENTS) == 0 || get_event_file(r, p)) && get_values(r, p) &&
           get_shapes(r, p);
}

static bool is_wanted(const struct getting *r, const struct sm_batch_part *p)
{
    const struct sm_trial_options *o = r->steps->options;
    const char *worker = r->steps->options->worker;
    return sm_trial_includes_step(o, p->step) &&
           (o->mode == SM_MODE_ANY || p->mode == (int)o->mode) &&
           (!worker || strcmp(worker, sm_names_text(r->batch->names, p->worker)) == 0);
}

static bool get_parts(struct getting *r)
{
    struct sm_batch *b = r->batch;
    uint64_t n;
    if (!get_names(r) || !get(r, r->b.n, &n))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        struct sm_batch_part p = {
            .event_file = SM_NAME_NONE, .first_value = b->n_values, .first_shape = b->n_shapes};
        size_t dims = b->n_dims;
        bool whole = allows(r, 1) && get_part(r, &p), wanted = whole && is_wanted(r, &p);
        if (wanted && !SM_VEC_ROOM(b->parts, b->n_parts, b->cap_parts))
            whole = wanted = no_memory(r);
        if (wanted) {
            b->parts[b->n_parts++] = p;
        } else {
            b->n_values = p.first_value;
            b->n_shapes = p.first_shape;
            b->n_dims = dims;
        }
        if (!whole)
            return false;
    }
    return r->at == r->b.n;
}

bool sm_archive_get_steps(const struct sm_archive_steps *s, struct sm_bytes bytes,
                          struct sm_batch *b, struct sm_err *err)
{
    struct getting r = {.steps = s, .b = bytes, .batch = b};
    bool ok = get_parts(&r);
    sm_free(r.names);
    if (r.no_memory)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for the steps of an archive");
    if (!ok && r.too_many)
        return sm_err_set(err, SM_ERR_LIMIT,
                          "more than %llu names, parts and values, too many for an archive of "
                          "this size",
                          (unsigned long long)s->most);
    return ok || sm_err_set(err, SM_ERR_DATA, "the steps are broken");
}
