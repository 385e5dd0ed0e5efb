/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/run_scatter.h"

#include "commands/runs/run_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

static bool value_of(const struct sm_session *s, const struct sm_run_row *row, const char *name,
                     struct sm_arena *arena, struct sm_run_value *out, struct sm_err *err)
{
    struct sm_text text = {name, strlen(name)};
    return sm_run_value_any(s, row, text, arena, out) ||
           sm_run_value_series(s, row, text, out, err);
}

static bool is_metric(const struct sm_run_table *t, const char *name)
{
    return strcmp(name, "newest") == 0 || strcmp(name, "best") == 0 ||
           (t->metric && strcmp(name, t->metric) == 0);
}

static bool exists(const struct sm_session *s, const struct sm_run_table *t, const char *name,
                   struct sm_err *err)
{
    return !t->n || sm_run_is_field(name) || sm_run_some_has(s, t, name) ||
           sm_err_set(err, SM_ERR_MISSING, "No run has \"%s\".", name);
}

/* ---- texts ---- */

static int compare_texts(const void *a, const void *b)
{
    return sm_natural_cmp(*(const char *const *)a, *(const char *const *)b);
}

/* The distinct texts of n, sorted. */
static void collect_texts(const char *const *texts, size_t n, struct sm_arena *arena,
                          struct sm_run_scatter *out)
{
    const char **all = sm_arena_xalloc(arena, (n + 1) * sizeof *all);
    size_t kept = 0;
    memcpy(all, texts, n * sizeof *all);
    qsort(all, n, sizeof *all, compare_texts);
    for (size_t i = 0; i < n; i++)
        if (!kept || strcmp(all[kept - 1], all[i]) != 0)
            all[kept++] = all[i];
    out->values = all;
    out->n_values = kept;
}

static double index_of(const struct sm_run_scatter *p, const char *text)
{
    size_t i = 0;
    while (i < p->n_values && strcmp(p->values[i], text) != 0)
        i++;
    return (double)i;
}

/* ---- ranks ---- */

struct ranked {
    double v;
    size_t at;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return (x->v > y->v) - (x->v < y->v);
}

/* Equal values share the mean of their ranks. */
static double *ranks_of(const double *v, size_t n, struct sm_arena *arena)
{
    struct ranked *all = sm_arena_xalloc(arena, (n + 1) * sizeof *all);
    double *ranks = sm_arena_xalloc(arena, (n + 1) * sizeof *ranks);
    for (size_t i = 0; i < n; i++)
        all[i] = (struct ranked){v[i], i};
    qsort(all, n, sizeof *all, compare_ranked);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && all[to].v == all[from].v;)
            to++;
        for (size_t i = from; i < to; i++)
            ranks[all[i].at] = (double)(from + to - 1) / 2;
    }
    return ranks;
}

static double rank_correlation(const struct sm_run_scatter *p, struct sm_arena *arena)
{
    const double *x = ranks_of(p->x, p->n, arena), *y = ranks_of(p->y, p->n, arena);
    double mean = ((double)p->n - 1) / 2, xy = 0, xx = 0, yy = 0;
    for (size_t i = 0; i < p->n; i++) {
        xy += (x[i] - mean) * (y[i] - mean);
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
    }
    return p->n > 2 && xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : (double)NAN;
}

/* ---- points ---- */

static void add_point(struct sm_run_scatter *p, const struct sm_run_row *row, double x, double y)
{
    p->x[p->n] = x;
    p->y[p->n] = y;
    p->rows[p->n++] = row;
}

/* texts: of x, by row; NULL where there is none. */
static bool add_points(const struct sm_session *s, const struct sm_run_table *t,
                       struct sm_arena *arena, const char **texts, struct sm_run_scatter *p,
                       struct sm_err *err)
{
    bool known = true, metric = is_metric(t, p->y_name);
    for (size_t i = 0; i < t->n; i++) {
        const struct sm_run_row *row = &t->rows[i];
        struct sm_run_value x, y;
        known = value_of(s, row, p->x_name, arena, &x, err) && known;
        known = value_of(s, row, p->y_name, arena, &y, err) && known;
        bool comparable = !metric || sm_run_row_comparable(t, row);
        double at = p->values                 ? (texts[i] ? index_of(p, texts[i]) : (double)NAN)
                    : x.type == SM_RUN_NUMBER ? x.number
                                              : (double)NAN;
        if (!comparable || y.type != SM_RUN_NUMBER || !isfinite(at))
            p->missing++;
        else if (metric && sm_run_row_diverged(row))
            p->diverged++;
        else if (!isfinite(y.number))
            p->missing++;
        else
            add_point(p, row, at, y.number);
    }
    return known;
}

/* If any x is a text, all are read as texts. */
static const char **read_texts(const struct sm_session *s, const struct sm_run_table *t,
                               struct sm_arena *arena, struct sm_run_scatter *p)
{
    const char **texts = sm_arena_xalloc(arena, (t->n + 1) * sizeof *texts),
               **found = sm_arena_xalloc(arena, (t->n + 1) * sizeof *found);
    size_t n = 0;
    struct sm_err ignored;
    for (size_t i = 0; i < t->n; i++) {
        struct sm_run_value x;
        texts[i] = NULL;
        if (value_of(s, &t->rows[i], p->x_name, arena, &x, &ignored) && x.type == SM_RUN_TEXT)
            found[n++] = texts[i] = sm_arena_xstrndup(arena, x.text.p, x.text.n);
    }
    if (n)
        collect_texts(found, n, arena, p);
    return texts;
}

static bool spans_decades(const struct sm_run_scatter *p)
{
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (size_t i = 0; i < p->n; i++) {
        lo = fmin(lo, p->x[i]);
        hi = fmax(hi, p->x[i]);
    }
    return !p->values && lo > 0 && hi >= 100 * lo;
}

bool sm_run_scatter_read(const struct sm_session *s, const struct sm_run_table *t, const char *x,
                         const char *y, struct sm_arena *arena, struct sm_run_scatter *out,
                         struct sm_err *err)
{
    *out = (struct sm_run_scatter){.x_name = x, .y_name = y ? y : t->metric, .rank = (double)NAN};
    if (!out->y_name)
        return sm_err_set(err, SM_ERR_MISSING, "No run has a metric.");
    if (!exists(s, t, x, err) || !exists(s, t, out->y_name, err))
        return false;
    out->x = sm_arena_xalloc(arena, (t->n + 1) * sizeof *out->x);
    out->y = sm_arena_xalloc(arena, (t->n + 1) * sizeof *out->y);
    out->rows = sm_arena_xalloc(arena, (t->n + 1) * sizeof *out->rows);
    const char **texts = read_texts(s, t, arena, out);
    bool known = add_points(s, t, arena, texts, out, err);
    out->x_log = spans_decades(out);
    if (!out->values)
        out->rank = rank_correlation(out, arena);
    return known;
}

void sm_run_scatter_chart(const struct sm_run_scatter *p, struct sm_scatter *chart)
{
    chart->x = p->x;
    chart->y = p->y;
    chart->n = p->n;
    chart->x_log = p->x_log;
    chart->x_whole = p->values;
}

/* ---- words ---- */

static void add_escaped(struct sm_str *out, const char *text)
{
    sm_str_add_escaped(out, text, strlen(text));
}

void sm_run_scatter_title(const struct sm_run_scatter *p, struct sm_str *out)
{
    add_escaped(out, p->y_name);
    sm_str_add(out, " by ");
    add_escaped(out, p->x_name);
    sm_str_add(out, p->x_log ? ", log x" : "");
    if (!isnan(p->rank))
        sm_str_printf(out, ", rank correlation %.2f", p->rank);
    if (p->diverged)
        sm_str_printf(out, ", %zu diverged", p->diverged);
    if (p->missing)
        sm_str_printf(out, ", %zu without", p->missing);
}

void sm_run_scatter_values(const struct sm_run_scatter *p, struct sm_str *out)
{
    for (size_t i = 0; i < p->n_values; i++) {
        sm_str_printf(out, "%s%zu ", i ? ", " : "", i);
        add_escaped(out, p->values[i]);
    }
}
