/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/series.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <math.h>
#include <string.h>

static struct sm_entry entry_of(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                struct sm_step step, const struct sm_series_spec *spec)
{
    if (spec->saved && !spec->reduction)
        return sm_entry_none();
    if (spec->saved)
        return sm_trial_entry(t, x, step, spec->worker, SM_ENTRY_REDUCTION,
                              spec->reduction->reduction);
    return sm_trial_entry(t, x, step, spec->worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
}

static bool is_number(enum sm_dtype d)
{
    enum sm_dtype_kind k = sm_dtype_info(d)->kind;
    return k == SM_KIND_FLOAT || k == SM_KIND_INT || k == SM_KIND_UINT || k == SM_KIND_BOOL;
}

/* So many elements are not requested one by one. */
enum { MANY = 64, TOGETHER = 1024 };

struct series_reader {
    struct sm_fetch *fetch;
    struct sm_trial *trial;
    const struct sm_trial_tensor *tensor;
    const struct sm_series_spec *spec;
    struct sm_series *out;
    bool waiting, other;   /* other: some values are not numbers */
    bool kept;             /* the numbers are those of the briefs */
    bool reading;          /* the briefs are being read */
    bool lacking;          /* an archive has values without the statistic */
    struct sm_err failure; /* of the last unreadable record */
};

/* The median is of no record's facts, but no archive lacks it either. */
static bool lacks_statistic(const struct sm_facts *f, const struct sm_statistic *x)
{
    return x->kind != SM_STATISTIC_QUANTILE && f->has_stats && !sm_statistic_known(&f->stats, x);
}

/* The statistic of one record; false if it has none. */
static bool read_statistic(const struct sm_facts *f, struct series_reader *r, struct sm_point *p)
{
    const struct sm_statistic *statistic = r->spec->reduction;
    bool number = is_number(f->dtype), lacks = lacks_statistic(f, statistic);
    r->other = r->other || !number;
    r->lacking = r->lacking || lacks;
    if (!number || lacks)
        return false;
    p->value = sm_statistic_of(&f->stats, statistic);
    p->time = f->wall_time;
    p->known = true;
    return true;
}

/* The only element of one record; false if it is no number, or one of several. */
static bool read_element(const struct sm_brief *b, struct series_reader *r, struct sm_point *p)
{
    enum sm_dtype dtype = (enum sm_dtype)b->dtype;
    bool number = is_number(dtype), one = b->flags & SM_BRIEF_ONE;
    r->other = r->other || !number;
    r->out->several = r->out->several || (number && !one);
    if (!number || !one)
        return false;
    p->dtype = dtype;
    memcpy(p->first, b->first, sizeof b->first);
    p->value = sm_dtype_load(dtype, b->first);
    p->time = b->time;
    p->known = true;
    return true;
}

enum reading { POINT, NO_POINT, UNREAD, WAITING };

static enum reading failed_reading(struct series_reader *r, const struct sm_err *err)
{
    if (err->code == SM_ERR_WAIT)
        return WAITING;
    r->failure = *err; /* already counted among the problems */
    return UNREAD;
}

/* The number of a record that is its only element. Of those that failed, one tells why. */
static enum reading read_kept(struct series_reader *r, const struct sm_entry *e, struct sm_brief b,
                              struct sm_point *p, struct sm_err *err)
{
    if (b.flags & SM_BRIEF_FAILED && r->failure.code)
        return UNREAD;
    if (!(b.flags & SM_BRIEF_SETTLED) && r->reading)
        return WAITING;
    if (!(b.flags & SM_BRIEF_READ) && !sm_fetch_brief(r->fetch, r->trial, e, &b, err))
        return failed_reading(r, err);
    return read_element(&b, r, p) ? POINT : NO_POINT;
}

static enum reading read_computed(struct series_reader *r, const struct sm_entry *e,
                                  struct sm_point *p, struct sm_err *err)
{
    const struct sm_facts *facts;
    if (!sm_fetch_stats(r->fetch, r->trial, e, &facts, err))
        return failed_reading(r, err);
    return read_statistic(facts, r, p) ? POINT : NO_POINT;
}

/* The entry i if nothing else is to be looked at for its step: it is the only one there, and what
 * is asked for. None otherwise. */
static struct sm_entry only_entry(const struct series_reader *r, size_t i, size_t to)
{
    struct sm_entry e = sm_tensor_entry(r->trial, r->tensor, i);
    const struct sm_part *p = sm_trial_part(r->trial, e.part);
    bool last = i + 1 == to ? to == r->tensor->n_entries
                            : sm_tensor_part(r->trial, r->tensor, i + 1)->step.n != p->step.n;
    bool wanted = !r->spec->saved && e.kind == SM_ENTRY_VALUE && !p->replaced &&
                  (r->spec->worker == SM_WORKER_ANY || r->spec->worker == p->worker);
    return last && wanted ? e : sm_entry_none();
}

/* e: the entry i of the tensor if it is the only one of its step, else any. */
static enum reading read_entry(struct series_reader *r, const struct sm_entry *e, bool only,
                               size_t i, struct sm_point *p, struct sm_err *err)
{
    const struct sm_part *part = sm_trial_part(r->trial, e->part);
    *p = (struct sm_point){.step = part->step,
                           .mode_step = part->mode_step,
                           .mode = part->mode,
                           .value = (double)NAN,
                           .time = (double)part->time_us / 1e6};
    if (!r->kept)
        return read_computed(r, e, p, err);
    struct sm_brief b =
        only ? sm_tensor_brief(r->trial, r->tensor, i) : sm_trial_brief(r->trial, e);
    return read_kept(r, e, b, p, err);
}

static bool add_step(struct series_reader *r, size_t i, size_t to, struct sm_err *err)
{
    struct sm_step step = sm_tensor_part(r->trial, r->tensor, i)->step;
    struct sm_entry e = only_entry(r, i, to);
    bool only = sm_entry_exists(&e);
    if (!only)
        e = entry_of(r->trial, r->tensor, step, r->spec);
    if (!sm_entry_exists(&e) ||
        (r->spec->mode != SM_MODE_ANY && sm_trial_part(r->trial, e.part)->mode != r->spec->mode))
        return true;
    struct sm_point p;
    enum reading got = read_entry(r, &e, only, i, &p, err);
    if (got == NO_POINT)
        return true;
    if (got == UNREAD) {
        if (!r->out->unread++)
            r->out->first_unread = step;
        return r->failure.code != SM_ERR_MEMORY;
    }
    r->waiting = r->waiting || got == WAITING;
    if (!SM_VEC_ROOM(r->out->points, r->out->n, r->out->cap))
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a series");
    r->out->points[r->out->n++] = p;
    return true;
}

static bool report_empty(const struct series_reader *r, const char *name, struct sm_err *err)
{
    if (r->out->several)
        return sm_err_set(err, SM_ERR_MISSING,
                          "%s has more than one element: name a reduction, such as \"reduce mean\"",
                          name);
    if (r->lacking)
        return sm_err_set(err, SM_ERR_MISSING, "%s: " SM_NOT_SAVED, name, r->spec->reduction->key);
    if (r->other)
        return sm_err_set(err, SM_ERR_MISSING, "%s does not hold real numbers", name);
    if (r->failure.code) {
        *err = r->failure;
        return false;
    }
    return sm_err_set(err, SM_ERR_MISSING, "%s has no such value at any step", name);
}

static int64_t entry_step(const struct series_reader *r, size_t i)
{
    return sm_tensor_part(r->trial, r->tensor, i)->step.n;
}

/* The steps of the entries [from, end) but `before`. */
static bool add_steps(struct series_reader *r, size_t from, size_t end, size_t to, int64_t before,
                      struct sm_err *err)
{
    for (size_t i = from; i < end; i++) {
        int64_t step = entry_step(r, i);
        if (step != before && !add_step(r, i, to, err))
            return false;
        before = step;
    }
    return true;
}

/* Whether the entries are numbers that came with their steps, nothing else is at these, and all are
 * wanted. */
static bool are_plain(const struct series_reader *r, size_t from, size_t to)
{
    const struct sm_series_spec *spec = r->spec;
    struct sm_calm calm;
    return r->tensor->scalars && r->kept && !spec->saved &&
           sm_tensor_calm_to(r->trial, r->tensor, from, to, &calm) == to &&
           (spec->mode == SM_MODE_ANY || spec->mode == calm.mode) &&
           (spec->worker == SM_WORKER_ANY || spec->worker == calm.worker);
}

/* There is room. */
static void add_plain(struct series_reader *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct sm_scalar_point s = sm_points_get(r->tensor->scalars, i);
        const struct sm_part *part = sm_trial_part(r->trial, s.part);
        struct sm_point *p = &r->out->points[r->out->n++];
        *p = (struct sm_point){.step = part->step,
                               .mode_step = part->mode_step,
                               .mode = part->mode,
                               .known = true,
                               .time = s.time,
                               .value = sm_scalar_number(&s),
                               .dtype = (enum sm_dtype)s.dtype};
        memcpy(p->first, s.element, sizeof s.element);
    }
}

/* False: waiting, or no memory. */
static bool add_entries(struct series_reader *r, size_t from, size_t to, struct sm_err *err)
{
    r->kept = r->spec->saved || !r->spec->reduction;
    r->reading = r->kept && to - from >= MANY && !sm_fetch_all(r->fetch, r->trial, r->tensor, err);
    if (r->reading && err->code != SM_ERR_WAIT)
        return false;
    if (!sm_vec_reserve((void **)&r->out->points, &r->out->cap, to - from, sizeof *r->out->points))
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a series");
    int64_t before = INT64_MIN;
    for (size_t end; from < to; from = end) {
        end = from + TOGETHER < to ? from + TOGETHER : to;
        if (are_plain(r, from, end))
            add_plain(r, from, end);
        else if (!add_steps(r, from, end, to, before, err))
            return false;
        before = entry_step(r, end - 1);
    }
    return !r->waiting || sm_err_set(err, SM_ERR_WAIT, "reading %zu values", r->out->n);
}

static struct series_reader begin_series(struct sm_fetch *f, struct sm_trial *t,
                                         const struct sm_series_spec *spec, struct sm_series *out)
{
    out->n = out->unread = 0;
    out->several = false;
    return (struct series_reader){.fetch = f,
                                  .trial = t,
                                  .tensor = sm_trial_tensor_of(t, spec->tensor),
                                  .spec = spec,
                                  .out = out};
}

bool sm_series_read(struct sm_fetch *f, struct sm_trial *t, const struct sm_series_spec *spec,
                    struct sm_series *out, struct sm_err *err)
{
    struct sm_err ignored, *why = err ? err : &ignored;
    struct series_reader r = begin_series(f, t, spec, out);
    const char *name = sm_names_text(sm_trial_names(t), spec->tensor);
    if (!r.tensor)
        return report_empty(&r, name, why);
    return add_entries(&r, 0, r.tensor->n_entries, why) && (out->n || report_empty(&r, name, why));
}

bool sm_series_read_entries(struct sm_fetch *f, struct sm_trial *t,
                            const struct sm_series_spec *spec, size_t from, size_t to,
                            struct sm_series *out, struct sm_err *err)
{
    struct series_reader r = begin_series(f, t, spec, out);
    return !r.tensor || add_entries(&r, from, to, err);
}

struct sm_exact sm_point_exact(const struct sm_point *p)
{
    enum sm_dtype_kind kind = sm_dtype_info(p->dtype)->kind;
    bool integer = kind == SM_KIND_INT || kind == SM_KIND_UINT;
    return integer ? sm_dtype_load_exact(p->dtype, p->first) : sm_exact_real(p->value);
}

void sm_series_clear(struct sm_series *s)
{
    sm_free(s->points);
    *s = (struct sm_series){0};
}

static int first_saved(const struct sm_trial_tensor *x)
{
    if (x->reductions[0] >> SM_REDUCE_MEAN & 1)
        return SM_REDUCE_MEAN;
    for (int absolute = 0; absolute < 2; absolute++)
        for (int op = SM_REDUCE_MIN; op < SM_REDUCE_OPS; op++)
            if (x->reductions[absolute] >> op & 1)
                return op | (absolute ? SM_REDUCE_ABS : 0);
    return SM_REDUCE_NONE;
}

bool sm_series_default(struct sm_fetch *f, struct sm_trial *t, const struct sm_trial_tensor *x,
                       struct sm_series_spec *out, struct sm_err *err)
{
    *out = (struct sm_series_spec){.tensor = x->name, .worker = SM_WORKER_ANY};
    int saved = first_saved(x);
    if (!x->has_value) {
        out->reduction = sm_reduction_statistic(saved);
        out->saved = true;
        return saved != SM_REDUCE_NONE ||
               sm_err_set(err, SM_ERR_MISSING, "%s has only shapes, no numbers",
                          sm_trial_tensor_name(t, x));
    }
    size_t i = x->n_entries - 1;
    while (i && sm_tensor_entry(t, x, i).kind != SM_ENTRY_VALUE)
        i--;
    if (sm_tensor_brief(t, x, i).flags & SM_BRIEF_ONE)
        return true;
    struct sm_entry e = sm_tensor_entry(t, x, i);
    const struct sm_facts *facts;
    if (!sm_fetch_head(f, t, &e, &facts, err))
        return false;
    if (facts->n == 1)
        return true;
    out->reduction = sm_reduction_statistic(SM_REDUCE_MEAN);
    out->saved = x->reductions[0] >> SM_REDUCE_MEAN & 1;
    return true;
}
