/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/report_xgb.h"

#include "reader/fetch/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHART_W = 80, CHART_ROWS = 10, FEATURES_SHOWN = 15 };

void sm_report_title(struct sm_result *out, const char *title)
{
    sm_result_text(out, "\n%s", title);
}

void sm_report_chart(struct sm_call *c, struct sm_result *out, const struct sm_line_chart *chart,
                     int rows)
{
    struct sm_print_options o;
    sm_session_print_options(c->session, &o);
    int w = o.width > 0 && o.width < CHART_W ? o.width : CHART_W;
    sm_line_draw(sm_result_grid(out, w, rows), (struct sm_rect){0, 0, w, rows}, chart, o.glyphs);
}

void sm_report_bars(struct sm_call *c, struct sm_result *out, const struct sm_bar *bars, size_t n)
{
    struct sm_print_options o;
    sm_session_print_options(c->session, &o);
    sm_bar_rows(sm_result_grid(out, 1, 1), bars, n, 40, o.glyphs);
}

/* ---- metrics over the iterations ---- */

enum { TRAINED, VALIDATED, SETS };
struct metric {
    const char *name;        /* "mlogloss" */
    const char *names[SETS]; /* of the tensors; NULL: not saved */
    struct sm_series series[SETS];
};

/* The set of the metric; SETS if the tensor is not a metric. */
static int set_of(const char *tensor, const char **metric)
{
    static const char *const prefixes[] = {"train-", "validation-", "eval-", "test-", "valid-"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(tensor, prefixes[i], strlen(prefixes[i])) == 0) {
            *metric = tensor + strlen(prefixes[i]);
            return i ? VALIDATED : TRAINED;
        }
    return SETS;
}

static struct metric *metric_of(struct metric *all, size_t *n, const char *name)
{
    for (size_t i = 0; i < *n; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    all[*n] = (struct metric){.name = name};
    return &all[(*n)++];
}

static struct metric *find_metrics(struct sm_call *c, size_t *n)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct metric *all = sm_arena_xalloc(&c->arena, (sm_trial_tensor_count(t) + 1) * sizeof *all);
    *n = 0;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        const char *name;
        int set = set_of(sm_trial_tensor_name(t, x), &name);
        if (set == SETS || !x->has_value)
            continue;
        struct metric *m = metric_of(all, n, name);
        m->names[set] = m->names[set] ? m->names[set] : sm_trial_tensor_name(t, x);
    }
    return all;
}

/* Returns false with SM_ERR_WAIT. */
static bool read_metric(struct sm_call *c, struct metric *m, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    bool waiting = false;
    for (int k = 0; k < SETS; k++) {
        const struct sm_trial_tensor *x =
            m->names[k] ? sm_trial_find(t, m->names[k], strlen(m->names[k])) : NULL;
        struct sm_series_spec spec = {.tensor = x ? x->name : 0, .worker = SM_WORKER_ANY};
        if (x && !sm_series_read(c->session->fetch, t, &spec, &m->series[k], err)) {
            waiting = waiting || err->code == SM_ERR_WAIT;
            m->series[k].n = 0;
        }
    }
    return !waiting;
}

static bool is_better_higher(const char *metric)
{
    static const char *const names[] = {"auc", "aucpr", "map", "ndcg", "pre"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(metric, names[i], n) == 0 &&
            (!metric[n] || metric[n] == '@' || metric[n] == '-'))
            return true;
    }
    return false;
}

static size_t best_of(const struct sm_series *s, bool higher)
{
    size_t best = 0;
    for (size_t i = 1; i < s->n; i++) {
        double a = s->points[i].value, b = s->points[best].value;
        if (isnan(b) || (higher ? a > b : a < b))
            best = i;
    }
    return best;
}

/* How much worse b is than a, relative to a: 0.05 is five percent. */
static double loss_of(double a, double b, bool higher)
{
    return (higher ? a - b : b - a) / (a != 0 ? fabs(a) : 1);
}

/* The value of the series at that step, or the last one before it. */
static double value_at(const struct sm_series *s, struct sm_step step)
{
    double v = (double)NAN;
    for (size_t i = 0; i < s->n && s->points[i].step.n <= step.n; i++)
        v = s->points[i].value;
    return v;
}

/* Adds a comment on over- or underfitting, from the two series. */
static void add_comment(struct sm_str *out, const struct metric *m)
{
    const struct sm_series *t = &m->series[TRAINED], *v = &m->series[VALIDATED];
    bool higher = is_better_higher(m->name);
    if (t->n < 2 || v->n < 2) {
        sm_str_add(out, t->n || v->n ? "Too little was saved to compare training and validation."
                                     : "Nothing was saved.");
        return;
    }
    size_t best = best_of(v, higher);
    const struct sm_point *top = &v->points[best], *last = &v->points[v->n - 1];
    double lost = loss_of(top->value, last->value, higher), trained = t->points[t->n - 1].value;
    double trained_loss = loss_of(trained, value_at(t, top->step), higher),
           gap = loss_of(trained, last->value, higher);
    double recent = loss_of(last->value, v->points[v->n - 1 - (v->n + 2) / 4].value, higher);
    if (lost > 0.01 && trained_loss >= 0)
        sm_str_printf(
            out,
            "Validation was best at step %lld (%.5g) and has lost %.3g%% since, training has not: "
            "overfitting. Stop there, or lower max_depth or eta, raise gamma, min_child_weight or "
            "lambda.",
            (long long)top->step.n, top->value, 100 * lost);
    else if (lost > 0.01)
        sm_str_printf(out,
                      "Validation was best at step %lld (%.5g) and has lost %.3g%% since, and so "
                      "has training.",
                      (long long)top->step.n, top->value, 100 * lost);
    else if (recent > 0.01)
        sm_str_printf(out,
                      "Validation still improves (%.3g%% over the last quarter): underfitting so "
                      "far, more rounds may help.",
                      100 * recent);
    else if (gap > 0.1)
        sm_str_printf(
            out, "Neither improves much any more; validation stays %.3g%% worse than training.",
            100 * gap);
    else
        sm_str_add(out, "Neither improves much any more, and they are close.");
}

static void add_course(struct sm_result *out, struct sm_node *map, const char *key,
                       const char *name, const struct sm_series *s)
{
    struct sm_node *one = sm_node_map(out, map, key);
    sm_node_text(out, one, "name", name);
    struct sm_node *points = sm_node_list(out, one, "points");
    for (size_t i = 0; i < s->n; i++) {
        struct sm_node *p = sm_node_map(out, points, NULL);
        sm_node_int(out, p, "step", s->points[i].step.n);
        sm_node_double(out, p, "value", s->points[i].value, false);
    }
}

static struct sm_line_series line_of(struct sm_call *c, struct sm_result *out, const char *name,
                                     const struct sm_series *s, int set)
{
    double *x = sm_arena_xalloc(&c->arena, (s->n + 1) * sizeof *x),
           *y = sm_arena_xalloc(&c->arena, (s->n + 1) * sizeof *y);
    for (size_t i = 0; i < s->n; i++) {
        x[i] = (double)s->points[i].step.n;
        y[i] = s->points[i].value;
    }
    return (struct sm_line_series){.label = sm_result_escape(out, name, strlen(name)),
                                   .x = x,
                                   .y = y,
                                   .n = s->n,
                                   .role = (enum sm_role)(SM_ROLE_SERIES_0 + set),
                                   .dash = (unsigned)set};
}

static void add_metric(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                       const struct metric *m)
{
    static const char *const keys[SETS] = {"train", "validation"};
    struct sm_line_series lines[SETS];
    struct sm_line_chart chart = {.series = lines, .legend = true, .cursor_x = (double)NAN};
    struct sm_node *map = sm_node_map(out, list, NULL);
    struct sm_str comment = {0};
    sm_node_text(out, map, "metric", m->name);
    add_comment(&comment, m);
    sm_node_text(out, map, "comment", sm_str_text(&comment));
    for (int k = 0; k < SETS; k++) {
        if (!m->series[k].n)
            continue;
        add_course(out, map, keys[k], m->names[k], &m->series[k]);
        lines[chart.n_series++] = line_of(c, out, m->names[k], &m->series[k], k);
    }
    struct sm_str title = {0};
    sm_str_printf(&title, "%s over the iterations",
                  sm_result_escape(out, m->name, strlen(m->name)));
    sm_report_title(out, sm_str_text(&title));
    sm_report_chart(c, out, &chart, CHART_ROWS);
    sm_result_text(out, "%s", sm_str_text(&comment));
    sm_str_clear(&title);
    sm_str_clear(&comment);
}

bool sm_report_metrics(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                       struct sm_err *err)
{
    size_t n;
    struct metric *all = find_metrics(c, &n);
    struct sm_node *list = sm_node_list(out, root, "metrics");
    bool known = true;
    for (size_t i = 0; i < n; i++)
        known = read_metric(c, &all[i], err) && known;
    for (size_t i = 0; i < n; i++) {
        if (known)
            add_metric(c, out, list, &all[i]);
        for (int k = 0; k < SETS; k++)
            sm_series_clear(&all[i].series[k]);
    }
    return known || sm_err_set(err, SM_ERR_WAIT, "reading the metrics");
}

/* ---- importances ---- */

struct feature {
    const char *name;
    double v;
};

static int by_importance(const void *a, const void *b)
{
    double x = ((const struct feature *)a)->v, y = ((const struct feature *)b)->v;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Reads the importances of one kind at the newest step that has any. n 0: none were saved. Returns
 * false with SM_ERR_WAIT. */
static bool read_features(struct sm_call *c, const char *prefix, struct feature **out, size_t *n,
                          struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    size_t length = strlen(prefix);
    struct sm_step newest = {-1};
    bool waiting = false;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        if (strncmp(sm_trial_tensor_name(t, x), prefix, length) == 0 && x->has_value &&
            x->last.n > newest.n)
            newest = x->last;
    }
    *out = sm_arena_xalloc(&c->arena, (sm_trial_tensor_count(t) + 1) * sizeof **out);
    *n = 0;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        const char *name = sm_trial_tensor_name(t, x);
        struct sm_entry e = strncmp(name, prefix, length) == 0
                                ? sm_trial_entry(t, x, newest, SM_WORKER_ANY, SM_ENTRY_VALUE, 0)
                                : sm_entry_none();
        const struct sm_facts *f;
        if (sm_entry_exists(&e) && sm_fetch_stats(c->session->fetch, t, &e, &f, err) &&
            f->stats.finite)
            (*out)[(*n)++] = (struct feature){name + length, f->stats.sum};
        else
            waiting = waiting || (sm_entry_exists(&e) && err->code == SM_ERR_WAIT);
    }
    qsort(*out, *n, sizeof **out, by_importance);
    return !waiting;
}

static void add_features(struct sm_call *c, struct sm_result *out, struct sm_node *map,
                         const char *kind, const struct feature *all, size_t n)
{
    struct sm_node *list = sm_node_list(out, map, kind);
    size_t shown = n < FEATURES_SHOWN ? n : FEATURES_SHOWN;
    struct sm_bar *bars = sm_arena_xalloc(&out->arena, (shown + 1) * sizeof *bars);
    for (size_t i = 0; i < n; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "feature", all[i].name);
        sm_node_double(out, row, "importance", all[i].v, false);
        if (i < shown)
            bars[i] =
                (struct sm_bar){.label = sm_result_escape(out, all[i].name, strlen(all[i].name)),
                                .v = all[i].v,
                                .number = sm_arena_xprintf(&out->arena, "%.5g", all[i].v)};
    }
    struct sm_str title = {0};
    sm_str_printf(&title, "Feature importance by %s", kind);
    sm_report_title(out, sm_str_text(&title));
    sm_report_bars(c, out, bars, shown);
    if (shown < n)
        sm_result_dim(out, "%zu more; -json has all of them.", n - shown);
    sm_str_clear(&title);
}

bool sm_report_importances(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                           struct sm_err *err)
{
    static const char *const kinds[] = {"weight", "gain", "cover"};
    struct sm_node *map = sm_node_map(out, root, "feature_importance");
    bool known = true;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const char *prefix = sm_arena_xprintf(&out->arena, "feature_importance/%s/", kinds[k]);
        struct feature *all;
        size_t n;
        known = read_features(c, prefix, &all, &n, err) && known;
        if (known && n)
            add_features(c, out, map, kinds[k], all, n);
    }
    return known || sm_err_set(err, SM_ERR_WAIT, "reading the importances");
}
