/* One number a step: series, spark and plot. */
#include "commands/args.h"
#include "commands/cmd_list.h"
#include "commands/describe.h"
#include "commands/evaluate.h"
#include "plot/chart.h"
#include "reader/series.h"

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

static bool spec_of(struct sm_call *c, const struct sm_trial_tensor *x, struct sm_series_spec *spec, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_word *reduce = sm_call_keyword(c, "reduce");
    const struct sm_word *mode = sm_call_keyword(c, "mode"), *worker = sm_call_keyword(c, "worker");
    *spec = (struct sm_series_spec){.tensor = x->name, .worker = SM_WORKER_ANY};
    if (reduce) {
        spec->reduction = sm_reduction_of_name(reduce->text.p, reduce->text.n);
        if (spec->reduction < 0)
            return sm_err_set(err, SM_ERR_USAGE, "Undefined reduction: \"%.*s\". Try min, max, mean, std, l2 or abs_mean.",
                              (int)reduce->text.n, reduce->text.p);
        spec->saved = !x->has_value;
    } else if (!sm_series_default(c->session->fetch, t, x, spec, err)) {
        return false;
    }
    spec->mode = SM_MODE_ANY;
    spec->worker = SM_WORKER_ANY;
    return (!mode || sm_args_mode(mode, &spec->mode, err)) && (!worker || sm_args_worker(t, worker, &spec->worker, err));
}

static const char *reduction_text(const struct sm_series_spec *s)
{
    return s->reduction == SM_REDUCE_NONE ? NULL : sm_reduction_name(s->reduction);
}

/* ---- series ---- */

static const struct sm_column point_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "mode", .header = "MODE"},
    {.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER},
    {.key = "time", .header = "TIME", .format = SM_COL_TIME},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

static void add_points(struct sm_result *out, struct sm_node *map, const struct sm_point *points, size_t n, bool exact)
{
    struct sm_node *list = sm_node_list(out, map, "points");
    for (size_t i = 0; i < n; i++) {
        const struct sm_point *p = &points[i];
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_int(out, row, "step", p->step.n);
        sm_node_int(out, row, "mode_step", p->mode_step.n);
        sm_node_double(out, row, "time", p->time, false);
        if (exact)
            sm_node_element(out, row, "value", p->dtype, p->first);
        else
            sm_node_double(out, row, "value", p->value, false);
        sm_node_text(out, row, "mode", sm_mode_name(p->mode));
    }
    sm_result_table(out, list, point_columns, COUNT(point_columns));
    out->rows = list;
    out->columns = point_columns;
    out->n_columns = COUNT(point_columns);
}

static struct sm_node *series_head(struct sm_call *c, struct sm_result *out, const char *name, const struct sm_series_spec *s)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "name", name);
    sm_node_text(out, map, "reduction", s ? reduction_text(s) : NULL);
    sm_node_text(out, map, "mode", s && s->mode != SM_MODE_ANY ? sm_mode_name((int)s->mode) : NULL);
    sm_node_text(out, map, "worker", s ? sm_trial_worker(t, s->worker != SM_WORKER_ANY ? s->worker : 0) : NULL);
    out->root = map;
    return map;
}

/* What is missing is said: a gap looks like steps that were not saved. */
static void add_unread(struct sm_result *out, struct sm_node *map, const struct sm_series *s)
{
    sm_node_int(out, map, "unread", (int64_t)s->unread);
    if (s->unread == 1)
        sm_result_dim(out, "Step %lld could not be read and is left out. \"info errors\" says why.", (long long)s->first_unread.n);
    else if (s->unread)
        sm_result_dim(out, "%zu steps, the first is %lld, could not be read and are left out. \"info errors\" says why.", s->unread,
                      (long long)s->first_unread.n);
}

static bool series_of_tensor(struct sm_call *c, struct sm_result *out, const struct sm_trial_tensor *x, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_series_spec spec;
    struct sm_series series = {0};
    if (!spec_of(c, x, &spec, err))
        return false;
    bool ok = sm_series_read(c->session->fetch, t, &spec, &series, err);
    if (ok) {
        struct sm_node *map = series_head(c, out, sm_trial_tensor_name(t, x), &spec);
        add_points(out, map, series.points, series.n, spec.reduction == SM_REDUCE_NONE);
        add_unread(out, map, &series);
    }
    sm_series_clear(&series);
    return ok;
}

/* A number at each step: kept in the call, as answers come bit by bit. */
struct over_steps {
    size_t n;
    struct at_step {
        size_t index;                    /* of the trial's step */
        struct sm_text text;             /* its own copy: by it the evaluation is found again */
        bool done, has, unread;          /* unread: the bytes could not be read */
        double value;
    } *items;
};

static struct over_steps *all_steps(struct sm_call *c, enum sm_mode mode)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_text text = c->words[0].text;
    struct over_steps *all = sm_arena_xalloc(&c->arena, sizeof *all);
    all->items = sm_arena_xalloc(&c->arena, (sm_trial_step_count(t) + 1) * sizeof *all->items);
    for (size_t i = 0; i < sm_trial_step_count(t); i++) {
        if (mode != SM_MODE_ANY && mode != SM_MODE_GLOBAL && sm_trial_step(t, i)->mode != mode)
            continue;
        all->items[all->n++] = (struct at_step){.index = i, .text = {sm_arena_xstrndup(&c->arena, text.p, text.n), text.n}};
    }
    return all;
}

static bool is_damage(const struct sm_err *err)
{
    return err->code == SM_ERR_DATA || err->code == SM_ERR_IO;
}

/* False: waiting, or an error. What is not there at a step, or cannot be read, leaves a gap. */
static bool evaluate_at(struct sm_call *c, struct at_step *x, struct sm_err *err)
{
    struct sm_expr_env env;
    struct sm_value v;
    sm_evaluate_env(c, &env);
    env.step = sm_trial_step(sm_session_trial(c->session), x->index)->step;
    env.mode = SM_MODE_ANY;
    if (!sm_evaluate_in(c, &env, x->text, &v, err))
        return x->done = x->unread = is_damage(err);
    x->done = true;
    x->has = v.type == SM_NUMBER || v.type == SM_BOOL;
    x->value = v.number;
    bool ok = x->has || v.type == SM_UNAVAILABLE || v.type == SM_VOID;
    if (!ok)
        sm_err_set(err, SM_ERR_USAGE, "\"%s\" is a %s at a step, not a number.", x->text.p, sm_value_type_name(v.type));
    sm_value_clear(&v);
    return ok;
}

static void add_answers(struct sm_call *c, struct sm_result *out, const struct over_steps *all)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_point *points = sm_arena_xalloc(&c->arena, (all->n + 1) * sizeof *points);
    struct sm_series gaps = {0};
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct at_step *x = &all->items[i];
        const struct sm_trial_step *s = sm_trial_step(t, x->index);
        if (x->unread && !gaps.unread++)
            gaps.first_unread = s->step;
        if (x->has)
            points[n++] = (struct sm_point){.step = s->step, .mode_step = s->mode_step, .mode = s->mode, .known = true,
                                            .time = (double)s->time_us / 1e6, .value = x->value};
    }
    struct sm_node *map = series_head(c, out, c->words[0].text.p, NULL);
    add_points(out, map, points, n, false);
    add_unread(out, map, &gaps);
}

static bool series_over_steps(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    enum sm_mode mode;
    bool waiting = false;
    if (!sm_args_mode_given(c, &mode, err))
        return false;
    struct over_steps *all = c->state = c->state ? c->state : all_steps(c, mode);
    for (size_t i = 0; i < all->n; i++) {
        if (all->items[i].done || evaluate_at(c, &all->items[i], err))
            continue;
        if (err->code != SM_ERR_WAIT)
            return false;
        waiting = true;
    }
    if (waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading %zu steps", all->n);
    add_answers(c, out, all);
    return true;
}

/* A series by itself (loss@all, ema(loss, 0.6)), or a number that is asked for at each step (l2(w)). */
static bool series_of_expr(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_value v;
    struct sm_expr_env env;
    if (c->state)
        return series_over_steps(c, out, err);
    sm_evaluate_env(c, &env);
    env.whole_series = true;
    if (!sm_evaluate_in(c, &env, c->words[0].text, &v, err))
        return is_damage(err) && series_over_steps(c, out, err);           /* the newest step's: others may be whole */
    if (v.type == SM_SERIES)
        add_points(out, series_head(c, out, c->words[0].text.p, NULL), v.points, v.n_points, false);
    bool series = v.type == SM_SERIES;
    sm_value_clear(&v);
    return series || series_over_steps(c, out, err);
}

static bool run_series(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_text name = c->words[0].text;
    const struct sm_trial_tensor *x = sm_trial_find(sm_session_trial(c->session), name.p, name.n);
    if (!x && !c->words[0].quoted && strpbrk(name.p, "@(+*"))
        return series_of_expr(c, out, err);
    struct sm_target target;
    if (!x && !sm_args_target(c, &target, err))
        return false;
    return series_of_tensor(c, out, x ? x : target.tensor, err);
}

static const struct sm_arg series_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR, .required = true},
    {.name = "REDUCTION", .kind = SM_ARG_TEXT, .keyword = "reduce"},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"},
    {0},
};
const struct sm_cmd sm_cmd_series = {
    .name = "series",
    .cmd_class = SM_CLASS_DATA,
    .summary = "A tensor's value over the steps, or a reduction of it",
    .help = "A one-element tensor gives its value, others the saved mean or else the computed one, unless \"reduce\" says.\n"
            "Of an expression, its series (ema(loss@all, 0.6)) or its number at each step (l2(CNN_fc1.weight)).",
    .example = "series CrossEntropyLoss_output_0 mode train",
    .see_also = "plot spark",
    .args = series_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_series,
};

/* ---- spark and plot: several series at once ---- */

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
        bool ok = spec_of(c, items[i].tensor, &items[i].spec, err);
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
        sm_node_text(out, row, "reduction", reduction_text(&items[i].spec));
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
        sm_node_text(out, map, "reduction", reduction_text(&items[i].spec));
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
