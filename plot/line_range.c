/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/line_range.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>

static const struct sm_line_range nothing = {HUGE_VAL, -HUGE_VAL};

static void extend_range(struct sm_line_range *r, double v)
{
    if (isfinite(v)) {
        r->lo = fmin(r->lo, v);
        r->hi = fmax(r->hi, v);
    }
}

struct sm_line_range sm_line_range_x(const struct sm_line_chart *chart)
{
    struct sm_line_range r = nothing;
    if (chart->window)
        return (struct sm_line_range){chart->window[0], chart->window[1]};
    for (size_t i = 0; i < chart->n_series; i++)
        for (size_t k = 0; k < chart->series[i].n; k++)
            extend_range(&r, chart->series[i].x[k]);
    return r;
}

bool sm_line_has_place(const struct sm_line_chart *chart, double y)
{
    return isfinite(y) && (chart->y_scale != SM_Y_LOG || y > 0);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const double *sample_of(const struct sm_line_series *s, size_t *n)
{
    *n = s->sample ? s->n_sample : s->n;
    return s->sample ? s->sample : s->y;
}

/* From the 5th to the 95th percentile (doc/numerics.md, "Ignore outliers") of the lines that have
 * not diverged. */
static struct sm_line_range range_without_outliers(const struct sm_line_chart *chart)
{
    size_t most = 1, n = 0, of_line;
    for (size_t i = 0; i < chart->n_series; i++) {
        sample_of(&chart->series[i], &of_line);
        most += of_line;
    }
    double *all = sm_xalloc(most * sizeof *all);
    for (size_t i = 0; i < chart->n_series; i++) {
        const double *y = sample_of(&chart->series[i], &of_line);
        for (size_t k = 0; k < of_line && !chart->series[i].diverged; k++)
            if (sm_line_has_place(chart, y[k]))
                all[n++] = y[k];
    }
    qsort(all, n, sizeof *all, compare_doubles);
    struct sm_line_range r = nothing;
    if (n)
        r = (struct sm_line_range){all[(size_t)ceil((double)(n - 1) * 0.05)],
                                   all[(size_t)floor((double)(n - 1) * 0.95)]};
    sm_free(all);
    return r;
}

static struct sm_line_range range_of_line(const struct sm_line_chart *chart, size_t i, size_t *n)
{
    struct sm_line_range r = nothing;
    const struct sm_line_series *s = &chart->series[i];
    for (size_t k = 0; k < s->n; k++)
        if (sm_line_has_place(chart, s->y[k])) {
            extend_range(&r, s->y[k]);
            if (s->lo && sm_line_has_place(chart, s->lo[k]) && sm_line_has_place(chart, s->hi[k])) {
                extend_range(&r, s->lo[k]);
                extend_range(&r, s->hi[k]);
            }
            ++*n;
        }
    return r;
}

/* ---- lines that diverged ---- */

/* What most lines span, on the scale of the chart. */
struct usual {
    double lo, hi, size;
    double factor; /* lines that leave it by more than factor * size are out; 0: none is */
};

static double on_scale(const struct sm_line_chart *chart, double v)
{
    return chart->y_scale == SM_Y_LOG      ? log10(v)
           : chart->y_scale == SM_Y_SYMLOG ? copysign(log10(1 + fabs(v)), v)
                                           : v;
}

static double sorted_at(double *v, size_t n, size_t i)
{
    qsort(v, n, sizeof *v, compare_doubles);
    return v[i];
}

/* Medians of the ends and of the sizes; of an even number those nearer to each other, so that of
 * two lines the smaller one counts. Two lines say little: one must be much larger. */
static struct usual usual_of(const struct sm_line_chart *chart, const struct sm_line_range *lines)
{
    struct usual u = {0};
    double *v = sm_xalloc((3 * chart->n_series + 1) * sizeof *v);
    size_t n = 0, all = chart->n_series;
    for (size_t i = 0; i < all; i++) {
        if (chart->series[i].faint || lines[i].lo > lines[i].hi)
            continue;
        v[n] = on_scale(chart, lines[i].lo);
        v[all + n] = on_scale(chart, lines[i].hi);
        v[2 * all + n] = v[all + n] - v[n];
        n++;
    }
    if (n > 1) {
        u.lo = sorted_at(v, n, n / 2);
        u.hi = sorted_at(v + all, n, (n - 1) / 2);
        u.size = sorted_at(v + 2 * all, n, (n - 1) / 2);
        u.factor = chart->y_scale == SM_Y_LINEAR ? n > 2 ? 20 : 100 : n > 2 ? 3 : 6;
    }
    sm_free(v);
    return u;
}

/* A line that is never near the others is out only if it is farther away by FAR times the limit:
 * it is not seen at all then, but for its marks at the edge. */
static bool is_out(const struct sm_line_chart *chart, const struct usual *u, struct sm_line_range r)
{
    if (!(u->factor > 0) || !(u->size > 0) || r.lo > r.hi)
        return false;
    enum { FAR = 1000, FAR_LOG = 3 };
    double lo = on_scale(chart, r.lo), hi = on_scale(chart, r.hi), limit = u->factor * u->size;
    double far = limit * (chart->y_scale == SM_Y_LINEAR ? FAR : FAR_LOG);
    if (lo > u->hi + far || hi < fmin(u->lo, u->hi) - far) /* of two far apart, u->lo > u->hi */
        return true;
    return hi - lo > limit && lo <= u->hi + u->size && hi >= u->lo - u->size &&
           (hi > u->hi + limit || lo < u->lo - limit);
}

void sm_line_mark_diverged(struct sm_line_series *series, size_t n, enum sm_y_scale scale)
{
    const struct sm_line_chart chart = {.series = series, .n_series = n, .y_scale = scale};
    struct sm_line_range *lines = sm_xalloc((n + 1) * sizeof *lines);
    size_t points = 0;
    for (size_t i = 0; i < n; i++)
        lines[i] = range_of_line(&chart, i, &points);
    const struct usual u = usual_of(&chart, lines);
    for (size_t i = 0; i < n; i++)
        series[i].diverged = is_out(&chart, &u, lines[i]);
    sm_free(lines);
}

struct sm_line_range sm_line_range_y(const struct sm_line_chart *chart)
{
    struct sm_line_range r = nothing, all = nothing;
    size_t n = 0;
    for (size_t i = 0; i < chart->n_series; i++) {
        struct sm_line_range line = range_of_line(chart, i, &n);
        extend_range(&all, line.lo);
        extend_range(&all, line.hi);
        if (chart->series[i].diverged)
            continue;
        extend_range(&r, line.lo);
        extend_range(&r, line.hi);
    }
    if (chart->clip_outliers && n > 2 && r.lo <= r.hi)
        return range_without_outliers(chart);
    return r.lo <= r.hi ? r : all;
}

size_t sm_line_clipped(const struct sm_line_chart *chart)
{
    struct sm_line_range y = sm_line_range_y(chart);
    size_t clipped = 0;
    for (size_t i = 0; i < chart->n_series; i++) {
        size_t n = 0;
        struct sm_line_range r = range_of_line(chart, i, &n);
        clipped += !chart->series[i].faint && r.lo <= r.hi && (r.lo < y.lo || r.hi > y.hi);
    }
    return clipped;
}
