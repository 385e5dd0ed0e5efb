/* spark and plot: several series at once. */
#include "commands/args.h"
#include "commands/cmd_list.h"
#include "commands/fired.h"
#include "commands/series_args.h"
#include "commands/subject.h"
#include "plot/chart.h"

#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { MARKS_MAX = 64 };

/* A series with the words that name it. */
struct named_series {
    const struct sm_trial_tensor *tensor;                  /* NULL: of an expression */
    uint16_t run;                                          /* of TensorBoard: the series is its; ANY otherwise */
    enum sm_mode mode;                                     /* of which the series is; ANY: as asked */
    const char *name;
    struct sm_series_spec spec;
    struct sm_series series;
    double *x, *y, *raw;                 /* raw: y before it was smoothed, else y */
};

static bool read_series(struct sm_call *c, struct named_series *n, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    n->name = sm_trial_tensor_name(t, n->tensor);
    return sm_series_read(c->session->fetch, t, &n->spec, &n->series, err);
}

/* Reads all; WAIT until every one is there. Tensors without numbers are left out (n shrinks). */
static bool read_all(struct sm_call *c, struct named_series *items, size_t *n, struct sm_err *err)
{
    bool waiting = false;
    size_t kept = 0;
    for (size_t i = 0; i < *n; i++) {
        bool ok = sm_args_series(c, items[i].tensor, &items[i].spec, err);
        if (items[i].mode != SM_MODE_ANY)
            items[i].spec.mode = items[i].mode;
        if (items[i].run != SM_WORKER_ANY)
            items[i].spec.worker = items[i].run;
        ok = ok && read_series(c, &items[i], err);
        if (!ok && err->code == SM_ERR_USAGE)
            return false;
        waiting = waiting || (!ok && err->code == SM_ERR_WAIT);
        if (ok)
            items[kept++] = items[i];
        else
            sm_series_clear(&items[i].series);
    }
    for (size_t i = kept; i < *n; i++)
        items[i].series = (struct sm_series){0};
    *n = kept;
    return waiting ? sm_err_set(err, SM_ERR_WAIT, "reading series") : true;
}

static void free_all(struct named_series *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sm_series_clear(&items[i].series);
}

/* One series for each mode in which the tensor was saved, or for each run. */
static size_t add_modes(const struct sm_trial *t, struct named_series *items, const struct sm_trial_tensor *x)
{
    size_t n = 0;
    if (sm_trial_is_tensorboard(t)) {
        for (uint16_t w = 0; w < sm_trial_worker_count(t); w++)
            items[n++] = (struct named_series){.tensor = x, .run = w};
        return n;
    }
    for (int mode = SM_MODE_ANY + 1; mode < SM_MODES; mode++)
        if (x->modes >> mode & 1)
            items[n++] = (struct named_series){.tensor = x, .run = SM_WORKER_ANY, .mode = (enum sm_mode)mode};
    return n;
}

/* by_mode: training and evaluation are told apart. */
static bool select_series(struct sm_call *c, bool by_mode, struct named_series **items, size_t *n, struct sm_err *err)
{
    struct sm_selection sel;
    if (!sm_args_select(c, c->words, c->n_words, &sel, err))
        return false;
    if (!sel.n && c->n_words) {
        struct sm_target target;
        return sm_args_target(c, &target, err) && sm_err_set(err, SM_ERR_MISSING, "No tensor matches.");
    }
    const struct sm_trial *t = sm_session_trial(c->session);
    *items = sm_arena_xalloc(&c->arena, (sel.n * (SM_MODES + sm_trial_worker_count(t)) + 1) * sizeof **items);
    *n = 0;
    for (size_t i = 0; i < sel.n; i++) {
        if (by_mode && !sm_call_keyword(c, "mode") && !sm_call_keyword(c, "worker"))
            *n += add_modes(t, *items + *n, sel.items[i]);
        else
            (*items)[(*n)++] = (struct named_series){.tensor = sel.items[i], .run = SM_WORKER_ANY};
    }
    return true;
}

static const struct sm_column spark_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "reduction", .header = "WHAT"},
    {.key = "points", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "first", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "trend", .header = "TREND", .format = SM_COL_SPARK},
};

static bool run_spark(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct named_series *items;
    size_t n;
    if (!select_series(c, false, &items, &n, err))
        return false;
    if (!read_all(c, items, &n, err)) {
        free_all(items, n);
        return false;
    }
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < n; i++) {
        const struct sm_series *s = &items[i].series;
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "name", items[i].name);
        sm_node_text(out, row, "reduction", sm_args_reduction_text(&items[i].spec));
        sm_node_uint(out, row, "points", s->n);
        if (s->n) {
            sm_node_double(out, row, "first", s->points[0].value, false);
            sm_node_double(out, row, "last", s->points[s->n - 1].value, false);
        }
        struct sm_node *trend = sm_node_list(out, row, "trend");
        for (size_t k = 0; k < s->n; k++)
            sm_node_double(out, trend, NULL, s->points[k].value, false);
    }
    free_all(items, n);
    sm_result_listing(out, list, spark_columns, COUNT(spark_columns));
    return true;
}

static const struct sm_arg spark_args[] = {
    {.name = "PATTERN", .kind = SM_ARG_PATTERN, .required = true, .repeats = true},
    {.name = "REDUCTION", .kind = SM_ARG_TEXT, .keyword = "reduce"},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"},
    {0},
};
const struct sm_cmd sm_cmd_spark = {
    .name = "spark",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Sparklines over the steps for all tensors that match",
    .example = "spark gradient/* reduce l2",
    .see_also = "plot series tensors",
    .args = spark_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_spark,
};

/* How a chart is wanted. */
struct wishes {
    int w, h;
    double weight;                       /* of smoothing */
    enum sm_y_scale y;
    enum sm_x_unit x;
    double cursor;                       /* NaN: none */
};

static const char *const y_scales[] = {"linear", "log", "symlog", NULL};
static const char *const x_units[] = {"step", "relative", "wall", NULL};

/* Options of fixed words are checked where the line is read; a beginning is enough. */
static int word_option(struct sm_call *c, const char *name, const char *const *words)
{
    const struct sm_word *w = sm_call_option(c, name);
    int i = 0;
    while (w && words[i] && strncmp(words[i], w->text.p, w->text.n) != 0)
        i++;
    return words[i] ? i : 0;
}

static bool read_wishes(struct sm_call *c, const struct sm_print_options *o, struct wishes *x, struct sm_err *err)
{
    const struct sm_word *smooth = sm_call_option(c, "smooth"), *at = sm_call_option(c, "at");
    *x = (struct wishes){.w = o->width > 0 ? o->width : 80, .h = 18, .cursor = (double)NAN};
    if (!sm_subject_size(c, "w", 1000, &x->w, err) || !sm_subject_size(c, "h", 500, &x->h, err) ||
        (smooth && !sm_call_double(smooth, &x->weight, err)) || (at && !sm_call_double(at, &x->cursor, err)))
        return false;
    if (x->weight < 0 || x->weight >= 1)
        return sm_err_set(err, SM_ERR_USAGE, "The smoothing weight must be in [0, 1).");
    x->y = sm_call_flag(c, "log") ? SM_Y_LOG : (enum sm_y_scale)word_option(c, "y", y_scales);
    x->x = (enum sm_x_unit)word_option(c, "x", x_units);
    return true;
}

/* Times are relative to the first point of all. */
static double earliest(const struct named_series *items, size_t n)
{
    double first = HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < items[i].series.n; k++)
            first = fmin(first, items[i].series.points[k].time);
    return first;
}

/* The x axis counts global steps, those of the mode that was asked for, or time. */
static void fill_xy(struct sm_call *c, struct named_series *n, const struct wishes *w, double begin)
{
    bool of_mode = sm_call_keyword(c, "mode");
    size_t count = n->series.n;
    n->x = sm_arena_xalloc(&c->arena, (count + 1) * sizeof *n->x);
    n->raw = n->y = sm_arena_xalloc(&c->arena, (count + 1) * sizeof *n->y);
    for (size_t i = 0; i < count; i++) {
        const struct sm_point *p = &n->series.points[i];
        double step = (double)(of_mode ? p->mode_step.n : p->step.n);
        n->x[i] = w->x == SM_X_STEP ? step : w->x == SM_X_SECONDS ? p->time - begin : p->time;
        n->y[i] = p->value;
    }
    if (w->weight > 0) {
        n->y = sm_arena_xalloc(&c->arena, (count + 1) * sizeof *n->y);
        sm_smooth(n->raw, count, w->weight, n->y);
    }
}

/* "EVAL loss" where the tensor has other modes, too. */
static const char *label(struct sm_result *out, const struct sm_trial *t, const struct named_series *n)
{
    const char *name = sm_result_escape(out, n->name, strlen(n->name));
    if (n->run != SM_WORKER_ANY && sm_trial_worker_count(t) > 1)
        return sm_arena_xprintf(&out->arena, "%s %s", sm_result_escape(out, sm_trial_worker(t, n->run), strlen(sm_trial_worker(t, n->run))),
                                name);
    bool other_modes = n->mode != SM_MODE_ANY && n->tensor->modes != 1U << n->mode;
    return !other_modes ? name : sm_arena_xprintf(&out->arena, "%s %s", sm_mode_name((int)n->mode), name);
}

/* Raw lines stand behind the smoothed ones, faint. */
static size_t make_lines(struct sm_call *c, struct sm_result *out, const struct named_series *items, size_t n, struct sm_line_series *lines)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        struct sm_line_series line = {.x = items[i].x, .y = items[i].raw, .n = items[i].series.n,
                                      .role = (enum sm_role)(SM_ROLE_SERIES_0 + i % 8), .dash = (unsigned)(i % 4), .faint = true};
        if (items[i].raw != items[i].y)
            lines[k++] = line;
        line.label = label(out, sm_session_trial(c->session), &items[i]);
        line.y = items[i].y;
        line.faint = false;
        lines[k++] = line;
    }
    return k;
}

/* Where rules fired, on the axis of the first series. */
static size_t read_marks(struct sm_call *c, const struct named_series *first, const struct wishes *w, double *marks)
{
    bool steps_are_x = w->x == SM_X_STEP && !sm_call_keyword(c, "mode");
    int64_t *steps = sm_arena_xalloc(&c->arena, (first->series.n + 1) * sizeof *steps);
    for (size_t i = 0; i < first->series.n; i++)
        steps[i] = first->series.points[i].step.n;
    return sm_fired_marks(c->session, steps, steps_are_x ? NULL : first->x, first->series.n, marks, MARKS_MAX);
}

/* Where the run was started again. */
static size_t read_sessions(const struct sm_trial *t, double *sessions)
{
    size_t n = 0;
    for (size_t i = 1; i < sm_trial_session_count(t) && n < MARKS_MAX; i++)
        sessions[n++] = (double)sm_trial_session(t, i)->first.n;
    return n;
}

/* "14,210 points in 70 columns": what is not drawn one by one is said. */
static void say_thinning(struct sm_result *out, const struct sm_line_chart *chart, size_t points, int w)
{
    char count[32];
    if (sm_line_thinning(chart, w) <= 1)
        return;
    sm_format_count(points, count);
    sm_result_dim(out, "%s points in %d columns: columns that hold several show their min and max", count, w);
}

static bool draw_plot(struct sm_call *c, struct sm_result *out, struct named_series *items, size_t n, struct sm_err *err)
{
    struct sm_print_options o;
    struct wishes w;
    double marks[MARKS_MAX], sessions[MARKS_MAX];
    size_t points = 0;
    sm_session_print_options(c->session, &o);
    if (!read_wishes(c, &o, &w, err))
        return false;
    double begin = earliest(items, n);
    for (size_t i = 0; i < n; i++) {
        fill_xy(c, &items[i], &w, begin);
        points += items[i].series.n;
    }
    struct sm_line_series *lines = sm_arena_xalloc(&c->arena, 2 * (n + 1) * sizeof *lines);
    struct sm_line_chart chart = {.series = lines, .n_series = make_lines(c, out, items, n, lines), .legend = true,
                                  .y_scale = w.y, .x_unit = w.x, .cursor_x = w.cursor, .marks = marks, .sessions = sessions,
                                  .clip_outliers = sm_call_flag(c, "clip")};
    chart.n_marks = read_marks(c, &items[0], &w, marks);
    if (w.x == SM_X_STEP && !sm_call_keyword(c, "mode"))
        chart.n_sessions = read_sessions(sm_session_trial(c->session), sessions);
    struct sm_grid *g = sm_result_grid(out, w.w, w.h);
    sm_line_draw(g, (struct sm_rect){0, 0, w.w, w.h}, &chart, o.glyphs);
    say_thinning(out, &chart, points, w.w);
    return true;
}

static const struct sm_column plot_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "mode", .header = "MODE"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

static const char *mode_text(const struct named_series *n)
{
    return n->spec.mode != SM_MODE_ANY ? sm_mode_name((int)n->spec.mode) : NULL;
}

static void add_point(struct sm_result *out, struct sm_node *map, const struct named_series *n, size_t i)
{
    sm_node_int(out, map, "step", n->series.points[i].step.n);
    sm_node_double(out, map, "value", n->y[i], false);
    sm_node_int(out, map, "mode_step", n->series.points[i].mode_step.n);
    sm_node_double(out, map, "time", n->series.points[i].time, false);
}

/* What was drawn: an object a line of the chart, and a row a point for tables. */
static void add_lines(struct sm_result *out, const struct named_series *items, size_t n)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL), *rows = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < n; i++) {
        struct sm_node *map = sm_node_map(out, list, NULL);
        sm_node_text(out, map, "name", items[i].name);
        sm_node_text(out, map, "mode", mode_text(&items[i]));
        sm_node_text(out, map, "reduction", sm_args_reduction_text(&items[i].spec));
        struct sm_node *points = sm_node_list(out, map, "points");
        for (size_t k = 0; k < items[i].series.n; k++) {
            add_point(out, sm_node_map(out, points, NULL), &items[i], k);
            struct sm_node *row = sm_node_map(out, rows, NULL);
            sm_node_text(out, row, "name", items[i].name);
            sm_node_text(out, row, "mode", mode_text(&items[i]));
            add_point(out, row, &items[i], k);
        }
    }
    out->root = list;
    out->rows = rows;
    out->columns = plot_columns;
    out->n_columns = COUNT(plot_columns);
}

static bool run_plot(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct named_series *items;
    size_t n;
    if (!select_series(c, true, &items, &n, err))
        return false;
    bool ok = read_all(c, items, &n, err);
    if (ok && !n)
        ok = sm_err_set(err, SM_ERR_MISSING, "Nothing to plot: no numbers over the steps.");
    ok = ok && draw_plot(c, out, items, n, err);
    if (ok)
        add_lines(out, items, n);
    free_all(items, n);
    return ok;
}

static const struct sm_option plot_options[] = {
    {.name = "w", .kind = SM_ARG_NUMBER, .value = "COLUMNS", .help = "width (the terminal's, else 80)"},
    {.name = "h", .kind = SM_ARG_NUMBER, .value = "ROWS", .help = "height (18)"},
    {.name = "y", .kind = SM_ARG_WORD, .value = "SCALE", .help = "linear, log, or symlog for values on both sides of 0", .words = y_scales},
    {.name = "log", .kind = SM_ARG_FLAG, .help = "the same as -y log"},
    {.name = "x", .kind = SM_ARG_WORD, .value = "UNIT", .help = "step, time relative to the first value, or wall time", .words = x_units},
    {.name = "at", .kind = SM_ARG_NUMBER, .value = "X", .help = "a cursor there; the legend says the values"},
    {.name = "clip", .kind = SM_ARG_FLAG, .help = "leave outliers out of the y range"},
    {.name = "smooth", .kind = SM_ARG_NUMBER, .value = "WEIGHT", .help = "TensorBoard's moving average, 0 to below 1; the line itself stays, faint"},
    {0},
};
const struct sm_cmd sm_cmd_plot = {
    .name = "plot",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Line chart over the steps of all tensors that match",
    .help = "Steps where rules fired are marked below. Values that have no place (NaN, Inf, on a log axis what is not above 0) have\n"
            "marks of their own. \"> FILE.svg\" makes a picture.",
    .example = "plot *loss* -h 12",
    .see_also = "spark series hist health",
    .args = spark_args,
    .options = plot_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_plot,
};
