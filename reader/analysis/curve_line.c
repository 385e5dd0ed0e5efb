/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/curve_line.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdint.h>

enum { FIRST, LOW, HIGH, BAD, LAST };

static void put(struct sm_curve_column *c, int which, const struct sm_curve_point *p)
{
    c->at[which] = *p;
    c->order[which] = c->n;
}

static void begin_column(struct sm_curve_column *c, double place)
{
    *c = (struct sm_curve_column){.place = place};
    for (int i = 0; i < SM_CURVE_NEEDED; i++)
        c->order[i] = SIZE_MAX;
}

static void add_to_column(struct sm_curve_column *c, const struct sm_curve_point *p)
{
    if (!c->n)
        put(c, FIRST, p);
    put(c, LAST, p);
    if (isfinite(p->value)) {
        if (c->order[LOW] == SIZE_MAX || p->value < c->at[LOW].value)
            put(c, LOW, p);
        if (c->order[HIGH] == SIZE_MAX || p->value > c->at[HIGH].value)
            put(c, HIGH, p);
        c->value += p->value;
        c->finite++;
    } else if (c->order[BAD] == SIZE_MAX) {
        put(c, BAD, p);
    }
    c->step += (double)p->step.n;
    c->time += p->time;
    c->n++;
}

static struct sm_curve_point *next_point(struct sm_curve_line *l, size_t n)
{
    if (n == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 64;
        l->points = sm_xrealloc(l->points, l->cap, sizeof *l->points);
    }
    return &l->points[n];
}

/* Each needed point once, in their order. */
static size_t write_needed(struct sm_curve_line *l, size_t n)
{
    const struct sm_curve_column *c = &l->column;
    for (size_t from = 0;;) {
        int next = -1;
        for (int i = 0; i < SM_CURVE_NEEDED; i++)
            if (c->order[i] != SIZE_MAX && c->order[i] >= from &&
                (next < 0 || c->order[i] < c->order[next]))
                next = i;
        if (next < 0)
            return n;
        from = c->order[next] + 1;
        *next_point(l, n) = c->at[next];
        n++;
    }
}

static size_t write_mean(struct sm_curve_line *l, size_t n)
{
    const struct sm_curve_column *c = &l->column;
    double all = (double)c->n, none = (double)NAN;
    struct sm_curve_point p = c->at[FIRST];
    if (c->n > 1) {
        p.step.n = llround(c->step / all);
        p.time = c->time / all;
    }
    p.value = c->finite ? c->finite > 1 ? c->value / (double)c->finite : c->at[LOW].value
                        : c->at[BAD].value;
    p.low = c->finite ? c->at[LOW].value : none;
    p.high = c->finite ? c->at[HIGH].value : none;
    *next_point(l, n) = p;
    return n + 1;
}

size_t sm_curve_line_show(struct sm_curve_line *l)
{
    return !l->column.n ? l->n : l->means ? write_mean(l, l->n) : write_needed(l, l->n);
}

void sm_curve_line_add(struct sm_curve_line *l, double place, const struct sm_curve_point *p)
{
    if (!l->column.n || place != l->column.place) {
        l->n = sm_curve_line_show(l);
        begin_column(&l->column, place);
    }
    add_to_column(&l->column, p);
}

void sm_curve_line_clear(struct sm_curve_line *l)
{
    sm_free(l->points);
    *l = (struct sm_curve_line){0};
}
