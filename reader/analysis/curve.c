/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/curve.h"

#include "reader/base/vec.h"

#include <math.h>
#include <string.h>

struct reducer {
    struct sm_trial *trial;
    const struct sm_trial_tensor *tensor;
    const struct sm_curve_spec *spec;
    struct sm_series *out;
    double begin, span; /* x of the first point, and from there to the last */
    size_t keep;        /* SIZE_MAX: none */
    bool failed;        /* no memory */
};

/* Whether every value was read and is a number. */
static bool all_numbers(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    const unsigned number = SM_BRIEF_READ | SM_BRIEF_ONE | SM_BRIEF_NUMBERS;
    if (x->scalars)
        return true;
    if (x->unsettled || x->has_shape || x->reductions[0] || x->reductions[1])
        return false;
    for (size_t i = 0; i < x->n_entries; i++)
        if ((sm_tensor_brief(t, x, i).flags & number) != number ||
            sm_tensor_part(t, x, i)->replaced)
            return false;
    return true;
}

/* Every point is one of the line: one at a step, all in one mode, of the worker asked for. */
static bool is_plain(const struct sm_trial *t, const struct sm_trial_tensor *x,
                     const struct sm_series_spec *spec)
{
    bool one_mode = !(x->modes & (x->modes - 1));
    bool modes = spec->mode == SM_MODE_ANY || x->modes == 1 << spec->mode;
    bool workers =
        spec->worker == SM_WORKER_ANY || (spec->worker == 0 && sm_trial_worker_count(t) == 1);
    return !spec->reduction && !spec->saved && one_mode && modes && workers &&
           x->n_entries == x->steps && all_numbers(t, x);
}

static double x_of(const struct reducer *r, size_t i)
{
    if (r->spec->by_time)
        return sm_tensor_brief(r->trial, r->tensor, i).time;
    return (double)sm_tensor_part(r->trial, r->tensor, i)->step.n;
}

/* Steps do; the clocks of two machines that ran one after the other need not. */
static bool ascends(const struct reducer *r)
{
    double before = -HUGE_VAL;
    for (size_t i = 0; r->spec->by_time && i < r->tensor->n_entries; i++) {
        double x = x_of(r, i);
        if (x < before)
            return false;
        before = isnan(x) ? before : x;
    }
    return true;
}

static size_t column_of(const struct reducer *r, size_t i)
{
    double from = x_of(r, i) - r->begin;
    double place = r->spec->by_log ? log1p(from) / log1p(r->span) : from / r->span;
    return place > 0 && place <= 1 ? (size_t)(place * (double)r->spec->columns) : 0;
}

static void emit(struct reducer *r, size_t i)
{
    const struct sm_brief b = sm_tensor_brief(r->trial, r->tensor, i);
    const struct sm_part *part = sm_tensor_part(r->trial, r->tensor, i);
    if (r->failed || !SM_VEC_ROOM(r->out->points, r->out->n, r->out->cap)) {
        r->failed = true;
        return;
    }
    struct sm_point *out = &r->out->points[r->out->n++];
    *out = (struct sm_point){.step = part->step,
                             .mode_step = part->mode_step,
                             .mode = part->mode,
                             .known = true,
                             .time = b.time,
                             .value = sm_dtype_load((enum sm_dtype)b.dtype, b.first),
                             .dtype = (enum sm_dtype)b.dtype};
    memcpy(out->first, b.first, sizeof b.first);
}

/* As sm_points_range, of values that have entries. */
static void read_range(const struct reducer *r, size_t from, size_t to, struct sm_points_range *out)
{
    if (r->tensor->scalars) {
        sm_points_range(r->tensor->scalars, from, to, out);
        return;
    }
    sm_points_range_begin(out);
    for (size_t i = from; i < to; i++) {
        const struct sm_brief b = sm_tensor_brief(r->trial, r->tensor, i);
        sm_points_range_add(out, i, sm_dtype_load((enum sm_dtype)b.dtype, b.first));
    }
}

/* Of the points [from, to) of a column those that the picture needs. */
static void emit_column(struct reducer *r, size_t from, size_t to)
{
    enum { NEEDED = 6 };
    struct sm_points_range range;
    read_range(r, from, to, &range);
    size_t needed[NEEDED] = {from, to - 1, range.low, range.high, range.first_bad, r->keep};
    for (size_t at = from; at < to;) {
        emit(r, at);
        size_t next = to;
        for (size_t k = 0; k < NEEDED; k++)
            next = needed[k] > at && needed[k] < next ? needed[k] : next;
        at = next;
    }
}

/* The first point after `from` that is in another column; x ascends. */
static size_t end_of_column(const struct reducer *r, size_t from, size_t n)
{
    size_t lo = from + 1, hi = n, column = column_of(r, from);
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (column_of(r, middle) == column)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

bool sm_curve_read(struct sm_fetch *f, struct sm_trial *t, const struct sm_curve_spec *spec,
                   struct sm_series *out, struct sm_err *err)
{
    const struct sm_trial_tensor *x = sm_trial_tensor_of(t, spec->series.tensor);
    if (!spec->columns || !x || !x->n_entries || !is_plain(t, x, &spec->series))
        return sm_series_read(f, t, &spec->series, out, err);
    struct reducer r = {.trial = t, .tensor = x, .spec = spec, .out = out};
    if (!ascends(&r))
        return sm_series_read(f, t, &spec->series, out, err);
    struct sm_step after = {spec->keep.n < INT64_MAX ? spec->keep.n + 1 : INT64_MAX};
    r.keep = sm_trial_entries_from(t, x, after) - 1; /* SIZE_MAX before the first */
    r.begin = x_of(&r, 0);
    r.span = x_of(&r, x->n_entries - 1) - r.begin;
    out->n = out->unread = 0;
    out->several = false;
    for (size_t at = 0; at < x->n_entries && !r.failed;) {
        size_t end = end_of_column(&r, at, x->n_entries);
        emit_column(&r, at, end);
        at = end;
    }
    return !r.failed || sm_err_set(err, SM_ERR_MEMORY, "no memory for a series");
}
