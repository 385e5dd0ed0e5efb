/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/charts/scalar_lines.h"

#include "commands/runs/run_view.h"
#include "commands/session/trial_list.h"
#include "commands/stops/chart_marks.h"
#include "reader/analysis/curve.h"
#include "tui/charts/scalar_group.h"
#include "tui/charts/scalar_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const sm_scalar_mode_names[SM_MODES] = {"", "train", "eval", "predict", "value"};

struct reader {
    const struct sm_view *v;
    const struct sm_scalar_options *options;
    struct sm_scalar_lines *out;
    size_t *group_of; /* of each trial; SIZE_MAX: it is not drawn */
    struct sm_kept_curve *curves;
    size_t columns;
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
    if (r->out->groups) {
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

static void add_line(struct reader *r, const struct sm_kept_curve *curve, size_t trial,
                     enum sm_mode mode, unsigned k)
{
    const struct sm_session *s = r->v->session;
    struct sm_scalar_lines *out = r->out;
    struct sm_scalar_form form = s->n_trials > 1 ? sm_scalar_form(s->trials[trial].style, k)
                                                 : sm_scalar_form((unsigned)out->n, 0);
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
    out->of[out->n] = (struct sm_scalar_line){trial, SIZE_MAX, mode, k == 0};
    out->lines[out->n++] = line;
}

/* Adds the line of the first mode, or those of all other modes. */
static void add_modes(struct reader *r, size_t trial, bool first)
{
    unsigned k = 0;
    const struct sm_kept_curve *c = &r->curves[trial];
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++)
        if (c->modes[m].raw.n && (k++ == 0) == first)
            add_line(r, c, trial, (enum sm_mode)m, k - 1);
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

static void read_trial(struct reader *r, size_t i)
{
    struct sm_session *s = r->v->session;
    struct sm_trial *t = s->trials[i].trial;
    struct sm_scalar_lines *out = r->out;
    const struct sm_trial_tensor *x = sm_trial_find(t, out->name, strlen(out->name));
    const struct sm_scalar_options *o = r->options;
    struct sm_curve_spec spec = {.by_time = o->x_unit != SM_X_STEP,
                                 .by_log = o->x_log && o->x_unit != SM_X_WALL,
                                 .means = out->groups != NULL,
                                 .columns = r->columns,
                                 .smoothing = o->smoothing,
                                 .keep = out->cursor,
                                 .keep_from_begin = o->x_unit == SM_X_SECONDS};
    if (!x || !sm_series_default(s->fetch, t, x, &spec.series, NULL))
        return;
    if (i == s->current)
        spec.series.worker = s->at.worker;
    out->saved = spec.series.saved ? spec.series.reduction : out->saved;
    struct sm_err waiting;
    sm_kept_curve_read(o->curves, s->fetch, t, &spec, &r->curves[i], &waiting);
    if (i == s->current)
        find_marks(r, &r->curves[i]);
    out->known = out->known || x->n_entries;
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

/* Replaces the lines by one for each group and mode. */
static void merge_groups(struct reader *r)
{
    struct sm_scalar_lines *out = r->out;
    size_t room = out->n + 1;
    size_t *ids = sm_arena_xalloc(&out->arena, room * sizeof *ids);
    struct sm_line_series *lines = sm_arena_xalloc(&out->arena, room * sizeof *lines);
    out->runs = sm_arena_xalloc(&out->arena, room * sizeof *out->runs);
    for (size_t i = 0; i < out->n; i++)
        ids[i] = r->group_of[out->of[i].trial] * SM_MODES + out->of[i].mode;
    out->n = sm_scalar_group(out->lines, out->n, ids, out->runs, &out->arena, lines);
    out->lines = lines;
    for (size_t i = 0; i < out->n; i++) {
        size_t group = ids[i] / SM_MODES;
        bool first = !i || ids[i - 1] / SM_MODES != group;
        struct sm_scalar_form form = sm_scalar_form((unsigned)group, !first);
        lines[i].role = form.role;
        lines[i].dash = form.dash;
        lines[i].marker = form.marker;
        out->of[i] = (struct sm_scalar_line){0, group, (enum sm_mode)(ids[i] % SM_MODES), first};
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
    size_t shown = 0, most = s->n_trials * SM_MODES + 1;
    *out = (struct sm_scalar_lines){.name = name};
    out->lines = sm_arena_xalloc(&out->arena, most * sizeof *out->lines);
    out->of = sm_arena_xalloc(&out->arena, most * sizeof *out->of);
    struct reader r = {.v = v, .options = options, .out = out};
    r.curves = sm_arena_xalloc(&out->arena, (s->n_trials + 1) * sizeof *r.curves);
    r.columns = count_columns(&r, w);
    read_groups(&r);
    if (options->smoothing > 0 && !out->groups)
        out->raw = sm_arena_xalloc(&out->arena, most * sizeof *out->raw);
    out->cursor = s->at.follow ? (double)NAN
                               : sm_scalar_x_of_step(v, name, options->x_unit, sm_session_step(s));
    for (size_t i = 0; i < s->n_trials; i++)
        if (is_drawn(&r, i)) {
            sm_trial_wake(s->trials[i].trial); /* of a group, also those that are not marked */
            read_trial(&r, i);
            shown++;
        }
    out->several = shown > 1;
    for (size_t i = 0; i < 2 * s->n_trials; i++) /* the first mode of each trial comes first */
        if (is_drawn(&r, i % s->n_trials))
            add_modes(&r, i % s->n_trials, i < s->n_trials);
    if (out->groups)
        merge_groups(&r);
}

const char *sm_scalar_line_run(const struct sm_view *v, const struct sm_scalar_lines *l, size_t i,
                               struct sm_arena *arena)
{
    const char *name = "";
    if (l->groups)
        name = l->groups[l->of[i].group].value;
    else if (l->several)
        name = sm_trials_name(v->session, l->of[i].trial);
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
    bool shown = l->groups ? of->mode != SM_MODE_GLOBAL : !l->several || !of->first;
    if (shown)
        sm_str_printf(out, "%s%s", out->len > begin ? " " : "", sm_scalar_mode_names[of->mode]);
}

void sm_scalar_lines_clear(struct sm_scalar_lines *l)
{
    sm_arena_clear(&l->arena);
}
