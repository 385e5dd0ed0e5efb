/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/scalar_group.h"

#include <math.h>
#include <stdlib.h>

struct tagged {
    size_t group;
    const struct sm_line_series *line;
};

static int compare_tagged(const void *a, const void *b)
{
    const struct tagged *x = a, *y = b;
    int order = (x->group > y->group) - (x->group < y->group);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int compare_x(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The x of all lines, each once. */
static size_t all_x(const struct tagged *lines, size_t n, struct sm_arena *arena, double **out)
{
    size_t total = 0, used = 0, unique = 0;
    for (size_t i = 0; i < n; i++)
        total += lines[i].line->n;
    double *x = *out = sm_arena_xalloc(arena, (total + 1) * sizeof *x);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lines[i].line->n; k++)
            x[used++] = lines[i].line->x[k];
    qsort(x, used, sizeof *x, compare_x);
    for (size_t i = 0; i < used; i++)
        if (!unique || x[i] > x[unique - 1])
            x[unique++] = x[i];
    return unique;
}

/* Goes to the last point at or before x, which is not before that of the last call; *at: the place,
 * 0 at first. */
static void go_to(const struct sm_line_series *s, double x, size_t *at)
{
    while (*at + 1 < s->n && s->x[*at + 1] <= x)
        ++*at;
}

/* One of the numbers of the points (y, lo or hi) at x, near the place `at`. NaN outside of the
 * line. */
static double value_at(const struct sm_line_series *s, const double *y, double x, size_t at)
{
    if (!s->n || x < s->x[at])
        return (double)NAN;
    if (s->x[at] >= x)
        return y[at];
    if (at + 1 == s->n)
        return (double)NAN;
    double part = (x - s->x[at]) / (s->x[at + 1] - s->x[at]);
    return y[at] + part * (y[at + 1] - y[at]);
}

static struct sm_line_series merge(const struct tagged *lines, size_t n, struct sm_arena *arena)
{
    double *x;
    size_t points = all_x(lines, n, arena, &x);
    double *y = sm_arena_xalloc(arena, (points + 1) * sizeof *y),
           *lo = sm_arena_xalloc(arena, (points + 1) * sizeof *lo),
           *hi = sm_arena_xalloc(arena, (points + 1) * sizeof *hi);
    size_t *at = sm_arena_xalloc(arena, n * sizeof *at);
    for (size_t k = 0; k < points; k++) {
        size_t known = 0;
        y[k] = 0;
        for (size_t i = 0; i < n; i++) {
            const struct sm_line_series *s = lines[i].line;
            go_to(s, x[k], &at[i]);
            double v = value_at(s, s->y, x[k], at[i]);
            if (!isfinite(v))
                continue;
            double low = s->lo ? value_at(s, s->lo, x[k], at[i]) : v,
                   high = s->hi ? value_at(s, s->hi, x[k], at[i]) : v;
            y[k] += (v - y[k]) / (double)++known;
            lo[k] = known == 1 ? low : fmin(lo[k], low);
            hi[k] = known == 1 ? high : fmax(hi[k], high);
        }
        if (!known)
            y[k] = lo[k] = hi[k] = (double)NAN;
    }
    return (struct sm_line_series){.x = x, .y = y, .lo = lo, .hi = hi, .n = points};
}

size_t sm_scalar_group(const struct sm_line_series *lines, size_t n, size_t *groups, size_t *counts,
                       struct sm_arena *arena, struct sm_line_series *out)
{
    struct tagged *all = sm_arena_xalloc(arena, (n + 1) * sizeof *all);
    size_t merged = 0;
    for (size_t i = 0; i < n; i++)
        all[i] = (struct tagged){groups[i], &lines[i]};
    qsort(all, n, sizeof *all, compare_tagged);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && all[to].group == all[from].group;)
            to++;
        out[merged] = merge(&all[from], to - from, arena);
        groups[merged] = all[from].group;
        if (counts)
            counts[merged] = to - from;
        merged++;
    }
    return merged;
}
