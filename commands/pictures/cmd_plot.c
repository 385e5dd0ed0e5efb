/* SPDX-License-Identifier: Apache-2.0 */
/* plot: line charts over the steps, of one trial or several. */
#include "commands/answer/read_errors.h"
#include "commands/answer/shape.h"
#include "commands/pictures/pictures.h"
#include "commands/pictures/plot_input.h"
#include "commands/pictures/special_values.h"
#include "commands/place/curves.h"
#include "commands/place/other_workers.h"
#include "commands/place/series_args.h"
#include "commands/session/trial_list.h"
#include "commands/stops/chart_marks.h"
#include "plot/chart.h"
#include "plot/scalar_form.h"
#include "plot/scalar_group.h"

#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { MARKS_MAX = 64, NOTES_MAX = 8 }; /* curves with a note about other workers */
enum { WORKERS_MAX = 8 };               /* with a line each */

/* The points of a curve as they are plotted. */
struct plot_points {
    double *x, *y, *raw; /* raw: y before smoothing; y itself if there is none */
};

/* The options of the chart. */
struct chart_options {
    int w, h;
    double weight; /* of smoothing */
    enum sm_y_scale y;
    enum sm_x_unit x;
    bool x_log;
    double cursor; /* NaN: no cursor */
};

static const char *const y_scales[] = {"linear", "log", "symlog", NULL};
static const char *const x_units[] = {"step", "relative", "wall", NULL};

/* The index of the word of an option, or fallback if the option was not given. The words were
 * checked when the line was parsed; they may be abbreviated. */
static int word_option(struct sm_call *c, const char *name, const char *const *words,
                       int64_t fallback)
{
    const struct sm_word *w = sm_call_option(c, name);
    int i = 0;
    if (!w)
        return (int)fallback;
    while (words[i] && strncmp(words[i], w->text.p, w->text.n) != 0)
        i++;
    return words[i] ? i : 0;
}

static bool read_chart_options(struct sm_call *c, const struct sm_print_options *o,
                               struct chart_options *x, struct sm_err *err)
{
    const struct sm_pictures_settings *set = sm_pictures_settings(c->session);
    const struct sm_word *smooth = sm_call_option(c, "smooth"), *at = sm_call_option(c, "at");
    *x = (struct chart_options){
        .w = sm_plot_width(o), .h = 18, .cursor = (double)NAN, .weight = set->smoothing};
    if (!sm_plot_size_option(c, "w", SM_PLOT_MAX_W, &x->w, err) ||
        !sm_plot_size_option(c, "h", SM_PLOT_MAX_H, &x->h, err) ||
        (smooth && !sm_call_double(smooth, &x->weight, err)) ||
        (at && !sm_call_double(at, &x->cursor, err)))
        return false;
    if (x->weight < 0 || x->weight >= 1)
        return sm_err_set(err, SM_ERR_USAGE, "The smoothing weight must be in [0, 1).");
    x->y = sm_call_flag(c, "log") ? SM_Y_LOG
                                  : (enum sm_y_scale)word_option(c, "y", y_scales, set->y_axis);
    x->x = (enum sm_x_unit)word_option(c, "x", x_units, set->x_axis);
    x->x_log = sm_call_flag(c, "log-x") || set->x_scale;
    return true;
}

/* The time of the first point of the trial; relative times start there. */
static double first_time(const struct sm_curves *all, size_t trial)
{
    double first = HUGE_VAL;
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; all->items[i].trial == trial && k < all->items[i].series.n; k++)
            first = fmin(first, all->items[i].series.points[k].time);
    return first;
}

/* x is the global step, the step of the mode if a mode was given, or the time. */
static void set_points(struct sm_call *c, const struct sm_series *s,
                       const struct chart_options *opt, double start, struct plot_points *d)
{
    bool mode_steps = sm_call_keyword(c, "mode");
    d->x = sm_arena_xalloc(&c->arena, (s->n + 1) * sizeof *d->x);
    d->raw = d->y = sm_arena_xalloc(&c->arena, (s->n + 1) * sizeof *d->y);
    for (size_t i = 0; i < s->n; i++) {
        const struct sm_point *p = &s->points[i];
        double step = (double)(mode_steps ? p->mode_step.n : p->step.n);
        d->x[i] = opt->x == SM_X_STEP ? step : opt->x == SM_X_SECONDS ? p->time - start : p->time;
        d->y[i] = p->value;
    }
    if (opt->weight > 0) {
        d->y = sm_arena_xalloc(&c->arena, (s->n + 1) * sizeof *d->y);
        sm_smooth(d->raw, s->n, opt->weight, d->y);
    }
}

/* As in the dashboard: of several trials each has its form, and its curves differ by dashes. */
static struct sm_scalar_form curve_form(const struct sm_session *s, const struct sm_curves *all,
                                        size_t i)
{
    const struct sm_open_trial *t = &s->trials[all->items[i].trial];
    unsigned k = 0, style = t->styled ? t->style : (unsigned)(s->n_trials + all->items[i].trial);
    if (s->n_trials < 2)
        return sm_scalar_form((unsigned)i, 0);
    for (size_t before = 0; before < i; before++)
        k += all->items[before].trial == all->items[i].trial;
    return sm_scalar_form(style, k);
}

/* Adds the lines of the chart and returns their number. A raw line is faint and drawn before its
 * smoothed line. */
static size_t add_chart_lines(struct sm_call *c, struct sm_result *out, const struct sm_curves *all,
                              const struct plot_points *plotted, struct sm_line_series *lines)
{
    size_t k = 0;
    for (size_t i = 0; i < all->n; i++) {
        struct sm_scalar_form form = curve_form(c->session, all, i);
        struct sm_line_series line = {.x = plotted[i].x,
                                      .y = plotted[i].raw,
                                      .n = all->items[i].series.n,
                                      .role = form.role,
                                      .dash = form.dash,
                                      .marker = form.marker,
                                      .faint = true};
        if (plotted[i].raw != plotted[i].y)
            lines[k++] = line;
        line.label = sm_curve_label(c->session, out, all, &all->items[i]);
        line.y = plotted[i].y;
        line.faint = false;
        lines[k++] = line;
    }
    return k;
}

static size_t count_workers(const struct sm_session *s, const struct sm_curves *all)
{
    size_t most = 0;
    for (size_t i = 0; i < all->trials.n; i++) {
        size_t n = sm_trial_worker_count(s->trials[all->trials.items[i]].trial);
        most = n > most ? n : most;
    }
    return most;
}

static bool is_of_same(const struct sm_curve *a, const struct sm_curve *b)
{
    return a->trial == b->trial && a->tensor == b->tensor && a->mode == b->mode;
}

/* The lines of many workers as one: their mean, with their range. */
static size_t merge_workers(struct sm_call *c, struct sm_result *out, const struct sm_curves *all,
                            const struct plot_points *plotted, struct sm_line_series *lines)
{
    struct sm_line_series *each = sm_arena_xalloc(&c->arena, (all->n + 1) * sizeof *each);
    size_t *ids = sm_arena_xalloc(&c->arena, (all->n + 1) * sizeof *ids);
    size_t *counts = sm_arena_xalloc(&c->arena, (all->n + 1) * sizeof *counts);
    for (size_t i = 0; i < all->n; i++) {
        each[i] = (struct sm_line_series){
            .x = plotted[i].x, .y = plotted[i].y, .n = all->items[i].series.n};
        for (ids[i] = 0; !is_of_same(&all->items[ids[i]], &all->items[i]);)
            ids[i]++;
    }
    size_t n = sm_scalar_group(each, all->n, ids, counts, &c->arena, lines);
    for (size_t i = 0; i < n; i++) {
        struct sm_scalar_form form = curve_form(c->session, all, i);
        struct sm_curve of = all->items[ids[i]];
        of.run = SM_WORKER_ANY;
        lines[i].role = form.role;
        lines[i].dash = form.dash;
        lines[i].marker = form.marker;
        lines[i].label = sm_arena_xprintf(&c->arena, "%s (%zu workers)",
                                          sm_curve_label(c->session, out, all, &of), counts[i]);
    }
    return n;
}

/* Reads where rules fired in the current trial, as x values of its first series. */
static size_t read_marks(struct sm_call *c, const struct sm_curves *all,
                         const struct plot_points *plotted, const struct chart_options *opt,
                         double *marks)
{
    bool steps_are_x = opt->x == SM_X_STEP && !sm_call_keyword(c, "mode");
    size_t i = 0;
    while (i < all->n && all->items[i].trial != c->session->current)
        i++;
    if (i == all->n)
        return 0;
    const struct sm_series *s = &all->items[i].series;
    int64_t *steps = sm_arena_xalloc(&c->arena, (s->n + 1) * sizeof *steps);
    for (size_t k = 0; k < s->n; k++)
        steps[k] = s->points[k].step.n;
    return sm_chart_marks(c->session, steps, steps_are_x ? NULL : plotted[i].x, s->n, marks,
                          MARKS_MAX);
}

/* "14,210 points in 70 columns": reports that not every point is plotted. */
static void report_thinning(struct sm_result *out, const struct sm_line_chart *chart, size_t points,
                            int w)
{
    char count[32];
    if (sm_line_thinning(chart, w) <= 1)
        return;
    sm_format_count(points, count);
    sm_result_dim(out,
                  "%s points in %d columns; a column with several points shows their min and max",
                  count, w);
}

static void report_clipped(struct sm_result *out, const struct sm_line_chart *chart)
{
    size_t n = sm_line_clipped(chart);
    if (n)
        sm_result_dim(out, "%zu %s the chart (clipped); -no-clip shows all.", n,
                      n == 1 ? "line leaves" : "lines leave");
}

static bool trial_has_curve(const struct sm_curves *all, size_t trial)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->items[i].trial == trial)
            return true;
    return false;
}

/* Prints the names that the legend omits, of the tensor or of the trials, and the trials without
 * the tensor. */
static void report_trials(struct sm_call *c, struct sm_result *out, const struct sm_curves *all)
{
    struct sm_str with = {0}, without = {0};
    if (all->trials.n < 2)
        return;
    for (size_t i = 0; i < all->trials.n; i++) {
        size_t trial = all->trials.items[i];
        struct sm_str *list = trial_has_curve(all, trial) ? &with : &without;
        const char *name = sm_trials_name(c->session, trial);
        sm_str_printf(list, "%s%zu ", list->len ? ", " : "", trial + 1);
        sm_str_add_escaped(list, name, strlen(name));
    }
    if (sm_curves_share_name(all))
        sm_result_text(out, "%s",
                       sm_result_escape(out, all->items[0].name, strlen(all->items[0].name)));
    else
        sm_result_text(out, "%s", sm_str_text(&with));
    if (without.len)
        sm_result_dim(out, "Not in %s.", sm_str_text(&without));
    sm_str_clear(&with);
    sm_str_clear(&without);
}

static void fill_chart(struct sm_call *c, struct sm_result *out, const struct sm_curves *all,
                       const struct plot_points *plotted, const struct chart_options *opt,
                       struct sm_line_chart *chart)
{
    struct sm_line_series *lines = sm_arena_xalloc(&c->arena, 2 * (all->n + 1) * sizeof *lines);
    bool many = sm_args_all_workers(c) && count_workers(c->session, all) > WORKERS_MAX;
    double *marks = sm_arena_xalloc(&c->arena, sizeof *marks * 2 * MARKS_MAX),
           *sessions = marks + MARKS_MAX;
    *chart = (struct sm_line_chart){.series = lines,
                                    .n_series = many ? merge_workers(c, out, all, plotted, lines)
                                                     : add_chart_lines(c, out, all, plotted, lines),
                                    .legend = true,
                                    .y_scale = opt->y,
                                    .x_unit = opt->x,
                                    .x_log = opt->x_log,
                                    .cursor_x = opt->cursor,
                                    .marks = marks,
                                    .sessions = sessions,
                                    .clip_outliers = sm_call_flag(c, "clip")};
    if (all->trials.n > 1 && !sm_call_flag(c, "no-clip"))
        sm_line_mark_diverged(lines, chart->n_series, chart->y_scale);
    chart->n_marks = read_marks(c, all, plotted, opt, marks);
    if (opt->x == SM_X_STEP && !sm_call_keyword(c, "mode") && all->trials.n == 1)
        chart->n_sessions = sm_chart_sessions(c->session->trials[all->trials.items[0]].trial, NULL,
                                              NULL, 0, sessions, MARKS_MAX);
}

/* drawn: another chart is, and only the points are wanted. */
static bool draw_plot(struct sm_call *c, struct sm_result *out, const struct sm_curves *all,
                      struct plot_points *plotted, bool drawn, struct sm_err *err)
{
    struct sm_print_options o;
    struct sm_line_chart chart;
    struct chart_options opt;
    size_t points = 0;
    sm_session_print_options(c->session, &o);
    if (!read_chart_options(c, &o, &opt, err))
        return false;
    for (size_t i = 0; i < all->n; i++) {
        set_points(c, &all->items[i].series, &opt, first_time(all, all->items[i].trial),
                   &plotted[i]);
        points += all->items[i].series.n;
    }
    if (drawn)
        return true;
    fill_chart(c, out, all, plotted, &opt, &chart);
    report_trials(c, out, all);
    if (sm_args_all_workers(c) && chart.n_series && chart.series[0].lo)
        sm_result_dim(out, "The mean of the workers, with their range.");
    struct sm_grid *g = sm_result_grid(out, opt.w, opt.h);
    sm_line_draw(g, (struct sm_rect){0, 0, opt.w, opt.h}, &chart, o.glyphs);
    report_thinning(out, &chart, points, opt.w);
    report_clipped(out, &chart);
    sm_step_range_note(c->session, out);
    return true;
}

static const struct sm_column plot_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "mode", .header = "MODE"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
    {.key = "trial", .header = "TRIAL"}, /* last: omitted for a single trial */
};

static const char *curve_mode(const struct sm_curve *x)
{
    return x->spec.mode != SM_MODE_ANY ? sm_mode_name((int)x->spec.mode) : NULL;
}

static void add_point(struct sm_result *out, struct sm_node *map, const struct sm_point *p,
                      double y)
{
    sm_node_int(out, map, "step", p->step.n);
    sm_node_double(out, map, "value", y, false);
    sm_node_int(out, map, "mode_step", p->mode_step.n);
    sm_node_time(out, map, "time", p->time);
}

static void add_line_node(const struct sm_session *s, struct sm_result *out, struct sm_node *list,
                          struct sm_node *rows, const struct sm_curve *x, const double *y)
{
    struct sm_node *map = sm_node_map(out, list, NULL);
    sm_node_text(out, map, "name", x->name);
    sm_node_text(out, map, "mode", curve_mode(x));
    sm_node_text(out, map, "reduction", sm_args_reduction_text(&x->spec));
    struct sm_node *points = sm_node_list(out, map, "points");
    for (size_t k = 0; k < x->series.n; k++) {
        add_point(out, sm_node_map(out, points, NULL), &x->series.points[k], y[k]);
        struct sm_node *row = sm_node_map(out, rows, NULL);
        sm_node_text(out, row, "name", x->name);
        sm_node_text(out, row, "mode", curve_mode(x));
        add_point(out, row, &x->series.points[k], y[k]);
        sm_node_text(out, row, "trial", sm_trials_name(s, x->trial));
    }
    sm_node_text(out, map, "trial", sm_trials_name(s, x->trial));
    if (x->run != SM_WORKER_ANY && sm_trial_worker_count(s->trials[x->trial].trial) > 1)
        sm_node_text(out, map, "worker", sm_trial_worker(s->trials[x->trial].trial, x->run));
    sm_args_saved_node(out, map, &x->spec);
}

/* Adds what was plotted: one object per line for JSON, one row per point for tables. */
static void add_line_nodes(const struct sm_session *s, struct sm_result *out,
                           const struct sm_curves *all, const struct plot_points *plotted)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL), *rows = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < all->n; i++)
        add_line_node(s, out, list, rows, &all->items[i], plotted[i].y);
    out->root = list;
    out->rows = rows;
    out->columns = plot_columns;
    out->n_columns = COUNT(plot_columns) - (all->trials.n == 1);
}

/* A curve of precision and recall is drawn as such; what JSON has is the same as of any tensor. */
static bool draw_pr_curve(struct sm_call *c, struct sm_result *out, const struct sm_curves *all,
                          bool *drawn, struct sm_err *err)
{
    const struct sm_curve *x = &all->items[0];
    struct sm_print_options o;
    struct chart_options opt;
    struct sm_tensor *t;
    struct sm_step step;
    sm_session_print_options(c->session, &o);
    if (all->n != 1 || sm_call_keyword(c, "reduce"))
        return true;
    if (!read_chart_options(c, &o, &opt, err) ||
        !sm_pr_curve_newest(c->session, c->session->trials[x->trial].trial, x->tensor, &t, &step,
                            err))
        return false;
    *drawn = t;
    if (t) {
        sm_result_text(out, "%s  step %lld", sm_result_escape(out, x->name, strlen(x->name)),
                       (long long)step.n);
        sm_pr_curve_print(out, t, opt.w, o.glyphs);
    }
    sm_tensor_unref(t);
    return true;
}

static bool run_plot(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_curves all;
    if (!sm_curves_read(c, true, &all, err))
        return false;
    struct plot_points *plotted = sm_arena_xalloc(&c->arena, (all.n + 1) * sizeof *plotted);
    bool ok =
        all.n || sm_err_set(err, SM_ERR_MISSING, "Nothing to plot: no numbers over the steps.");
    bool drawn = false;
    ok = ok && draw_pr_curve(c, out, &all, &drawn, err) &&
         draw_plot(c, out, &all, plotted, drawn, err);
    struct sm_read_errors_steps unread = {0};
    for (size_t i = 0; i < all.n; i++)
        sm_read_errors_steps_add(&unread, all.items[i].name, all.items[i].series.unread,
                                 all.items[i].series.first_unread);
    if (ok) {
        add_line_nodes(c->session, out, &all, plotted);
        sm_read_errors_steps_report(&unread, out);
        sm_curves_note_saved(out, &all);
    }
    for (size_t i = 0; ok && i < all.n && all.n <= NOTES_MAX; i++)
        ok = sm_other_workers_note_curve(c, out, c->session->trials[all.items[i].trial].trial,
                                         &all.items[i].spec, i, all.n, err);
    sm_curves_clear(&all);
    return ok;
}

static const struct sm_option plot_options[] = {
    SM_PLOT_WIDTH_OPTION,
    SM_PLOT_HEIGHT_OPTION("height"),
    {.name = "y",
     .kind = SM_ARG_WORD,
     .value = "SCALE",
     .help = "linear, log, or symlog for values on both sides of 0",
     .words = y_scales},
    {.name = "log", .kind = SM_ARG_FLAG, .help = "the same as -y log"},
    {.name = "x",
     .kind = SM_ARG_WORD,
     .value = "UNIT",
     .help = "step, time relative to the first value, or wall time",
     .words = x_units},
    {.name = "log-x", .kind = SM_ARG_FLAG, .help = "logarithmic x axis, with a place for step 0"},
    {.name = "at",
     .kind = SM_ARG_NUMBER,
     .value = "X",
     .help = "draw a cursor at X; the legend shows the values there"},
    {.name = "clip", .kind = SM_ARG_FLAG, .help = "ignore outliers in the y range"},
    {.name = "no-clip",
     .kind = SM_ARG_FLAG,
     .help = "the y range is also that of lines of trials that diverged"},
    {.name = "smooth",
     .kind = SM_ARG_NUMBER,
     .value = "WEIGHT",
     .help =
         "weight of TensorBoard's moving average, from 0 to below 1; the raw line is drawn faint"},
    SM_TRIAL_SET_OPTION,
    {0},
};
const struct sm_cmd sm_cmd_plot = {
    .name = "plot",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Line chart of all matching tensors over the steps",
    .help =
        "Steps where rules fired are marked below the chart. Values that cannot be plotted (NaN, "
        "Inf, or not above 0 on a log\n"
        "axis) have separate marks. \"worker *\" draws a line for each worker, of more than 8 "
        "their "
        "mean and range. With several open trials each has a line with its own "
        "colour and dashes; those that diverged\n"
        "leave the chart, so that they do not flatten the others, and are counted. -x relative "
        "counts\n"
        "the time from the first value of each. \"> FILE.svg\" writes the chart to a file.",
    .example = "plot *Loss* -h 12",
    .see_also = "spark, series, hist, health",
    .args = sm_curves_args,
    .options = plot_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{name:name,mode:mode?,reduction:text?,points:[{step:int,value:num,mode_step:int,"
              "time:num?}],trial:name,worker?:name,saved?:bool}]",
    .run = run_plot,
};
