/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/expr/rolling.h"

#include "reader/base/mem.h"

#include <math.h>
#include <string.h>

/* ---- moments ---- */

static struct sm_rolling_sum sum_of(const struct sm_rolling_point *p)
{
    if (!isfinite(p->y))
        return (struct sm_rolling_sum){0};
    return (struct sm_rolling_sum){.n = 1, .mean_x = p->x, .mean_y = p->y};
}

/* The moments of both (Chan, Golub and LeVeque 1979). */
static struct sm_rolling_sum sum_both(const struct sm_rolling_sum *a,
                                      const struct sm_rolling_sum *b)
{
    if (a->n == 0 || b->n == 0)
        return a->n == 0 ? *b : *a;
    double n = a->n + b->n, dx = b->mean_x - a->mean_x, dy = b->mean_y - a->mean_y,
           share = b->n / n, both = a->n * share;
    return (struct sm_rolling_sum){
        .n = n,
        .mean_x = a->mean_x + dx * share,
        .mean_y = a->mean_y + dy * share,
        .sxx = a->sxx + b->sxx + dx * dx * both,
        .sxy = a->sxy + b->sxy + dx * dy * both,
        .syy = a->syy + b->syy + dy * dy * both,
    };
}

/* ---- the window ---- */

static struct sm_rolling_point *point_at(const struct sm_rolling_window *w, size_t i)
{
    return &w->points[(w->first + i) % w->cap];
}

static bool grow_points(struct sm_rolling_window *w)
{
    size_t cap = 2 * w->cap + 16;
    struct sm_rolling_point *points = sm_alloc(cap * sizeof *points);
    if (!points)
        return false;
    for (size_t i = 0; i < w->n; i++)
        points[i] = *point_at(w, i);
    sm_free(w->points);
    w->points = points;
    w->first = 0;
    w->cap = cap;
    return true;
}

/* Moves all points to the older stack. */
static bool turn_over(struct sm_rolling_window *w)
{
    if (w->cap_older < w->n) {
        struct sm_rolling_sum *more = sm_realloc(w->older, w->n, sizeof *more);
        if (!more)
            return false;
        w->older = more;
        w->cap_older = w->n;
    }
    struct sm_rolling_sum sum = {0};
    for (size_t i = w->n; i-- > 0;) {
        struct sm_rolling_sum one = sum_of(point_at(w, i));
        sum = sum_both(&one, &sum);
        w->older[w->n - 1 - i] = sum;
    }
    w->n_older = w->n;
    w->newer = (struct sm_rolling_sum){0};
    return true;
}

static bool drop_oldest(struct sm_rolling_window *w)
{
    if (!w->n_older && !turn_over(w))
        return false;
    w->n_older--;
    w->first = (w->first + 1) % w->cap;
    w->n--;
    return true;
}

static bool add_to_window(struct sm_rolling_window *w, size_t size, double step, double value)
{
    struct sm_rolling_point p = {step, value};
    if (w->n == size && !drop_oldest(w))
        return false;
    if (w->n == w->cap && !grow_points(w))
        return false;
    *point_at(w, w->n++) = p;
    struct sm_rolling_sum one = sum_of(&p);
    w->newer = sum_both(&w->newer, &one);
    return true;
}

static struct sm_rolling_sum sum_of_window(const struct sm_rolling_window *w)
{
    return w->n_older ? sum_both(&w->older[w->n_older - 1], &w->newer) : w->newer;
}

/* ---- the functions ---- */

static void add_to_average(struct sm_rolling *x, double value)
{
    if (!isfinite(value))
        return;
    x->sum = x->sum * x->weight + (1 - x->weight) * value;
    x->counted++;
}

bool sm_rolling_add(struct sm_rolling *x, int64_t step, double value)
{
    double here;
    if (!x->n) {
        x->origin = step;
        x->first = value;
        x->constant = true;
    }
    here = (double)(step - x->origin);
    if (x->kind == SM_ROLLING_EMA)
        add_to_average(x, value);
    /* Z and DELTA: the points before this one */
    else if (x->kind == SM_ROLLING_SLOPE
                 ? !add_to_window(&x->window, x->size, here, value)
                 : x->n && !add_to_window(&x->window, x->size, here, x->value))
        return false;
    x->constant = x->constant && value == x->first;
    x->value = value;
    x->n++;
    return true;
}

/* Values that are not finite are kept and do not change the average; a constant series stays as it
 * is. */
static double average(const struct sm_rolling *x)
{
    if (x->n == 1 || x->constant || !isfinite(x->value))
        return x->value;
    return x->sum / (1 - pow(x->weight, x->counted));
}

bool sm_rolling_number(const struct sm_rolling *x, double *out)
{
    struct sm_rolling_sum s = sum_of_window(&x->window);
    switch (x->kind) {
    case SM_ROLLING_EMA:
        *out = x->n ? average(x) : (double)NAN;
        return x->n > 0;
    case SM_ROLLING_DELTA:
        if (x->n <= x->size)
            return false;
        *out = x->value - point_at(&x->window, 0)->y;
        return true;
    case SM_ROLLING_SLOPE:
        *out = s.n > 1 ? s.sxy / s.sxx : (double)NAN;
        return x->n > 1;
    case SM_ROLLING_Z:
        *out = (x->value - s.mean_y) / sqrt(s.syy / s.n);
        return x->n > 2;
    }
    return false;
}

void sm_rolling_clear(struct sm_rolling *x)
{
    sm_free(x->window.points);
    sm_free(x->window.older);
    *x = (struct sm_rolling){.kind = x->kind, .weight = x->weight, .size = x->size};
}
