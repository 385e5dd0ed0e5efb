/* spark and plot: several series at once. */
#include "commands/args.h"
#include "commands/cmd_list.h"
#include "commands/series_args.h"
#include "plot/chart.h"

#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* A series with the words that name it. */
struct named_series {
    const struct sm_trial_tensor *tensor;                  /* NULL: of an expression */
    uint16_t run;                                          /* of TensorBoard: the series is its; ANY otherwise */
    enum sm_mode mode;                                     /* of which the series is; ANY: as asked */
    const char *name;
    struct sm_series_spec spec;
    struct sm_series series;
    double *x, *y;
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

/* The x axis counts global steps, or those of the mode that was asked for. */
static void fill_xy(struct sm_call *c, struct named_series *n, double weight)
{
    bool of_mode = sm_call_keyword(c, "mode");
    size_t count = n->series.n;
    n->x = sm_arena_xalloc(&c->arena, (count + 1) * sizeof *n->x);
    n->y = sm_arena_xalloc(&c->arena, (count + 1) * sizeof *n->y);
    for (size_t i = 0; i < count; i++) {
        n->x[i] = (double)(of_mode ? n->series.points[i].mode_step.n : n->series.points[i].step.n);
        n->y[i] = n->series.points[i].value;
    }
    if (weight > 0)
        sm_smooth(n->y, count, weight, n->y);
}

static bool size_option(struct sm_call *c, const char *name, int64_t most, int64_t *v, struct sm_err *err)
{
    const struct sm_word *w = sm_call_option(c, name);
    return !w || sm_call_int(w, 1, most, v, err);
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

static bool draw_plot(struct sm_call *c, struct sm_result *out, struct named_series *items, size_t n, struct sm_err *err)
{
    struct sm_print_options o;
    sm_session_print_options(c->session, &o);
    int64_t w = o.width > 0 ? o.width : 80, h = 18;
    double weight = 0;
    const struct sm_word *smooth = sm_call_option(c, "smooth");
    if (!size_option(c, "w", 1000, &w, err) || !size_option(c, "h", 500, &h, err) ||
        (smooth && !sm_call_double(smooth, &weight, err)))
        return false;
    if (weight < 0 || weight >= 1)
        return sm_err_set(err, SM_ERR_USAGE, "The smoothing weight must be in [0, 1).");
    struct sm_line_series *lines = sm_arena_xalloc(&c->arena, (n + 1) * sizeof *lines);
    for (size_t i = 0; i < n; i++) {
        fill_xy(c, &items[i], weight);
        lines[i] = (struct sm_line_series){
            .label = label(out, sm_session_trial(c->session), &items[i]), .x = items[i].x, .y = items[i].y,
            .n = items[i].series.n, .role = (enum sm_role)(SM_ROLE_SERIES_0 + i % 8), .dash = (unsigned)(i % 4),
        };
    }
    struct sm_line_chart chart = {.series = lines, .n_series = n, .legend = true, .cursor_x = (double)NAN,
                                  .y_scale = sm_call_flag(c, "log") ? SM_Y_LOG : SM_Y_LINEAR,
                                  .clip_outliers = sm_call_flag(c, "clip")};
    struct sm_grid *g = sm_result_grid(out, (int)w, (int)h);
    sm_line_draw(g, (struct sm_rect){0, 0, (int)w, (int)h}, &chart, o.glyphs);
    if (sm_line_thinning(&chart, (int)w) > 1)
        sm_result_dim(out, "some columns hold several points: their min and max are drawn");
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
    {.name = "log", .kind = SM_ARG_FLAG, .help = "logarithmic y axis"},
    {.name = "clip", .kind = SM_ARG_FLAG, .help = "leave outliers out of the y range"},
    {.name = "smooth", .kind = SM_ARG_NUMBER, .value = "WEIGHT", .help = "TensorBoard's moving average, 0 to below 1"},
    {0},
};
const struct sm_cmd sm_cmd_plot = {
    .name = "plot",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Line chart over the steps of all tensors that match",
    .example = "plot *loss* -h 12",
    .see_also = "spark series hist",
    .args = spark_args,
    .options = plot_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_plot,
};
