/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/curve.h"

#include "reader/base/mem.h"
#include "reader/base/smoother.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 512, SAMPLE = 1024 }; /* entries between checkpoints; the most values of a sample */

/* What is known of a mode at some entry: enough to go on from there. Plain data. */
struct mode_at {
    struct sm_smoother smoother;
    struct sm_curve_point last;
    double smooth; /* of the last point */
    bool any;
};
struct checkpoint {
    size_t entry;
    struct mode_at modes[SM_MODES];
};
struct kept_column {
    size_t n;
    struct sm_curve_column column;
};
struct mode_line {
    struct mode_at at;
    struct sm_curve_line raw, smooth;
    struct sm_curve_point *shown[2]; /* raw and smooth with the point that is kept */
    double *sample;                  /* of the final points; there is room for one more */
    size_t n_sample, stride, seen;
    bool extra; /* behind them is the newest point, which is not final */
};

/* Entries before `done` are final. Those of the last step, which may still get a value of another
 * worker, are added behind them each time: `saved` is what was there before. */
struct item {
    uint64_t trial, version; /* upper half of sm_trial_version; the whole of it */
    struct sm_curve_spec spec;
    bool used, complete;
    size_t done, late;
    struct sm_entry last; /* the last final one, and its time */
    double last_time;
    int64_t begin_step;
    double begin_time, width; /* of a column; 0: each point is one */
    struct mode_line modes[SM_MODES];
    struct {
        struct mode_at at;
        struct kept_column raw, smooth;
    } saved[SM_MODES];
    struct checkpoint *checks;
    size_t n_checks, cap_checks;
};
struct sm_kept_curves {
    struct item **items;
    size_t n, cap;
    struct sm_series scratch;
    uint64_t read;
};

/* Who reads, and from where. */
struct reading {
    struct sm_kept_curves *curves;
    struct item *item;
    struct sm_fetch *fetch;
    struct sm_trial *trial;
    const struct sm_trial_tensor *tensor;
    bool waiting;
};

/* ---- the kept curves ---- */

struct sm_kept_curves *sm_kept_curves_new(void)
{
    return sm_xalloc_zero(1, sizeof(struct sm_kept_curves));
}

static void reset_item(struct item *k)
{
    for (int m = 0; m < SM_MODES; m++) {
        struct mode_line *l = &k->modes[m];
        sm_curve_line_clear(&l->raw);
        sm_curve_line_clear(&l->smooth);
        sm_free(l->shown[0]);
        sm_free(l->shown[1]);
        sm_free(l->sample);
        *l = (struct mode_line){.stride = 1, .raw.means = k->spec.means};
        l->smooth.means = k->spec.means;
        sm_smoother_init(&l->at.smoother, k->spec.smoothing);
        k->saved[m].at = l->at;
        k->saved[m].raw = k->saved[m].smooth = (struct kept_column){0};
    }
    k->done = k->n_checks = 0;
    k->width = 0;
    k->complete = false;
}

static void free_item(struct item *k)
{
    reset_item(k);
    sm_free(k->checks);
    sm_free(k);
}

void sm_kept_curves_free(struct sm_kept_curves *c)
{
    for (size_t i = 0; c && i < c->n; i++)
        free_item(c->items[i]);
    if (c) {
        sm_free(c->items);
        sm_series_clear(&c->scratch);
    }
    sm_free(c);
}

void sm_kept_curves_begin(struct sm_kept_curves *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        struct item *k = c->items[i];
        if (!k->used) {
            free_item(k);
            continue;
        }
        k->used = false;
        c->items[n++] = k;
    }
    c->n = n;
}

uint64_t sm_kept_curves_read_count(const struct sm_kept_curves *c)
{
    return c->read;
}

static bool is_same(const struct sm_curve_spec *a, const struct sm_curve_spec *b)
{
    const struct sm_series_spec *x = &a->series, *y = &b->series;
    return x->tensor == y->tensor && x->reduction == y->reduction && x->saved == y->saved &&
           x->mode == y->mode && x->worker == y->worker && a->by_time == b->by_time &&
           a->by_log == b->by_log && a->means == b->means && a->columns == b->columns &&
           a->smoothing == b->smoothing;
}

static struct item *find_item(struct sm_kept_curves *c, const struct sm_trial *t,
                              const struct sm_curve_spec *spec)
{
    uint64_t trial = sm_trial_version(t) >> 32;
    for (size_t i = 0; i < c->n; i++)
        if (c->items[i]->trial == trial && is_same(&c->items[i]->spec, spec))
            return c->items[i];
    if (c->n == c->cap) {
        c->cap = c->cap ? 2 * c->cap : 16;
        c->items = sm_xrealloc(c->items, c->cap, sizeof *c->items);
    }
    struct item *k = c->items[c->n++] = sm_xalloc_zero(1, sizeof *k);
    k->trial = trial;
    k->spec = *spec;
    reset_item(k);
    return k;
}

/* ---- points ---- */

static int64_t step_at(const struct reading *r, size_t i)
{
    return sm_tensor_part(r->trial, r->tensor, i)->step.n;
}

static double time_at(const struct reading *r, size_t i)
{
    const struct sm_brief b = sm_tensor_brief(r->trial, r->tensor, i);
    return b.flags & SM_BRIEF_READ ? b.time
                                   : (double)sm_tensor_part(r->trial, r->tensor, i)->time_us / 1e6;
}

/* The distance from the first point, as long as it is on the axis. */
static double distance(const struct item *k, int64_t step, double time)
{
    double from = k->spec.by_time ? time - k->begin_time : (double)step - (double)k->begin_step;
    return !k->spec.by_log ? from : log1p(from > 0 ? from : 0);
}

static double place_of(const struct item *k, const struct sm_curve_point *p)
{
    double from = distance(k, p->step.n, p->time);
    return k->width > 0 ? floor(from / k->width) : (double)p->step.n;
}

static void add_to_sample(struct mode_line *l, double value, bool final)
{
    if (!l->sample)
        l->sample = sm_xalloc((SAMPLE + 1) * sizeof *l->sample);
    l->extra = !final;
    l->sample[l->n_sample] = value;
    if (!final || l->seen++ % l->stride || ++l->n_sample < SAMPLE)
        return;
    for (size_t i = 0; i < SAMPLE / 2; i++)
        l->sample[i] = l->sample[2 * i];
    l->n_sample = SAMPLE / 2;
    l->stride *= 2;
}

static void advance(struct mode_at *at, const struct sm_curve_point *p)
{
    at->last = *p;
    at->smooth = sm_smoother_next(&at->smoother, p->value);
    at->any = true;
}

static void add_point(struct item *k, const struct sm_point *p, bool final)
{
    struct mode_line *l = &k->modes[p->mode];
    struct sm_curve_point at = {p->step, p->time, p->value, p->value, p->value};
    double place = place_of(k, &at);
    advance(&l->at, &at);
    sm_curve_line_add(&l->raw, place, &at);
    add_to_sample(l, at.value, final);
    if (k->spec.smoothing > 0) {
        at.value = at.low = at.high = l->at.smooth;
        sm_curve_line_add(&l->smooth, place, &at);
    }
}

/* ---- reading ---- */

static void add_checkpoint(struct item *k, size_t entry)
{
    if (k->n_checks && entry - k->checks[k->n_checks - 1].entry < CHUNK)
        return;
    if (k->n_checks == k->cap_checks) {
        k->cap_checks = k->cap_checks ? 2 * k->cap_checks : 4;
        k->checks = sm_xrealloc(k->checks, k->cap_checks, sizeof *k->checks);
    }
    struct checkpoint *c = &k->checks[k->n_checks++];
    c->entry = entry;
    for (int m = 0; m < SM_MODES; m++)
        c->modes[m] = k->modes[m].at;
}

/* The points of the entries from `from` on, at most CHUNK of them and what belongs to the last
 * step; returns where it ended. */
static size_t read_chunk(struct reading *r, size_t from, size_t to)
{
    struct sm_err err;
    size_t end = to - from > CHUNK ? from + CHUNK : to;
    while (end < to && step_at(r, end) == step_at(r, end - 1))
        end++;
    r->curves->read += end - from;
    if (!sm_series_read_entries(r->fetch, r->trial, &r->item->spec.series, from, end,
                                &r->curves->scratch, &err))
        r->waiting = true;
    return end;
}

static void read_entries(struct reading *r, size_t from, size_t to, bool final)
{
    while (from < to) {
        if (final)
            add_checkpoint(r->item, from);
        from = read_chunk(r, from, to);
        const struct sm_series *s = &r->curves->scratch;
        for (size_t i = 0; i < s->n; i++)
            if (s->points[i].known)
                add_point(r->item, &s->points[i], final);
    }
}

static void save_column(struct kept_column *to, const struct sm_curve_line *l)
{
    to->n = l->n;
    to->column = l->column;
}

static void restore_column(struct sm_curve_line *l, const struct kept_column *from)
{
    l->n = from->n;
    l->column = from->column;
}

static void save_item(struct item *k)
{
    for (int m = 0; m < SM_MODES; m++) {
        k->saved[m].at = k->modes[m].at;
        save_column(&k->saved[m].raw, &k->modes[m].raw);
        save_column(&k->saved[m].smooth, &k->modes[m].smooth);
    }
}

static void restore_item(struct item *k)
{
    for (int m = 0; m < SM_MODES; m++) {
        k->modes[m].at = k->saved[m].at;
        k->modes[m].extra = false;
        restore_column(&k->modes[m].raw, &k->saved[m].raw);
        restore_column(&k->modes[m].smooth, &k->saved[m].smooth);
    }
}

/* Whether what was read is what is there. */
static bool is_still_true(const struct reading *r)
{
    const struct item *k = r->item;
    if (!k->complete || k->done > r->tensor->n_entries || k->late != sm_trial_late_count(r->trial))
        return false;
    if (!k->done)
        return true;
    struct sm_entry last = sm_tensor_entry(r->trial, r->tensor, k->done - 1);
    double time = time_at(r, k->done - 1);
    return sm_entry_same(&last, &k->last) && (time == k->last_time || isnan(time));
}

/* A power of two, so that it stays while the run grows to twice its length. */
static double width_of(const struct reading *r)
{
    const struct item *k = r->item;
    size_t last = r->tensor->n_entries - 1;
    double span = distance(k, step_at(r, last), time_at(r, last));
    if (!k->spec.columns || !(span > 0) || !isfinite(span))
        return 0;
    return exp2(ceil(log2(span / (double)k->spec.columns)));
}

static void begin_again(struct reading *r, double width)
{
    reset_item(r->item);
    r->item->width = width;
    r->item->late = sm_trial_late_count(r->trial);
}

static void update_item(struct reading *r)
{
    struct item *k = r->item;
    size_t n = r->tensor->n_entries;
    bool again = !is_still_true(r);
    if (again) {
        k->begin_step = step_at(r, 0);
        k->begin_time = time_at(r, 0);
    }
    double width = width_of(r);
    if (again || width > k->width || (width > 0) != (k->width > 0))
        begin_again(r, width);
    else
        restore_item(k);
    size_t last = sm_trial_entries_from(r->trial, r->tensor, (struct sm_step){step_at(r, n - 1)});
    read_entries(r, k->done, last, true);
    save_item(k);
    read_entries(r, last, n, false);
    k->done = last;
    if (last) {
        k->last = sm_tensor_entry(r->trial, r->tensor, last - 1);
        k->last_time = time_at(r, last - 1);
    }
    k->complete = !r->waiting;
    k->version = sm_trial_version(r->trial);
}

/* ---- the point that is kept ---- */

/* The number of entries at or before `keep`, with all of a step. */
static size_t count_until(const struct reading *r, double keep)
{
    const struct item *k = r->item;
    size_t n = r->tensor->n_entries, lo = 0, hi = n;
    double at = k->spec.by_time && k->spec.keep_from_begin ? keep + k->begin_time : keep;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        double x = k->spec.by_time ? time_at(r, middle) : (double)step_at(r, middle);
        if (x <= at)
            lo = middle + 1;
        else
            hi = middle;
    }
    while (lo && lo < n && step_at(r, lo) == step_at(r, lo - 1))
        lo++;
    return lo;
}

/* What is known of each mode after the first `until` entries. */
static void state_after(struct reading *r, size_t until, struct mode_at out[SM_MODES])
{
    const struct item *k = r->item;
    size_t lo = 0, hi = k->n_checks;
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        if (k->checks[middle].entry <= until)
            lo = middle;
        else
            hi = middle;
    }
    memcpy(out, k->checks[lo].modes, sizeof k->checks[lo].modes);
    for (size_t from = k->checks[lo].entry; from < until;) {
        from = read_chunk(r, from, until);
        const struct sm_series *s = &r->curves->scratch;
        for (size_t i = 0; i < s->n; i++) {
            const struct sm_point *p = &s->points[i];
            if (p->known)
                advance(&out[p->mode],
                        &(struct sm_curve_point){p->step, p->time, p->value, p->value, p->value});
        }
    }
}

/* The line with one more point, unless it has that. */
static struct sm_curve_points with_point(struct sm_curve_points line, struct sm_curve_point p,
                                         struct sm_curve_point **to)
{
    size_t lo = 0, hi = line.n;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (line.points[middle].step.n < p.step.n)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (lo < line.n && line.points[lo].step.n == p.step.n)
        return line;
    struct sm_curve_point *all = *to = sm_xrealloc(*to, line.n + 1, sizeof *all);
    memcpy(all, line.points, lo * sizeof *all);
    all[lo] = p;
    if (line.n > lo)
        memcpy(all + lo + 1, line.points + lo, (line.n - lo) * sizeof *all);
    return (struct sm_curve_points){all, line.n + 1};
}

static void keep_point(struct reading *r, double keep, struct sm_kept_curve *out)
{
    struct mode_at at[SM_MODES];
    size_t until = count_until(r, keep);
    if (!until || until >= r->tensor->n_entries || !r->item->n_checks || r->item->spec.means)
        return;
    state_after(r, until, at);
    for (int m = 0; m < SM_MODES; m++) {
        struct sm_curve_point p = at[m].last;
        if (!at[m].any)
            continue;
        struct mode_line *l = &r->item->modes[m];
        out->modes[m].raw = with_point(out->modes[m].raw, p, &l->shown[0]);
        p.value = p.low = p.high = at[m].smooth;
        if (out->modes[m].smooth.n)
            out->modes[m].smooth = with_point(out->modes[m].smooth, p, &l->shown[1]);
    }
}

/* ---- all of it ---- */

static struct sm_curve_points show(struct sm_curve_line *l)
{
    size_t n = sm_curve_line_show(l);
    return (struct sm_curve_points){l->points, n};
}

bool sm_kept_curve_read(struct sm_kept_curves *c, struct sm_fetch *f, struct sm_trial *t,
                        const struct sm_curve_spec *spec, struct sm_kept_curve *out,
                        struct sm_err *err)
{
    *out = (struct sm_kept_curve){0};
    const struct sm_trial_tensor *x = sm_trial_tensor_of(t, spec->series.tensor);
    if (!x || !x->n_entries)
        return true;
    struct item *k = find_item(c, t, spec);
    struct reading r = {.curves = c, .item = k, .fetch = f, .trial = t, .tensor = x};
    k->used = true;
    k->spec.keep_from_begin = spec->keep_from_begin;
    if (!k->complete || k->version != sm_trial_version(t))
        update_item(&r);
    out->begin_time = k->begin_time;
    for (int m = 0; m < SM_MODES; m++) {
        struct mode_line *l = &k->modes[m];
        out->modes[m].raw = show(&l->raw);
        out->modes[m].smooth = show(&l->smooth);
        out->modes[m].sample = l->sample;
        out->modes[m].n_sample = l->n_sample + l->extra;
    }
    if (!isnan(spec->keep))
        keep_point(&r, spec->keep, out);
    return !r.waiting || sm_err_set(err, SM_ERR_WAIT, "reading a curve");
}
