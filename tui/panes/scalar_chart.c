/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/scalar_chart.h"

#include "commands/runs/run_group.h"
#include "commands/runs/run_view.h"
#include "commands/session/trial_list.h"
#include "commands/stops/chart_marks.h"
#include "plot/table.h"
#include "reader/analysis/curve.h"
#include "reader/analysis/tensor_health.h"
#include "tui/panes/baseline.h"
#include "tui/panes/chart_window.h"
#include "tui/panes/scalar_group.h"

#include <math.h>
#include <string.h>

enum {
    MARKS_MAX = 64,
    LEGEND_W = 9,
    NUMBER_W = 9,
    NUMBER_LEAST = 1
}; /* columns of a legend, without the names */

struct line {
    size_t trial;
    enum sm_mode mode;
    bool first; /* the line of the first mode of its trial */
};
struct chart {
    const struct sm_view *v;
    const char *name;
    const struct sm_scalar_options *options;
    /* one per mode and trial; raw: the unsmoothed lines, with space to append `lines` */
    struct sm_line_series *lines, *raw;
    struct line *of;
    size_t n;
    const struct sm_statistic *saved; /* of the curves, by the job: "mean"; NULL: computed */
    bool several, known;              /* several trials; some value of the tensor is known */
    struct sm_run_group *groups; /* of the runs of the table; NULL: each run has its own lines */
    size_t *group_of;            /* of each trial; SIZE_MAX: it is not drawn */
    double marks[MARKS_MAX], sessions[MARKS_MAX];
    size_t n_marks, n_sessions;
    size_t columns; /* of all points, so many are drawn; 0: all points are looked at */
    struct sm_arena arena;
};

static double x_of(const struct chart *c, const struct sm_point *p, double begin)
{
    enum sm_x_unit unit = c->options->x_unit;
    return unit == SM_X_STEP ? (double)p->step.n : unit == SM_X_SECONDS ? p->time - begin : p->time;
}

/* ---- lines ---- */

static void add_line(struct chart *c, const struct sm_series *series, size_t trial,
                     enum sm_mode mode, unsigned k)
{
    double *x = sm_arena_xalloc(&c->arena, (series->n + 1) * sizeof *x),
           *y = sm_arena_xalloc(&c->arena, (series->n + 1) * sizeof *y);
    size_t n = 0;
    for (size_t i = 0; i < series->n; i++) {
        const struct sm_point *p = &series->points[i];
        if (p->mode != mode || !p->known)
            continue;
        x[n] = x_of(c, p, series->points[0].time);
        y[n++] = p->value;
    }
    if (!n)
        return;
    const struct sm_session *s = c->v->session;
    struct sm_scalar_form form = s->n_trials > 1 ? sm_scalar_form(s->trials[trial].style, k)
                                                 : sm_scalar_form((unsigned)c->n, 0);
    struct sm_line_series line = {
        .x = x, .y = y, .n = n, .role = form.role, .dash = form.dash, .marker = form.marker};
    if (c->options->smoothing > 0) {
        c->raw[c->n] = line;
        c->raw[c->n].faint = true;
        double *smoothed = sm_arena_xalloc(&c->arena, n * sizeof *smoothed);
        sm_smooth(y, n, c->options->smoothing, smoothed);
        line.y = smoothed;
    }
    c->of[c->n] = (struct line){trial, mode, k == 0};
    c->lines[c->n++] = line;
}

/* Finds where rules fired, breakpoints stopped and the job was restarted, on the x axis of this
 * series. */
static void find_marks(struct chart *c, const struct sm_series *series)
{
    int64_t *steps = sm_arena_xalloc(&c->arena, (series->n + 1) * sizeof *steps);
    double *x = sm_arena_xalloc(&c->arena, (series->n + 1) * sizeof *x);
    for (size_t i = 0; i < series->n; i++) {
        steps[i] = series->points[i].step.n;
        x[i] = x_of(c, &series->points[i], series->points[0].time);
    }
    const double *along = c->options->x_unit == SM_X_STEP ? NULL : x;
    c->n_marks = sm_chart_marks(c->v->session, steps, along, series->n, c->marks, MARKS_MAX);
    c->n_sessions = sm_chart_sessions(sm_session_trial(c->v->session), steps, along, series->n,
                                      c->sessions, MARKS_MAX);
}

static bool has_mode(const struct sm_series *s, int mode)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->points[i].mode == mode)
            return true;
    return false;
}

/* Adds the line of the first mode, or those of all other modes. */
static void add_modes(struct chart *c, const struct sm_series *series, size_t i, bool first)
{
    unsigned k = 0;
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++)
        if (has_mode(series, m) && (k++ == 0) == first)
            add_line(c, series, i, (enum sm_mode)m, k - 1);
}

static void add_trial(struct chart *c, size_t i, bool first)
{
    struct sm_session *s = c->v->session;
    struct sm_trial *t = s->trials[i].trial;
    const struct sm_trial_tensor *x = sm_trial_find(t, c->name, strlen(c->name));
    struct sm_curve_spec spec = {.by_time = c->options->x_unit != SM_X_STEP,
                                 .by_log = c->options->x_log,
                                 .columns = c->columns,
                                 .keep = sm_session_step(s)};
    struct sm_series series = {0};
    if (!x || !sm_series_default(s->fetch, t, x, &spec.series, NULL))
        return;
    if (i == s->current)
        spec.series.worker = s->at.worker;
    c->saved = spec.series.saved ? spec.series.reduction : c->saved;
    sm_curve_read(s->fetch, t, &spec, &series, NULL);
    add_modes(c, &series, i, first);
    if (i == s->current && first)
        find_marks(c, &series);
    c->known = c->known || series.n;
    sm_series_clear(&series);
}

/* ---- legend ---- */

static const char *const mode_names[SM_MODES] = {"", "train", "eval", "predict", "value"};

/* The baseline's line of the same mode, else of its first mode. NULL if there is none. */
static const struct sm_line_series *baseline_of(const struct chart *c, size_t i)
{
    const struct sm_line_series *first = NULL;
    size_t baseline;
    if (!sm_trials_baseline(c->v->session, &baseline) || c->of[i].trial == baseline)
        return NULL;
    for (size_t k = 0; k < c->n; k++) {
        if (c->of[k].trial == baseline && c->of[k].mode == c->of[i].mode)
            return &c->lines[k];
        first = c->of[k].trial == baseline && c->of[k].first ? &c->lines[k] : first;
    }
    return first;
}

/* Adds " +0.31": the difference at the cursor, else at the newest x of the line. On the wall time
 * axis the newest values are compared. */
static void add_difference(const struct chart *c, size_t i, double cursor, struct sm_str *out)
{
    const struct sm_line_series *x = &c->lines[i], *base = baseline_of(c, i);
    if (!base)
        return;
    double at = isfinite(cursor) ? cursor : x->x[x->n - 1];
    double other =
        c->options->x_unit == SM_X_WALL ? base->y[base->n - 1] : sm_line_value_at(base, at);
    if (isnan(other))
        return;
    sm_str_addc(out, ' ');
    sm_baseline_add(out, sm_line_value_at(x, at), other, NUMBER_W);
}

/* Adds the number of the trial and as much of its name as fits next to `rest`. */
static void add_trial_name(const struct chart *c, size_t i, int room, const struct sm_str *rest,
                           struct sm_str *out)
{
    enum { LEAST = 5 };
    const char *name = sm_trials_name(c->v->session, c->of[i].trial);
    struct sm_str escaped = {0};
    sm_str_printf(out, "%zu", c->of[i].trial + 1);
    room -= (int)(out->len + sm_text_width(sm_str_text(rest), rest->len)) + 1;
    sm_str_add_escaped(&escaped, name, strlen(name));
    if (room >= LEAST || room >= (int)escaped.len) {
        sm_str_addc(out, ' ');
        sm_elide_name(out, sm_str_text(&escaped), room, c->v->glyphs);
    }
    sm_str_clear(&escaped);
}

static void label_line(struct chart *c, size_t i, double cursor, int room)
{
    struct sm_str text = {0}, rest = {0};
    if (!c->several || !c->of[i].first)
        sm_str_printf(&rest, "%s%s", c->several ? " " : "", mode_names[c->of[i].mode]);
    size_t mode = rest.len;
    if (c->several) {
        add_difference(c, i, cursor, &rest);
        if ((int)rest.len + NUMBER_LEAST > room)
            sm_str_truncate(&rest, mode);
        add_trial_name(c, i, room, &rest, &text);
    }
    sm_str_add(&text, sm_str_text(&rest));
    c->lines[i].label = sm_arena_xstrndup(&c->arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    sm_str_clear(&rest);
}

/* ---- groups ---- */

static bool is_drawn(const struct chart *c, size_t i)
{
    return c->groups ? c->group_of[i] != SIZE_MAX : sm_trials_shown(c->v->session, i);
}

static void read_groups(struct chart *c)
{
    const struct sm_session *s = c->v->session;
    const struct sm_run_view *view = sm_run_view(s);
    size_t *of;
    if (!c->v->sweep || !view->group || !view->table.n)
        return;
    sm_run_groups(s, &view->table, view->group, &c->arena, &c->groups, &of);
    c->group_of = sm_arena_xalloc(&c->arena, s->n_trials * sizeof *c->group_of);
    for (size_t i = 0; i < s->n_trials; i++)
        c->group_of[i] = SIZE_MAX;
    for (size_t i = 0; i < view->table.n; i++)
        c->group_of[view->table.rows[i].trial] = of[i];
}

static void label_group(struct chart *c, size_t i, size_t group, size_t runs, int mode)
{
    struct sm_str text = {0};
    const char *value = c->groups[group].value;
    sm_str_add_escaped(&text, value ? value : "-", value ? strlen(value) : 1);
    if (runs > 1)
        sm_str_printf(&text, " (%zu)", runs);
    if (mode != SM_MODE_GLOBAL)
        sm_str_printf(&text, " %s", mode_names[mode]);
    c->lines[i].label = sm_arena_xstrndup(&c->arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

/* Replaces the lines by one for each group and mode. */
static void merge_groups(struct chart *c)
{
    size_t *ids = sm_arena_xalloc(&c->arena, 2 * (c->n + 1) * sizeof *ids),
           *counts = ids + c->n + 1;
    struct sm_line_series *lines = sm_arena_xalloc(&c->arena, (c->n + 1) * sizeof *lines);
    for (size_t i = 0; i < c->n; i++)
        ids[i] = c->group_of[c->of[i].trial] * SM_MODES + c->of[i].mode;
    c->n = sm_scalar_group(c->lines, c->n, ids, counts, &c->arena, lines);
    c->lines = lines;
    for (size_t i = 0; i < c->n; i++) {
        size_t group = ids[i] / SM_MODES;
        bool first = !i || ids[i - 1] / SM_MODES != group;
        struct sm_scalar_form form = sm_scalar_form((unsigned)group, !first);
        lines[i].role = form.role;
        lines[i].dash = form.dash;
        lines[i].marker = form.marker;
        label_group(c, i, group, counts[i], (int)(ids[i] % SM_MODES));
    }
}

/* ---- chart ---- */

/* The columns of a picture of w cells, of which it shows a part. What is computed from all points
 * needs them all. */
static size_t count_columns(const struct chart *c, int w)
{
    enum { EACH = 8, ZOOM_MOST = 16 }; /* finer than the dots, which lie elsewhere */
    const struct sm_scalar_options *o = c->options;
    int zoom = o->zoom < ZOOM_MOST ? o->zoom : ZOOM_MOST;
    bool all = o->smoothing > 0 || o->clip == SM_CLIP_OUTLIERS || c->groups;
    return all || w < 1 ? 0 : (size_t)w * EACH << zoom;
}

/* Adds that the job saved the numbers, and whose values the curve shows, if there are several
 * workers and none is chosen: "first of 4 workers", or what is hidden: "worker_2: NaN at step 20".
 * Returns true if something is hidden. */
static bool add_workers(const struct chart *c, struct sm_str *out)
{
    struct sm_session *s = c->v->session;
    struct sm_trial *t = sm_session_trial(s);
    const struct sm_trial_tensor *x = sm_trial_find(t, c->name, strlen(c->name));
    size_t workers = sm_trial_worker_count(t);
    struct sm_brief brief;
    if (c->saved)
        sm_str_printf(out, "saved %s", c->saved->key);
    if (!x || s->at.worker != SM_WORKER_ANY || workers < 2)
        return false;
    struct sm_entry e = sm_tensor_health_hidden(t, &s->trends, x, &brief);
    const struct sm_part *p = sm_entry_exists(&e) ? sm_trial_part(t, e.part) : NULL;
    sm_str_add(out, out->len ? "  " : "");
    if (!p) {
        sm_str_printf(out, "first of %zu %s", workers,
                      sm_trial_traits(t)->runs ? "runs" : "workers");
        return false;
    }
    const char *name = sm_trial_worker(t, p->worker);
    sm_str_add_escaped(out, name, strlen(name));
    sm_str_printf(out, ": %s at step %lld", brief.flags & SM_BRIEF_NAN ? "NaN" : "Inf",
                  (long long)p->step.n);
    return true;
}

/* The name, and at the right what add_workers says, and how many lines are clipped. The name loses
 * its middle only for a problem and for lines that are clipped. */
static void draw_title(const struct chart *c, size_t clipped, struct sm_grid *g, struct sm_rect r)
{
    enum { NAME_LEAST = 12 };
    struct sm_str title = {0}, elided = {0}, workers = {0};
    bool hidden = add_workers(c, &workers);
    if (clipped)
        sm_str_printf(&workers, "%s%zu clipped", workers.len ? "  " : "", clipped);
    bool kept = hidden || clipped;
    sm_str_add_escaped(&title, c->name, strlen(c->name));
    int w = (int)sm_text_width(sm_str_text(&workers), workers.len), room = r.w - 2;
    int least = kept ? NAME_LEAST : (int)sm_text_width(sm_str_text(&title), title.len);
    if (w && room - w - 2 >= least) {
        room -= w + 2;
        sm_grid_text(g, r.x + r.w - 1 - w, r.y, w, hidden ? SM_ROLE_PROBLEM : SM_ROLE_DIM, 0,
                     sm_str_text(&workers));
    }
    sm_elide_middle(&elided, sm_str_text(&title), room, c->v->glyphs);
    bool chosen = c->options->chosen;
    if (chosen)
        sm_grid_put(g, r.x, r.y, c->v->glyphs->cursor, SM_ROLE_ACCENT, SM_ATTR_BOLD);
    sm_grid_text(g, r.x + 1, r.y, room, chosen ? SM_ROLE_ACCENT : SM_ROLE_TITLE,
                 chosen ? SM_ATTR_BOLD : 0, sm_str_text(&elided));
    sm_str_clear(&workers);
    sm_str_clear(&title);
    sm_str_clear(&elided);
}

static int cut_window(struct chart *c, struct sm_line_chart *chart)
{
    int zoom = c->options->zoom;
    const struct sm_chart_window w =
        sm_chart_window(c->raw, chart->n_series, &zoom, c->options->shift, chart->cursor_x);
    if (!zoom)
        return 0;
    for (size_t i = 0; i < chart->n_series; i++)
        sm_chart_window_cut(&w, &c->raw[i]);
    chart->n_marks = sm_chart_window_keep(&w, c->marks, chart->n_marks);
    chart->n_sessions = sm_chart_window_keep(&w, c->sessions, chart->n_sessions);
    if (!(chart->cursor_x >= w.lo && chart->cursor_x <= w.hi))
        chart->cursor_x = (double)NAN;
    return zoom;
}

int sm_scalar_chart_draw(const struct sm_view *v, const char *name,
                         const struct sm_scalar_options *options, struct sm_grid *g,
                         struct sm_rect r)
{
    const struct sm_session *s = v->session;
    struct chart c = {.v = v, .name = name, .options = options};
    size_t shown = 0, most = s->n_trials * SM_MODES;
    c.lines = sm_arena_xalloc(&c.arena, (most + 1) * sizeof *c.lines);
    c.raw = sm_arena_xalloc(&c.arena, 2 * (most + 1) * sizeof *c.raw);
    c.of = sm_arena_xalloc(&c.arena, (most + 1) * sizeof *c.of);
    read_groups(&c);
    for (size_t i = 0; i < s->n_trials; i++) {
        if (is_drawn(&c, i))
            sm_trial_wake(s->trials[i].trial); /* of a group, also those that are not marked */
        shown += is_drawn(&c, i);
    }
    c.several = shown > 1;
    c.columns = count_columns(&c, r.w);
    for (size_t i = 0; i < 2 * s->n_trials; i++) /* the first mode of each trial comes first in the
                                                    legend */
        if (is_drawn(&c, i % s->n_trials))
            add_trial(&c, i % s->n_trials, i < s->n_trials);
    double cursor =
        s->at.follow || options->x_unit != SM_X_STEP ? (double)NAN : (double)sm_session_step(s).n;
    if (c.groups)
        merge_groups(&c);
    for (size_t i = 0; i < c.n && !c.groups; i++)
        label_line(&c, i, cursor, r.w / 2 - LEGEND_W - (isfinite(cursor) ? NUMBER_W - 2 : 0));
    const double range[] = {(double)s->range.lo, (double)s->range.hi};
    bool smoothed = options->smoothing > 0 && !c.groups;
    if (c.n)
        memcpy(c.raw + (smoothed ? c.n : 0), c.lines, c.n * sizeof *c.lines);
    struct sm_line_chart chart = {
        .series = c.raw,
        .n_series = smoothed ? 2 * c.n : c.n,
        .y_scale = options->y_scale,
        .x_unit = options->x_unit,
        .x_log = options->x_log,
        .clip_outliers = options->clip == SM_CLIP_OUTLIERS,
        .legend = c.n > 1 || c.several,
        .marks = c.marks,
        .n_marks = c.n_marks,
        .sessions = c.sessions,
        .n_sessions = c.n_sessions,
        .cursor_x = cursor,
        .range = s->range.set && options->x_unit == SM_X_STEP ? range : NULL,
        .place = options->place,
    };
    if (options->clip == SM_CLIP_DIVERGED && c.several)
        sm_line_mark_diverged(c.raw, chart.n_series, chart.y_scale);
    int zoom = c.n ? cut_window(&c, &chart) : options->zoom;
    draw_title(&c, sm_line_clipped(&chart), g, r);
    if (c.n)
        sm_line_draw(g, (struct sm_rect){r.x, r.y + 1, r.w, r.h - 1}, &chart, v->glyphs);
    else
        sm_grid_text(g, r.x + 2, r.y + 1, r.w - 2, SM_ROLE_DIM, 0,
                     c.known ? "..." : "no numbers yet");
    sm_arena_clear(&c.arena);
    return zoom;
}
