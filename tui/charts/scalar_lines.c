/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/charts/scalar_lines.h"

#include "commands/runs/run_view.h"
#include "commands/session/trial_list.h"
#include "commands/stops/chart_marks.h"
#include "plot/scalar_group.h"
#include "reader/analysis/curve.h"
#include "tui/charts/scalar_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const sm_scalar_mode_names[SM_MODES] = {"", "train", "eval", "predict", "value"};

/* What has lines of its own. */
struct source {
    size_t trial;
    uint16_t worker; /* ANY: at each step the first, by name */
    struct sm_kept_curve curve;
};
struct reader {
    const struct sm_view *v;
    const struct sm_scalar_options *options;
    struct sm_scalar_lines *out;
    size_t *group_of; /* of each trial; SIZE_MAX: it is not drawn */
    struct source *sources;
    size_t n_sources, columns;
};

static double x_of(const struct reader *r, const struct sm_curve_point *p, double begin)
{
    enum sm_x_unit unit = r->options->x_unit;
    return unit == SM_X_STEP ? (double)p->step.n : unit == SM_X_SECONDS ? p->time - begin : p->time;
}

/* ---- lines ---- */

static struct sm_line_series line_of(const struct reader *r, struct sm_curve_points points,
                                     double begin)
{
    struct sm_arena *arena = &r->out->arena;
    size_t bytes = (points.n + 1) * sizeof(double);
    double *x = sm_arena_xalloc(arena, bytes), *y = sm_arena_xalloc(arena, bytes), *lo = NULL,
           *hi = NULL;
    if (r->out->groups || r->out->banded) {
        lo = sm_arena_xalloc(arena, bytes);
        hi = sm_arena_xalloc(arena, bytes);
    }
    for (size_t i = 0; i < points.n; i++) {
        x[i] = x_of(r, &points.points[i], begin);
        y[i] = points.points[i].value;
        if (lo) {
            lo[i] = points.points[i].low;
            hi[i] = points.points[i].high;
        }
    }
    return (struct sm_line_series){.x = x, .y = y, .lo = lo, .hi = hi, .n = points.n};
}

/* Of several trials each has its form, of several workers too. */
static struct sm_scalar_form form_of(const struct reader *r, size_t source, unsigned k)
{
    const struct sm_session *s = r->v->session;
    if (r->out->workers)
        return sm_scalar_form((unsigned)source, k);
    return s->n_trials > 1 ? sm_scalar_form(s->trials[r->sources[source].trial].style, k)
                           : sm_scalar_form((unsigned)r->out->n, 0);
}

static void add_line(struct reader *r, size_t source, enum sm_mode mode, unsigned k)
{
    const struct source *of = &r->sources[source];
    const struct sm_kept_curve *curve = &of->curve;
    struct sm_scalar_lines *out = r->out;
    struct sm_scalar_form form = form_of(r, source, k);
    struct sm_line_series raw = line_of(r, curve->modes[mode].raw, curve->begin_time), line = raw;
    if (curve->modes[mode].smooth.n)
        line = line_of(r, curve->modes[mode].smooth, curve->begin_time);
    raw.sample = line.sample = curve->modes[mode].sample;
    raw.n_sample = line.n_sample = curve->modes[mode].n_sample;
    raw.role = line.role = form.role;
    line.dash = form.dash;
    line.marker = form.marker;
    raw.faint = true;
    if (out->raw)
        out->raw[out->n] = raw;
    out->of[out->n] = (struct sm_scalar_line){of->trial, SIZE_MAX, of->worker, mode, k == 0};
    out->lines[out->n++] = line;
}

/* Adds the line of the first mode, or those of all other modes. */
static void add_modes(struct reader *r, size_t source, bool first)
{
    unsigned k = 0;
    const struct sm_kept_curve *c = &r->sources[source].curve;
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++)
        if (c->modes[m].raw.n && (k++ == 0) == first)
            add_line(r, source, (enum sm_mode)m, k - 1);
}

/* ---- marks ---- */

static int compare_steps(const void *a, const void *b)
{
    const struct sm_curve_point *x = a, *y = b;
    return (x->step.n > y->step.n) - (x->step.n < y->step.n);
}

/* Finds where rules fired, breakpoints stopped and the job was restarted, on the x axis of this
 * curve. */
static void find_marks(struct reader *r, const struct sm_kept_curve *c)
{
    struct sm_scalar_lines *out = r->out;
    size_t n = 0, all = 1;
    for (int m = 0; m < SM_MODES; m++)
        all += c->modes[m].raw.n;
    struct sm_curve_point *points = sm_arena_xalloc(&out->arena, all * sizeof *points);
    int64_t *steps = sm_arena_xalloc(&out->arena, all * sizeof *steps);
    double *x = sm_arena_xalloc(&out->arena, all * sizeof *x);
    for (int m = 0; m < SM_MODES; m++)
        for (size_t i = 0; i < c->modes[m].raw.n; i++)
            points[n++] = c->modes[m].raw.points[i];
    qsort(points, n, sizeof *points, compare_steps);
    for (size_t i = 0; i < n; i++) {
        steps[i] = points[i].step.n;
        x[i] = x_of(r, &points[i], c->begin_time);
    }
    const double *along = r->options->x_unit == SM_X_STEP ? NULL : x;
    const struct sm_session *s = r->v->session;
    out->n_marks = sm_chart_marks(s, steps, along, n, out->marks, SM_SCALAR_MARKS);
    out->n_sessions =
        sm_chart_sessions(sm_session_trial(s), steps, along, n, out->sessions, SM_SCALAR_MARKS);
}

/* ---- runs ---- */

static bool is_drawn(const struct reader *r, size_t i)
{
    return r->out->groups ? r->group_of[i] != SIZE_MAX : sm_trials_shown(r->v->session, i);
}

/* Which of n_workers are read, the k-th of n: taken evenly. */
static uint16_t worker_of(size_t n_workers, size_t k, size_t n)
{
    return (uint16_t)(k * n_workers / n);
}

/* A single trial has a source for each of its workers, unless one is chosen. */
static void list_sources(struct reader *r)
{
    const struct sm_session *s = r->v->session;
    struct sm_arena *arena = &r->out->arena;
    size_t shown = 0, last = 0;
    for (size_t i = 0; i < s->n_trials; i++)
        if (is_drawn(r, i)) {
            last = i;
            shown++;
        }
    size_t workers =
               shown == 1 && !r->out->groups ? sm_trial_worker_count(s->trials[last].trial) : 0,
           n = workers < SM_SCALAR_WORKERS_READ ? workers : SM_SCALAR_WORKERS_READ;
    r->out->several = shown > 1;
    r->sources = sm_arena_xalloc(arena, (shown + n + 1) * sizeof *r->sources);
    memset(r->sources, 0, (shown + n + 1) * sizeof *r->sources);
    if (n > 1 && (last != s->current || s->at.worker == SM_WORKER_ANY)) {
        r->out->workers = n;
        r->out->banded = n > SM_SCALAR_WORKERS;
        for (size_t k = 0; k < n; k++)
            r->sources[r->n_sources++] =
                (struct source){.trial = last, .worker = worker_of(workers, k, n)};
        return;
    }
    for (size_t i = 0; i < s->n_trials; i++)
        if (is_drawn(r, i))
            r->sources[r->n_sources++] = (struct source){
                .trial = i, .worker = i == s->current ? s->at.worker : SM_WORKER_ANY};
}

static void read_source(struct reader *r, struct source *of)
{
    struct sm_session *s = r->v->session;
    struct sm_trial *t = s->trials[of->trial].trial;
    struct sm_scalar_lines *out = r->out;
    const struct sm_trial_tensor *x = sm_trial_find(t, out->name, strlen(out->name));
    const struct sm_scalar_options *o = r->options;
    struct sm_curve_spec spec = {.by_time = o->x_unit != SM_X_STEP,
                                 .by_log = o->x_log && o->x_unit != SM_X_WALL,
                                 .means = out->groups || out->banded,
                                 .columns = r->columns,
                                 .smoothing = o->smoothing,
                                 .keep = out->cursor,
                                 .keep_from_begin = o->x_unit == SM_X_SECONDS};
    if (!x || !sm_series_default(s->fetch, t, x, &spec.series, NULL))
        return;
    spec.series.worker = of->worker;
    out->saved = spec.series.saved ? spec.series.reduction : out->saved;
    struct sm_err waiting;
    sm_kept_curve_read(o->curves, s->fetch, t, &spec, &of->curve, &waiting);
    out->known = out->known || x->n_entries;
}

static bool has_points(const struct source *of)
{
    size_t n = 0;
    for (int m = 0; m < SM_MODES; m++)
        n += of->curve.modes[m].raw.n;
    return n;
}

/* Workers without a value have no line, and a single one that has some needs no name. */
static void leave_out_workers(struct reader *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_sources; i++)
        if (has_points(&r->sources[i]))
            r->sources[n++] = r->sources[i];
    r->n_sources = r->out->workers = n;
    if (n > 1)
        return;
    r->out->workers = 0;
    r->out->banded = false;
    r->sources[0].worker = SM_WORKER_ANY;
}

static void read_groups(struct reader *r)
{
    const struct sm_session *s = r->v->session;
    const struct sm_run_view *view = sm_run_view(s);
    struct sm_arena *arena = &r->out->arena;
    size_t *of;
    if (!r->v->sweep || !view->group || !view->table.n)
        return;
    sm_run_groups(s, &view->table, view->group, arena, &r->out->groups, &of);
    r->group_of = sm_arena_xalloc(arena, s->n_trials * sizeof *r->group_of);
    for (size_t i = 0; i < s->n_trials; i++)
        r->group_of[i] = SIZE_MAX;
    for (size_t i = 0; i < view->table.n; i++)
        if (!sm_run_left_out(&view->table, &view->table.rows[i]))
            r->group_of[view->table.rows[i].trial] = of[i];
}

/* Replaces the lines by one for each group and mode, or each mode of all workers. */
static void merge_lines(struct reader *r)
{
    struct sm_scalar_lines *out = r->out;
    size_t room = out->n + 1, trial = out->n ? out->of[0].trial : 0;
    size_t *ids = sm_arena_xalloc(&out->arena, room * sizeof *ids);
    struct sm_line_series *lines = sm_arena_xalloc(&out->arena, room * sizeof *lines);
    out->runs = sm_arena_xalloc(&out->arena, room * sizeof *out->runs);
    for (size_t i = 0; i < out->n; i++)
        ids[i] = (out->banded ? 0 : r->group_of[out->of[i].trial]) * SM_MODES + out->of[i].mode;
    out->n = sm_scalar_group(out->lines, out->n, ids, out->runs, &out->arena, lines);
    out->lines = lines;
    for (size_t i = 0; i < out->n; i++) {
        size_t group = ids[i] / SM_MODES;
        bool first = !i || ids[i - 1] / SM_MODES != group;
        struct sm_scalar_form form = sm_scalar_form((unsigned)(out->banded ? i : group), !first);
        lines[i].role = form.role;
        lines[i].dash = form.dash;
        lines[i].marker = form.marker;
        out->of[i] =
            (struct sm_scalar_line){out->banded ? trial : 0, out->banded ? SIZE_MAX : group,
                                    SM_WORKER_ANY, (enum sm_mode)(ids[i] % SM_MODES), first};
    }
}

/* ---- all ---- */

/* Of a picture of w cells, of which it shows a part; finer than its dots, which lie elsewhere. */
static size_t count_columns(const struct reader *r, int w)
{
    enum { EACH = 8, ZOOM_MOST = 16 };
    int zoom = r->options->zoom < ZOOM_MOST ? r->options->zoom : ZOOM_MOST;
    return (size_t)(w < 1 ? 1 : w) * EACH << zoom;
}

void sm_scalar_lines_read(const struct sm_view *v, const char *name,
                          const struct sm_scalar_options *options, int w,
                          struct sm_scalar_lines *out)
{
    const struct sm_session *s = v->session;
    *out = (struct sm_scalar_lines){.name = name};
    struct reader r = {.v = v, .options = options, .out = out};
    r.columns = count_columns(&r, w);
    read_groups(&r);
    list_sources(&r);
    size_t most = r.n_sources * SM_MODES + 1;
    out->lines = sm_arena_xalloc(&out->arena, most * sizeof *out->lines);
    out->of = sm_arena_xalloc(&out->arena, most * sizeof *out->of);
    out->cursor = s->at.follow ? (double)NAN
                               : sm_scalar_x_of_step(v, name, options->x_unit, sm_session_step(s));
    for (size_t i = 0; i < r.n_sources; i++) {
        sm_trial_wake(s->trials[r.sources[i].trial].trial); /* of a group, also those not marked */
        read_source(&r, &r.sources[i]);
    }
    if (out->workers)
        leave_out_workers(&r);
    if (options->smoothing > 0 && !out->groups && !out->banded)
        out->raw = sm_arena_xalloc(&out->arena, most * sizeof *out->raw);
    for (size_t i = 0; i < r.n_sources; i++)
        if (r.sources[i].trial == s->current && has_points(&r.sources[i])) {
            find_marks(&r, &r.sources[i].curve);
            break;
        }
    for (size_t i = 0; i < 2 * r.n_sources; i++) /* the first mode of each comes first */
        add_modes(&r, i % r.n_sources, i < r.n_sources);
    if (out->groups || out->banded)
        merge_lines(&r);
}

const char *sm_scalar_line_run(const struct sm_view *v, const struct sm_scalar_lines *l, size_t i,
                               struct sm_arena *arena)
{
    const char *name = "";
    if (l->groups)
        name = l->groups[l->of[i].group].value;
    else if (l->several)
        name = sm_trials_name(v->session, l->of[i].trial);
    else if (l->workers && l->of[i].worker != SM_WORKER_ANY)
        name = sm_trial_worker(v->session->trials[l->of[i].trial].trial, l->of[i].worker);
    name = name ? name : "-";
    struct sm_str escaped = {0};
    sm_str_add_escaped(&escaped, name, strlen(name));
    const char *kept = sm_arena_xstrndup(arena, sm_str_text(&escaped), escaped.len);
    sm_str_clear(&escaped);
    return kept;
}

static void add_group_count(const struct sm_scalar_lines *l, size_t i, struct sm_str *out)
{
    const struct sm_run_group *g = &l->groups[l->of[i].group];
    if (g->diverged)
        sm_str_printf(out, " (%zu of %zu)", l->runs[i], l->runs[i] + g->diverged);
    else if (l->runs[i] > 1)
        sm_str_printf(out, " (%zu)", l->runs[i]);
}

void sm_scalar_line_name(const struct sm_scalar_lines *l, size_t i, const char *run,
                         struct sm_str *out)
{
    const struct sm_scalar_line *of = &l->of[i];
    size_t begin = out->len;
    if (!l->groups && l->several)
        sm_str_printf(out, "%zu ", of->trial + 1);
    sm_str_add(out, run);
    if (l->groups)
        add_group_count(l, i, out);
    bool several = l->several || (l->workers && !l->banded);
    bool shown = l->groups ? of->mode != SM_MODE_GLOBAL : !several || !of->first;
    if (shown)
        sm_str_printf(out, "%s%s", out->len > begin ? " " : "", sm_scalar_mode_names[of->mode]);
}

void sm_scalar_lines_clear(struct sm_scalar_lines *l)
{
    sm_arena_clear(&l->arena);
}
