/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/points/glance.h"

#include "reader/base/vec.h"
#include "reader/format/dtype.h"

#include <math.h>
#include <string.h>

struct sm_glance *sm_glance_new(void)
{
    struct sm_glance *g = sm_alloc_zero(1, sizeof *g);
    if (!g)
        return NULL;
    g->first_step = g->last_step = -1;
    g->names = sm_names_new();
    if (g->names)
        return g;
    sm_glance_free(g);
    return NULL;
}

void sm_glance_free(struct sm_glance *g)
{
    if (!g)
        return;
    sm_names_free(g->names);
    sm_free(g->series);
    sm_free(g);
}

/* Every other point goes when there is no room. */
static void keep_point(struct sm_glance_series *x, int64_t step, double value)
{
    if (x->n_points == SM_GLANCE_POINTS) {
        for (size_t i = 0; i < SM_GLANCE_POINTS / 2; i++)
            x->points[i] = x->points[2 * i];
        x->n_points = SM_GLANCE_POINTS / 2;
        x->stride *= 2;
    }
    if (x->n % x->stride == 0) {
        x->points[x->n_points].step = step;
        x->points[x->n_points++].value = value;
    }
}

static void add_point(struct sm_glance_series *x, int64_t step, double value)
{
    keep_point(x, step, value);
    if (!x->n++ || step >= x->last_step) {
        x->last_step = step;
        x->newest = value;
    }
    if (!isfinite(value)) {
        x->bad++;
        return;
    }
    if (isnan(x->min) || value < x->min) {
        x->min = value;
        x->min_step = step;
    }
    if (isnan(x->max) || value > x->max) {
        x->max = value;
        x->max_step = step;
    }
}

/* Its index; NONE: no memory. */
static uint32_t series_of(struct sm_glance *g, const char *name, size_t n)
{
    uint32_t before = sm_names_count(g->names), id = sm_names_add(g->names, name, n);
    if (id == SM_NAME_NONE ||
        !sm_vec_reserve((void **)&g->series, &g->cap_series, (size_t)id + 1, sizeof *g->series))
        return SM_NAME_NONE;
    if (id == before)
        g->series[id] =
            (struct sm_glance_series){.min = (double)NAN, .max = (double)NAN, .stride = 1};
    return id;
}

static void note_step(struct sm_glance *g, int64_t step, int64_t time_us)
{
    g->steps += step != g->last_step;
    g->times_us[(g->steps - 1) % SM_GLANCE_TIMES] = time_us;
    g->first_step = g->first_step < 0 || step < g->first_step ? step : g->first_step;
    g->last_step = step > g->last_step ? step : g->last_step;
}

/* known: by the batch's id of a name, the index of its series plus 1. */
static bool add_part(struct sm_glance *g, const struct sm_batch *b, const struct sm_batch_part *p,
                     uint32_t *known)
{
    /* that of a session of hyperparameters is most likely a step of the run */
    if (!b->session || p->step < g->first_step || p->step > g->last_step)
        note_step(g, p->step, p->time_us);
    for (size_t k = 0; k < p->n_scalars; k++) {
        const struct sm_batch_scalar *v = &b->scalars[p->first_scalar + k];
        uint32_t id = known[v->name] - 1;
        if (!known[v->name]) {
            id = series_of(g, sm_names_text(b->names, v->name), sm_names_length(b->names, v->name));
            if (id == SM_NAME_NONE)
                return false;
            known[v->name] = id + 1;
        }
        g->stale = g->stale || (p->removes == SM_REMOVES_LATER && g->series[id].n &&
                                p->step < g->series[id].last_step);
        add_point(&g->series[id], p->step, sm_dtype_load((enum sm_dtype)v->dtype, v->element));
    }
    return true;
}

/* Names are rarely added later: the room for more of them is given back. */
static void trim(struct sm_glance *g)
{
    size_t n = sm_names_count(g->names);
    void *series = n && n < g->cap_series ? sm_realloc(g->series, n, sizeof *g->series) : NULL;
    if (!series)
        return;
    g->series = series;
    g->cap_series = n;
}

bool sm_glance_add(struct sm_glance *g, const struct sm_batch *b)
{
    uint32_t *known = sm_alloc_zero(sm_names_count(b->names), sizeof *known);
    bool ok = known;
    for (size_t i = 0; ok && i < b->n_parts; i++) {
        const struct sm_batch_part *p = &b->parts[i];
        if (p->removes == SM_REMOVES_STEPS)
            g->stale = g->stale || g->last_step >= p->step;
        else
            ok = add_part(g, b, p, known);
    }
    trim(g);
    sm_free(known);
    return ok;
}

const struct sm_glance_series *sm_glance_find(const struct sm_glance *g, const char *name)
{
    uint32_t id = sm_names_find(g->names, name, strlen(name));
    return id == SM_NAME_NONE ? NULL : &g->series[id];
}
