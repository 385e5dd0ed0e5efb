/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/run_table.h"

#include "commands/judge/sleeping_runs.h"
#include "commands/runs/run_metric.h"
#include "commands/runs/run_view.h"
#include "commands/runs/runs.h"
#include "commands/session/trial_list.h"
#include "reader/base/grow.h"
#include "reader/kind/scalar_names.h"

#include <math.h>
#include <string.h>

const char *sm_run_trend_name(enum sm_run_trend t)
{
    static const char *const names[] = {NULL, "falling", "rising", "flat", "diverged"};
    return names[t];
}

/* ---- the metric ---- */

/* What was computed of a run, as long as nothing changes. Names of series are those of the trial.
 */
struct sm_run_cache {
    uint64_t named; /* version of the trial plus 1 that `own` belongs to */
    char *wanted;   /* the setting that it belongs to */
    const char *own;
    uint64_t version; /* of the trial that the numbers of `metric` belong to */
    const char *metric;
    struct sm_step_range range; /* that the numbers are of */
    struct sm_run_row row;      /* its numbers */
    double points[SM_RUN_POINTS];
};

/* The metric that the run has by itself. */
static const char *own_metric(struct sm_session *s, size_t i, const char *wanted)
{
    struct sm_trial *t = s->trials[i].trial;
    struct sm_run_cache *c = sm_session_trial_state(s, i, &sm_runs_state_kind);
    if (c->named == sm_trial_version(t) + 1 && strcmp(c->wanted, wanted) == 0)
        return c->own;
    sm_free(c->wanted);
    c->wanted = sm_xstrdup(wanted);
    c->named = sm_trial_version(t) + 1;
    c->own = sm_run_metric_of(t, wanted);
    return c->own;
}

/* Values of several modes are not one curve: those of validation count, else those of training. */
static enum sm_mode metric_mode(const struct sm_trial_tensor *x)
{
    static const enum sm_mode modes[] = {SM_MODE_EVAL, SM_MODE_TRAIN};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (x->modes >> modes[i] & 1)
            return modes[i];
    return SM_MODE_ANY;
}

static bool read_metric(struct sm_session *s, struct sm_trial *t, const char *metric,
                        struct sm_run_cache *c, struct sm_err *err)
{
    c->row = (struct sm_run_row){.newest = (double)NAN, .best = (double)NAN, .best_step = -1};
    if (sm_trial_glance(t)) {
        c->row.n_points = sm_run_metric_glance(s, sm_trial_glance(t), metric, &c->row, c->points);
        return true;
    }
    const struct sm_trial_tensor *x = sm_trial_find(t, metric, strlen(metric));
    struct sm_series_spec spec = {
        .tensor = x->name, .mode = metric_mode(x), .worker = SM_WORKER_ANY};
    struct sm_series series = {0};
    bool ok = sm_series_read(s->fetch, t, &spec, &series, err);
    sm_step_range_cut(s, &series);
    if (ok) {
        sm_run_metric_numbers(&series, metric, &c->row);
        c->row.n_points = sm_run_metric_points(&series, c->points);
    }
    sm_series_clear(&series);
    return ok || err->code != SM_ERR_WAIT;
}

static bool is_same_range(const struct sm_step_range *a, const struct sm_step_range *b)
{
    return a->set == b->set && (!a->set || (a->lo == b->lo && a->hi == b->hi));
}

static bool cached_metric(struct sm_session *s, size_t i, struct sm_run_row *row,
                          struct sm_err *err)
{
    struct sm_trial *t = s->trials[i].trial;
    struct sm_run_cache *c = sm_session_trial_state(s, i, &sm_runs_state_kind);
    if (c->metric != row->metric || c->version != sm_trial_version(t) ||
        !is_same_range(&c->range, &s->range)) {
        c->metric = NULL;
        if (!read_metric(s, t, row->metric, c, err))
            return false;
        c->metric = row->metric;
        c->version = sm_trial_version(t);
        c->range = s->range;
    }
    row->about = c->row.about;
    row->has_metric = c->row.has_metric;
    row->newest = c->row.newest;
    row->best = c->row.best;
    row->best_step = c->row.best_step;
    row->trend = c->row.trend;
    row->points = c->points;
    row->n_points = c->row.n_points;
    return true;
}

const struct sm_state_kind sm_runs_state_kind = {.size = sizeof(struct sm_run_view),
                                                 .trial_size = sizeof(struct sm_run_cache)};

void sm_run_cache_clear(struct sm_session *s, size_t i)
{
    struct sm_run_cache *c = sm_session_trial_state(s, i, &sm_runs_state_kind);
    sm_free(c->wanted);
    *c = (struct sm_run_cache){0};
    sm_run_view(s)->table.n = 0; /* names are those of trials */
    sm_run_view(s)->table.metric = NULL;
}

/* ---- the table ---- */

static void add_findings(const struct sm_session *s, size_t i, struct sm_run_row *row)
{
    struct sm_run_findings found = sm_run_findings(s, i);
    row->issues = found.fired;
    row->worst_rule = found.worst;
    row->worst_step = found.step;
    row->fatal = found.fatal;
    row->has_rules = sm_run_has_rules(s, i);
    row->judged = sm_run_is_judged(s, i);
}

static bool is_loss(const char *name)
{
    return sm_scalar_is_loss(name, strlen(name));
}

/* The name that most rows have; of several such a loss, else the one that comes first. Names are
 * looked up, not compared with each other: a thousand runs may have a thousand metrics. */
static const char *usual_metric(const struct sm_run_table *t)
{
    struct counted {
        const char *name;
        size_t n;
    } *items = sm_xalloc_zero(t->n + 1, sizeof *items), *most = items;
    struct sm_names *names = sm_names_new();
    for (size_t i = 0; names && i < t->n; i++) {
        const char *name = t->rows[i].metric;
        uint32_t id = name ? sm_names_add(names, name, strlen(name)) : SM_NAME_NONE;
        if (id != SM_NAME_NONE && !items[id].n++)
            items[id].name = name;
    }
    for (uint32_t i = 0; names && i < sm_names_count(names); i++)
        if (items[i].n > most->n ||
            (items[i].n == most->n && !is_loss(most->name) && is_loss(items[i].name)))
            most = &items[i];
    const char *usual = most->name;
    sm_names_free(names);
    sm_free(items);
    return usual;
}

/* The loss that was chosen first, as long as a run has it: runs that come later do not change it.
 */
static const char *kept_metric(struct sm_session *s, const struct sm_run_table *t, bool known)
{
    struct sm_run_view *view = sm_run_view(s);
    const char *name = NULL;
    for (size_t i = 0; view->metric && !name && i < t->n; i++)
        name = sm_run_series_name(s->trials[i].trial, view->metric);
    if (name)
        return name;
    name = usual_metric(t);
    sm_free(view->metric);
    view->metric = known && name && is_loss(name) ? sm_xstrdup(name) : NULL;
    return name;
}

bool sm_run_table_read(struct sm_session *s, struct sm_run_table *out, struct sm_err *err)
{
    const char *wanted = sm_runs_settings(s)->metric;
    bool known = true;
    out->n = 0;
    for (size_t i = 0; i < s->n_trials; i++) {
        struct sm_trial *t = s->trials[i].trial;
        SM_GROW(out->rows, out->n, out->cap);
        struct sm_run_row *row = &out->rows[out->n++];
        *row = (struct sm_run_row){.trial = i,
                                   .name = sm_trials_name(s, i),
                                   .path = s->trials[i].run,
                                   .newest = (double)NAN,
                                   .best = (double)NAN,
                                   .best_step = -1};
        known = known && sm_trial_scanned(t);
        row->metric = own_metric(s, i, wanted);
        add_findings(s, i, row);
    }
    out->metric = *wanted ? usual_metric(out) : kept_metric(s, out, known);
    out->unknown_metric =
        known && out->n && *wanted && !out->metric ? sm_runs_settings(s)->metric : NULL;
    for (size_t i = 0; i < out->n; i++) {
        struct sm_run_row *row = &out->rows[i];
        const char *same = out->metric ? sm_run_series_name(s->trials[i].trial, out->metric) : NULL;
        if (same)
            row->metric = same;
        if (row->metric)
            known = cached_metric(s, i, row, err) && known;
    }
    return known || sm_err_set(err, SM_ERR_WAIT, "reading the runs");
}

void sm_run_unknown_metric_note(struct sm_result *out, const char *unknown)
{
    if (unknown)
        sm_result_dim(out, "No run has a series \"%s\"; \"set metric\" without a name: a loss.",
                      unknown);
}

bool sm_run_row_comparable(const struct sm_run_table *t, const struct sm_run_row *row)
{
    return row->has_metric && t->metric && row->metric && strcmp(t->metric, row->metric) == 0;
}

void sm_run_table_clear(struct sm_run_table *t)
{
    sm_free(t->rows);
    *t = (struct sm_run_table){0};
}
