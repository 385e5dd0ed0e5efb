/* SPDX-License-Identifier: Apache-2.0 */
/* series: one number per step. */
#include "commands/answer/read_errors.h"
#include "commands/answer/shape.h"
#include "commands/language/tokens.h"
#include "commands/place/evaluate.h"
#include "commands/place/other_workers.h"
#include "commands/place/place.h"
#include "commands/place/series_args.h"
#include "commands/place/step_clock.h"
#include "commands/values/values.h"
#include "reader/fetch/series.h"

#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column point_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "mode", .header = "MODE"},
    {.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER},
    {.key = "time", .header = "TIME", .format = SM_COL_TIME},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

static void add_points(struct sm_result *out, struct sm_node *map, const struct sm_point *points,
                       size_t n, bool as_stored)
{
    struct sm_node *list = sm_node_list(out, map, "points");
    for (size_t i = 0; i < n; i++) {
        const struct sm_point *p = &points[i];
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_int(out, row, "step", p->step.n);
        sm_node_int(out, row, "mode_step", p->mode_step.n);
        sm_node_time(out, row, "time", p->time);
        const struct sm_exact exact = sm_point_exact(p);
        if (as_stored)
            sm_node_element(out, row, "value", p->dtype, p->first);
        else
            sm_node_exact(out, row, "value", &exact, false);
        sm_node_text(out, row, "mode", sm_mode_name(p->mode));
    }
    sm_result_table(out, list, point_columns, COUNT(point_columns));
    out->rows = list;
    out->columns = point_columns;
    out->n_columns = COUNT(point_columns);
}

static struct sm_node *series_head(struct sm_call *c, struct sm_result *out, const char *name,
                                   const struct sm_series_spec *s)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "name", name);
    sm_node_text(out, map, "reduction", s ? sm_args_reduction_text(s) : NULL);
    sm_node_text(out, map, "mode", s && s->mode != SM_MODE_ANY ? sm_mode_name((int)s->mode) : NULL);
    sm_node_text(out, map, "worker",
                 s ? sm_trial_worker(t, s->worker != SM_WORKER_ANY ? s->worker : 0) : NULL);
    out->root = map;
    return map;
}

/* Reports the steps that could not be read: a gap looks like steps that were not saved. */
static void report_unread(struct sm_result *out, struct sm_node *map, const struct sm_series *s)
{
    struct sm_read_errors_steps unread = {0};
    sm_node_int(out, map, "unread", (int64_t)s->unread);
    sm_read_errors_steps_add(&unread, NULL, s->unread, s->first_unread);
    sm_read_errors_steps_report(&unread, out);
}

static bool series_of_tensor(struct sm_call *c, struct sm_result *out,
                             const struct sm_trial_tensor *x, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_series_spec spec;
    struct sm_series series = {0};
    if (!sm_args_series(c, t, x, &spec, err))
        return false;
    bool ok = sm_series_read(c->session->fetch, t, &spec, &series, err);
    sm_step_range_cut(c->session, &series);
    if (ok) {
        struct sm_node *map = series_head(c, out, sm_trial_tensor_name(t, x), &spec);
        add_points(out, map, series.points, series.n, !spec.reduction);
        report_unread(out, map, &series);
        sm_step_range_note(c->session, out);
        sm_args_saved_node(out, map, &spec);
        if (spec.saved && spec.reduction)
            sm_result_dim(out, "Saved by the job, not computed: the %s.", spec.reduction->key);
    }
    sm_series_clear(&series);
    return ok && sm_other_workers_note_series(c, out, t, &spec, err);
}

/* The number at each step; kept in the call while values are being read. */
struct step_values {
    size_t n;
    struct step_value {
        size_t index;                  /* of the trial's step */
        struct sm_text text;           /* a copy per step: its address identifies the evaluation */
        bool done, has_number, unread; /* unread: the bytes could not be read */
        double value;
    } * items;
};

static struct step_values *new_step_values(struct sm_call *c, enum sm_mode mode)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_text text = c->words[0].text;
    struct step_values *all = sm_arena_xalloc(&c->arena, sizeof *all);
    all->items = sm_arena_xalloc(&c->arena, (sm_trial_step_count(t) + 1) * sizeof *all->items);
    for (size_t i = 0; i < sm_trial_step_count(t); i++) {
        if (mode != SM_MODE_ANY && mode != SM_MODE_GLOBAL && sm_trial_step(t, i)->mode != mode)
            continue;
        if (!sm_step_range_has(c->session, sm_trial_step(t, i)->step.n))
            continue;
        all->items[all->n++] = (struct step_value){
            .index = i, .text = {sm_arena_xstrndup(&c->arena, text.p, text.n), text.n}};
    }
    return all;
}

static bool is_damage(const struct sm_err *err)
{
    return err->code == SM_ERR_DATA || err->code == SM_ERR_IO;
}

/* Returns false while waiting, or on an error. A step without a value, or that cannot be read, is a
 * gap. */
static bool evaluate_at_step(struct sm_call *c, struct step_value *x, struct sm_err *err)
{
    struct sm_expr_env env;
    struct sm_value v;
    sm_evaluate_env(c, &env);
    env.step = sm_trial_step(sm_session_trial(c->session), x->index)->step;
    env.mode = SM_MODE_ANY;
    if (!sm_evaluate_in(c, &env, x->text, &v, err))
        return x->done = x->unread = is_damage(err);
    x->done = true;
    x->has_number = v.type == SM_NUMBER || v.type == SM_BOOL;
    x->value = v.number;
    bool ok = x->has_number || v.type == SM_UNAVAILABLE || v.type == SM_VOID;
    if (!ok)
        sm_err_set(err, SM_ERR_USAGE, "\"%s\" is a %s at a step, not a number.", x->text.p,
                   sm_value_type_name(v.type));
    sm_value_clear(&v);
    return ok;
}

static bool add_step_values(struct sm_call *c, struct sm_result *out, const struct step_values *all,
                            struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_step_clock clock = {.fetch = c->session->fetch, .trial = t};
    struct sm_point *points = sm_arena_xalloc(&c->arena, (all->n + 1) * sizeof *points);
    struct sm_series gaps = {0};
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct step_value *x = &all->items[i];
        const struct sm_trial_step *s = sm_trial_step(t, x->index);
        if (x->unread && !gaps.unread++)
            gaps.first_unread = s->step;
        if (x->has_number)
            points[n++] = (struct sm_point){
                .step = s->step,
                .mode_step = s->mode_step,
                .mode = s->mode,
                .known = true,
                .time = (double)sm_step_clock_read(&clock, s->step, s->time_us) / 1e6,
                .value = x->value};
    }
    if (clock.waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading the times of %zu steps", n);
    struct sm_node *map = series_head(c, out, c->words[0].text.p, NULL);
    add_points(out, map, points, n, false);
    report_unread(out, map, &gaps);
    return true;
}

static bool series_over_steps(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    enum sm_mode mode;
    bool waiting = false;
    if (!sm_place_mode_given(c, &mode, err))
        return false;
    struct step_values *all = c->state = c->state ? c->state : new_step_values(c, mode);
    for (size_t i = 0; i < all->n; i++) {
        if (all->items[i].done || evaluate_at_step(c, &all->items[i], err))
            continue;
        if (err->code != SM_ERR_WAIT)
            return false;
        waiting = true;
    }
    if (waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading %zu steps", all->n);
    return add_step_values(c, out, all, err);
}

/* The expression is a series (loss@all, ema(loss, 0.6)), or a number that is evaluated at each step
 * (l2(w)). */
static bool series_of_expr(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_value v;
    struct sm_expr_env env;
    if (c->state)
        return series_over_steps(c, out, err);
    sm_evaluate_env(c, &env);
    env.whole_series = true;
    if (!sm_evaluate_in(c, &env, c->words[0].text, &v, err))
        /* the newest step is damaged; others may be readable */
        return is_damage(err) && series_over_steps(c, out, err);
    if (v.type == SM_SERIES)
        add_points(out, series_head(c, out, c->words[0].text.p, NULL), v.points, v.n_points, false);
    bool series = v.type == SM_SERIES;
    sm_value_clear(&v);
    return series || series_over_steps(c, out, err);
}

static bool run_series(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    if (sm_args_all_workers(c))
        return sm_err_set(err, SM_ERR_USAGE, "A series is of one worker; \"plot\" draws all.");
    if (c->words[0].slice.n) /* the value of NAME[0, 1] at each step, as of an expression */
        sm_reader_join(&c->arena, &c->words[0]);
    struct sm_text name = c->words[0].text;
    const struct sm_trial_tensor *x = sm_trial_find(sm_session_trial(c->session), name.p, name.n);
    if (!x && name.n && name.p[name.n - 1] == ']')
        return series_of_expr(c, out, err);
    if (!x && !c->words[0].quoted && strpbrk(name.p, "@(+*"))
        return series_of_expr(c, out, err);
    struct sm_place place;
    if (!x && !sm_place_read(c, &place, err))
        return false;
    return series_of_tensor(c, out, x ? x : sm_place_tensor(&place), err);
}

static const struct sm_arg series_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR, .required = true},
    {.name = "REDUCTION", .kind = SM_ARG_TEXT, .keyword = "reduce", .words = sm_statistic_names},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"},
    {0},
};
const struct sm_cmd sm_cmd_series = {
    .name = "series",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Print the value of a tensor, or a reduction of it, at each step",
    .help = "A tensor with one element gives its value, other tensors the mean (saved, else "
            "computed), or REDUCTION.\n"
            "An expression gives its series (ema(loss@all, 0.6)) or its number at each step "
            "(l2(CNN_fc1.weight)).",
    .example = "series CrossEntropyLoss_output_0 mode train",
    .see_also = "plot, spark",
    .args = series_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{name:text,reduction:text?,mode:mode?,worker:name?,points:[{step:int,mode_step:int,"
              "time:num?,value:element,mode:mode}],unread:int,saved?:bool}",
    .run = run_series,
};
