/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/trainer_told.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <math.h>
#include <string.h>

enum { OF_HISTORY = 1, OF_EVENTS = 2, STEP_BITS = 44 };

static uint64_t place_of(uint32_t key, int64_t step)
{
    return (uint64_t)key << STEP_BITS | ((uint64_t)step & ((UINT64_C(1) << STEP_BITS) - 1));
}

bool sm_trainer_is_overtaken(const struct sm_trainer_told *t, const struct sm_trainer_events *e)
{
    for (size_t i = 0; i < e->n; i++)
        if (!e->items[i].told && e->items[i].first < t->most)
            return true;
    return false;
}

void sm_trainer_told_clear(struct sm_trainer_told *t)
{
    sm_map_clear(&t->times);
    sm_map_clear(&t->points);
    sm_free(t->logs);
    *t = (struct sm_trainer_told){0};
}

void sm_trainer_told_restart(struct sm_trainer_told *t, struct sm_trainer_events *e)
{
    sm_trainer_told_clear(t);
    e->settings_told = false;
    for (size_t i = 0; i < e->n; i++)
        e->items[i].told = e->items[i].timed = 0;
}

void sm_trainer_note_times(struct sm_trainer_told *t, struct sm_trainer_events *e)
{
    for (size_t i = 0; i < e->n; i++) {
        struct sm_trainer_session *s = &e->items[i];
        for (; s->timed < s->n; s->timed++) {
            const struct sm_trainer_point *x = &s->points[s->timed];
            uint64_t bits;
            memcpy(&bits, &x->time, sizeof bits);
            t->failed = !sm_map_put(&t->times, place_of(x->key, x->step), bits) || t->failed;
        }
    }
}

static double time_at(const struct sm_trainer_told *t, uint64_t place)
{
    double time = NAN;
    uint64_t bits;
    if (sm_map_get(&t->times, place, &bits))
        memcpy(&time, &bits, sizeof time);
    return time;
}

static void note_log(struct sm_trainer_told *t, uint32_t key, uint8_t log)
{
    size_t before = t->cap_logs;
    if (!sm_vec_reserve((void **)&t->logs, &t->cap_logs, (size_t)key + 1, 1)) {
        t->failed = true;
        return;
    }
    memset(t->logs + before, 0, t->cap_logs - before);
    t->news = t->news || !(t->logs[key] & log);
    t->logs[key] |= log;
}

/* Whether the point is not one that the other log has had. */
static bool is_new(struct sm_trainer_told *t, uint64_t place, uint8_t log)
{
    uint64_t had = 0;
    if (sm_map_get(&t->points, place, &had) && (had != OF_HISTORY || log != OF_HISTORY))
        return false;
    t->failed = !sm_map_put(&t->points, place, log) || t->failed;
    return true;
}

static void tell(struct sm_trainer_told *t, const struct sm_trainer_point *x, uint8_t log,
                 struct sm_json_row *row, struct sm_log_sink *sink)
{
    struct sm_json_key *k = &row->keys[x->key];
    note_log(t, x->key, log);
    if (!is_new(t, place_of(x->key, x->step), log))
        return;
    if (!k->listed)
        k->series = sm_log_series(sink, sm_names_text(row->names, x->key),
                                  sm_names_length(row->names, x->key));
    k->listed = true;
    sm_log_point(sink, k->series, x->step, x->time, x->value);
    t->most = x->step >= t->most ? x->step + 1 : t->most;
}

void sm_trainer_tell_history(struct sm_trainer_told *t, const struct sm_point_list *l,
                             struct sm_json_row *row, struct sm_log_sink *sink)
{
    for (size_t i = t->history.n; i < l->n; i++) {
        const struct sm_listed_point *x = &l->items[i];
        struct sm_trainer_point p = {x->step, time_at(t, place_of(x->key, x->step)), x->value,
                                     x->key};
        tell(t, &p, OF_HISTORY, row, sink);
    }
    sm_points_note(&t->history, l);
}

/* Where scalars come from, if there are two logs. */
static void tell_logs(struct sm_trainer_told *t, const struct sm_json_row *row,
                      struct sm_log_sink *sink)
{
    static const char *const words[] = {NULL, "trainer_state", "tensorboard",
                                        "trainer_state, tensorboard"};
    for (uint32_t k = 0; k < t->cap_logs && k < sm_names_count(row->names); k++)
        if (t->logs[k])
            sm_log_kinds(sink, sm_names_text(row->names, k), sm_names_length(row->names, k),
                         words[t->logs[k]]);
    t->news = false;
}

void sm_trainer_tell_events(struct sm_trainer_told *t, struct sm_trainer_events *e,
                            struct sm_json_row *row, struct sm_log_sink *sink)
{
    for (size_t i = 0; i < e->n; i++) {
        struct sm_trainer_session *s = &e->items[i];
        int64_t cut = sm_trainer_events_cut(e, i);
        for (; s->told < s->n; s->told++)
            if (s->points[s->told].step < cut)
                tell(t, &s->points[s->told], OF_EVENTS, row, sink);
    }
    sm_trainer_tell_settings(e, sink);
    if (e->n && t->news)
        tell_logs(t, row, sink);
}
