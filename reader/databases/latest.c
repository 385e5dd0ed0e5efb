/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/databases/latest.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

static struct sm_latest_series *series_of(struct sm_latest *l, uint32_t series)
{
    if (!sm_vec_reserve((void **)&l->items, &l->cap, (size_t)series + 1, sizeof *l->items))
        return NULL;
    while (l->n <= series)
        l->items[l->n++] = (struct sm_latest_series){0};
    return &l->items[series];
}

/* A step that is not the greatest, or any if all times are kept. */
static enum sm_latest_answer add_kept(struct sm_latest_series *s, int64_t step, int64_t time)
{
    uint64_t had;
    if (sm_map_get(&s->times, (uint64_t)step, &had) && (int64_t)had > time)
        return SM_LATEST_LATER_CAME;
    return sm_map_put(&s->times, (uint64_t)step, (uint64_t)time) ? SM_LATEST_COUNTS
                                                                 : SM_LATEST_NO_MEMORY;
}

enum sm_latest_answer sm_latest_add(struct sm_latest *l, uint32_t series, int64_t step,
                                    int64_t time)
{
    struct sm_latest_series *s = series_of(l, series);
    if (!s)
        return SM_LATEST_NO_MEMORY;
    if (l->keeps_all)
        return add_kept(s, step, time);
    if (s->any && step < s->step)
        return SM_LATEST_ANEW;
    if (s->any && step == s->step && time < s->time)
        return SM_LATEST_LATER_CAME;
    *s = (struct sm_latest_series){.any = true, .step = step, .time = time};
    return SM_LATEST_COUNTS;
}

void sm_latest_clear(struct sm_latest *l)
{
    for (size_t i = 0; i < l->n; i++)
        sm_map_clear(&l->items[i].times);
    sm_free(l->items);
    *l = (struct sm_latest){0};
}

void sm_latest_keep_all(struct sm_latest *l)
{
    sm_latest_clear(l);
    l->keeps_all = true;
}

/* ---- values that were read ---- */

void sm_points_clear(struct sm_points *p)
{
    sm_names_free(p->names);
    sm_free(p->items);
    sm_free(p->series);
    *p = (struct sm_points){.per_second = p->per_second};
}

void sm_points_add(struct sm_points *p, const char *name, size_t n, const struct sm_point *point)
{
    if (!p->names)
        p->names = sm_names_new();
    uint32_t id = p->names ? sm_names_add(p->names, name, n) : SM_NAME_NONE;
    if (id == SM_NAME_NONE || !SM_VEC_ROOM(p->items, p->n, p->cap)) {
        p->no_memory = true;
        return;
    }
    p->items[p->n] = *point;
    p->items[p->n++].name = id;
}

/* The sink's number of a series, asked for once. */
static bool find_series(struct sm_points *p, uint32_t name, struct sm_log_sink *sink,
                        uint32_t *series)
{
    if (!sm_vec_reserve((void **)&p->series, &p->cap_series, (size_t)name + 1, sizeof *p->series))
        return false;
    while (p->n_series <= name)
        p->series[p->n_series++] = SM_NAME_NONE;
    if (p->series[name] == SM_NAME_NONE)
        p->series[name] =
            sm_log_series(sink, sm_names_text(p->names, name), sm_names_length(p->names, name));
    *series = p->series[name];
    return true;
}

static bool hand_on(struct sm_points *p, const struct sm_point *v, struct sm_latest *latest,
                    struct sm_log_sink *sink)
{
    double time = v->time == SM_NO_TIME ? NAN : (double)v->time / p->per_second;
    uint32_t series;
    if (v->system) {
        sm_log_system(sink, sm_names_text(p->names, v->name), sm_names_length(p->names, v->name),
                      time, v->value);
        return true;
    }
    switch (sm_latest_add(latest, v->name, v->step, v->time)) {
    case SM_LATEST_COUNTS:
        if (find_series(p, v->name, sink, &series))
            sm_log_point(sink, series, v->step, time, v->value);
        else
            p->no_memory = true;
        break;
    case SM_LATEST_LATER_CAME:
        break;
    case SM_LATEST_ANEW:
        return false;
    case SM_LATEST_NO_MEMORY:
        p->no_memory = true;
        break;
    }
    return true;
}

bool sm_points_hand_on(struct sm_points *p, struct sm_latest *latest, struct sm_log_sink *sink)
{
    size_t n = p->n;
    p->n = 0;
    for (size_t i = 0; i < n; i++)
        if (!hand_on(p, &p->items[i], latest, sink))
            return false;
    return true;
}
