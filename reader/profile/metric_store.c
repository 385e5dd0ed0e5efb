/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/metric_store.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static void clear_series(struct sm_metric_series *s)
{
    sm_free(s->values);
    sm_free(s->ticks);
    for (int i = 0; i < SM_METRIC_LEVELS; i++)
        sm_free(s->levels[i].items);
    sm_ranks_clear(&s->ranks);
}

void sm_metric_store_clear(struct sm_metric_store *m)
{
    for (size_t i = 0; i < m->n_series; i++)
        clear_series(&m->series[i]);
    sm_free(m->series);
    sm_free(m->ticks);
    sm_names_free(m->keys);
    *m = (struct sm_metric_store){.names = m->names};
}

size_t sm_metric_store_bytes(const struct sm_metric_store *m)
{
    size_t bytes = m->cap_series * sizeof *m->series + m->n_ticks * sizeof *m->ticks;
    for (size_t i = 0; i < m->n_series; i++) {
        const struct sm_metric_series *s = &m->series[i];
        bytes += s->n * (sizeof *s->values + sizeof *s->ticks);
        bytes += s->ranks.n * sizeof *s->ranks.order;
        for (int k = 0; k < SM_METRIC_LEVELS; k++)
            bytes += s->levels[k].n * sizeof *s->levels[k].items;
    }
    return bytes;
}

/* ---- ticks ---- */

static uint32_t tick_of(struct sm_metric_store *m, int64_t ns)
{
    uint32_t *slot = &m->recent[(uint64_t)ns * 0x9E3779B97F4A7C15u >> 58];
    if (*slot && m->ticks[*slot - 1] == ns)
        return *slot - 1;
    if (m->n_ticks >= UINT32_MAX - 1 || !SM_VEC_ROOM(m->ticks, m->n_ticks, m->cap_ticks))
        return SM_NAME_NONE;
    m->ticks[m->n_ticks] = ns;
    *slot = (uint32_t)++m->n_ticks;
    return *slot - 1;
}

/* ---- the pyramid ---- */

static struct sm_metric_span span_of_values(const double *v, size_t n)
{
    struct sm_metric_span s = {v[0], v[0], v[0]};
    for (size_t i = 1; i < n; i++) {
        s.min = v[i] < s.min ? v[i] : s.min;
        s.max = v[i] > s.max ? v[i] : s.max;
        s.sum += v[i];
    }
    return s;
}

static void add_span(struct sm_metric_span *to, const struct sm_metric_span *x)
{
    to->min = x->min < to->min ? x->min : to->min;
    to->max = x->max > to->max ? x->max : to->max;
    to->sum += x->sum;
}

static struct sm_metric_span span_of_spans(const struct sm_metric_span *x)
{
    struct sm_metric_span s = x[0];
    for (int i = 1; i < SM_METRIC_FAN; i++)
        add_span(&s, &x[i]);
    return s;
}

static double sample_of(const void *series, size_t i)
{
    return ((const struct sm_metric_series *)series)->values[i];
}

/* The last 16 samples are a block, and perhaps the last of a larger one. */
static bool fold(struct sm_metric_series *s)
{
    size_t n = s->n;
    for (int k = 0; k < SM_METRIC_LEVELS && n && n % SM_METRIC_FAN == 0; k++) {
        if (!SM_VEC_ROOM(s->levels[k].items, s->levels[k].n, s->levels[k].cap))
            return false;
        s->levels[k].items[s->levels[k].n] =
            k ? span_of_spans(s->levels[k - 1].items + n - SM_METRIC_FAN)
              : span_of_values(s->values + n - SM_METRIC_FAN, SM_METRIC_FAN);
        n = ++s->levels[k].n;
    }
    return s->n % SM_RANKS_BLOCK ||
           sm_ranks_add(&s->ranks, &(struct sm_ranked){s, sample_of}, s->n);
}

struct sm_metric_range sm_metric_range_of(const struct sm_metric_series *s, size_t from, size_t to)
{
    struct sm_metric_span all = {INFINITY, -INFINITY, 0};
    size_t n = to > from ? to - from : 0;
    while (from < to) {
        size_t block = 1, index = from;
        int level = -1;
        while (level + 1 < SM_METRIC_LEVELS && index % SM_METRIC_FAN == 0 &&
               block * SM_METRIC_FAN <= to - from &&
               index / SM_METRIC_FAN < s->levels[level + 1].n) {
            level++;
            block *= SM_METRIC_FAN;
            index /= SM_METRIC_FAN;
        }
        double v = s->values[from];
        struct sm_metric_span one = {v, v, v};
        add_span(&all, level < 0 ? &one : &s->levels[level].items[index]);
        from += block;
    }
    if (!n)
        return (struct sm_metric_range){0, (double)NAN, (double)NAN, (double)NAN};
    return (struct sm_metric_range){n, all.min, all.max, all.sum / (double)n};
}

/* ---- samples ---- */

size_t sm_metric_at(const struct sm_metric_store *m, const struct sm_metric_series *s, int64_t ns)
{
    size_t from = 0, to = s->n;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (sm_metric_time(m, s, mid) < ns)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

/* Blocks are folded when the sample after them comes: the last sample of a mean still changes. */
static bool append(struct sm_metric_store *m, struct sm_metric_series *s, uint32_t tick, double v)
{
    bool sorted = s->unsorted == s->n;
    if (!SM_VEC_ROOM(s->values, s->n, s->cap_values) ||
        !SM_VEC_ROOM(s->ticks, s->n, s->cap_ticks) || (sorted && !fold(s)))
        return false;
    if (s->n && m->ticks[tick] < m->ticks[s->ticks[s->n - 1]]) {
        size_t at = sorted ? sm_metric_at(m, s, m->ticks[tick]) : s->unsorted;
        while (!sorted && at && sm_metric_time(m, s, at - 1) > m->ticks[tick])
            at--;
        s->unsorted = at;
    } else {
        s->unsorted += sorted;
    }
    s->values[s->n] = v;
    s->ticks[s->n++] = tick;
    return true;
}

struct sample {
    int64_t ns;
    double value;
    uint32_t tick;
};

/* A stable merge sort: x is nearly sorted. */
static void sort_samples(struct sample *x, struct sample *room, size_t n)
{
    size_t half = n / 2, i = 0, k = half, out = 0;
    if (n < 2)
        return;
    sort_samples(x, room, half);
    sort_samples(x + half, room, n - half);
    if (x[half - 1].ns <= x[half].ns)
        return;
    memcpy(room, x, n * sizeof *x);
    while (out < n)
        x[out++] = k == n || (i < half && room[i].ns <= room[k].ns) ? room[i++] : room[k++];
}

/* Sorts what came late into what is there, and makes the pyramid again from there on. */
static bool sort_tail(struct sm_metric_store *m, struct sm_metric_series *s)
{
    size_t from = s->unsorted, n = s->n - from;
    struct sample *x = n < SIZE_MAX / 2 / sizeof *x ? sm_alloc(2 * n * sizeof *x) : NULL;
    if (!x)
        return false;
    for (size_t i = 0; i < n; i++)
        x[i] = (struct sample){sm_metric_time(m, s, from + i), s->values[from + i],
                               s->ticks[from + i]};
    sort_samples(x, x + n, n);
    for (size_t i = 0; i < n; i++) {
        s->values[from + i] = x[i].value;
        s->ticks[from + i] = x[i].tick;
    }
    sm_free(x);
    size_t all = s->n, block = from;
    for (int k = 0; k < SM_METRIC_LEVELS; k++) {
        block /= SM_METRIC_FAN;
        s->levels[k].n = block < s->levels[k].n ? block : s->levels[k].n;
    }
    sm_ranks_truncate(&s->ranks, from);
    bool ok = true;
    for (s->n = s->levels[0].n * SM_METRIC_FAN + SM_METRIC_FAN; s->n < all && ok;
         s->n += SM_METRIC_FAN)
        ok = fold(s);
    s->n = s->unsorted = all;
    s->at_tick = s->members ? s->members : 1; /* the last sample may be another now */
    return ok;
}

/* ---- series ---- */

static uint32_t add_series(struct sm_metric_store *m, const struct sm_metric_key *key)
{
    if (!m->keys)
        m->keys = sm_names_new();
    uint32_t id = m->keys ? sm_names_add(m->keys, (const char *)key, sizeof *key) : SM_NAME_NONE;
    if (id == SM_NAME_NONE || id < m->n_series)
        return id;
    if (!SM_VEC_ROOM(m->series, m->n_series, m->cap_series))
        return SM_NAME_NONE;
    m->series[m->n_series++] = (struct sm_metric_series){.key = *key, .total = SM_NAME_NONE};
    return id;
}

/* "gpu3" is one of several; "IOPS" is not. */
static bool is_numbered(const char *name, const char *type)
{
    /* cores and GPUs whatever the type is called */
    bool known = strncasecmp(name, "cpu", 3) == 0 || strncasecmp(name, "gpu", 3) == 0;
    size_t n = known ? 3 : strlen(type);
    return n && strncasecmp(name, known ? name : type, n) == 0 && name[n] &&
           strspn(name + n, "0123456789") == strlen(name + n);
}

static uint32_t series_with_total(struct sm_metric_store *m, struct sm_metric_key key)
{
    size_t before = m->n_series;
    uint32_t id = add_series(m, &key), total;
    if (id == SM_NAME_NONE || id < before ||
        !is_numbered(sm_names_text(m->names, key.name), sm_names_text(m->names, key.type)))
        return id;
    key.name = SM_NAME_NONE;
    total = add_series(m, &key);
    if (total == SM_NAME_NONE)
        return total;
    m->series[id].total = total;
    m->series[total].members++;
    return id;
}

static uint32_t take_name(struct sm_metric_store *m, const struct sm_metric_batch *b, uint32_t id)
{
    return sm_names_add(m->names, sm_names_text(b->names, id), sm_names_length(b->names, id));
}

static bool map_series(struct sm_metric_store *m, const struct sm_metric_batch *b,
                       struct sm_metric_merge *at)
{
    at->series = sm_alloc(b->n_keys * sizeof *at->series);
    for (size_t i = 0; at->series && i < b->n_keys; i++) {
        const struct sm_metric_key *from = &b->keys[i];
        struct sm_metric_key key = {.node = take_name(m, b, from->node),
                                    .type = take_name(m, b, from->type),
                                    .name = take_name(m, b, from->name),
                                    .dimension = take_name(m, b, from->dimension)};
        if (key.node == SM_NAME_NONE || key.type == SM_NAME_NONE || key.name == SM_NAME_NONE ||
            key.dimension == SM_NAME_NONE)
            return false;
        at->series[i] = series_with_total(m, key);
        if (at->series[i] == SM_NAME_NONE)
            return false;
    }
    return at->series;
}

/* ---- merging ---- */

static bool add_to_total(struct sm_metric_store *m, struct sm_metric_series *s, uint32_t tick,
                         double v)
{
    if (s->n && s->ticks[s->n - 1] == tick) {
        double *last = &s->values[s->n - 1];
        s->at_tick++;
        *last += (v - *last) / s->at_tick;
        return true;
    }
    s->at_tick = 1;
    return append(m, s, tick, v);
}

static bool merge_row(struct sm_metric_store *m, uint32_t series, const struct sm_metric_row *row)
{
    struct sm_metric_series *s = &m->series[series];
    uint32_t tick = tick_of(m, row->time_ns);
    if (tick == SM_NAME_NONE || !append(m, s, tick, row->value) ||
        (s->total != SM_NAME_NONE && !add_to_total(m, &m->series[s->total], tick, row->value)))
        return false;
    if (m->n_samples && row->time_ns < m->last_ns)
        sm_earliest_add(&m->added, m->version + 1, row->time_ns);
    m->first_ns = m->n_samples && m->first_ns < row->time_ns ? m->first_ns : row->time_ns;
    m->last_ns = m->n_samples && m->last_ns > row->time_ns ? m->last_ns : row->time_ns;
    m->n_samples++;
    return true;
}

static bool sort_late(struct sm_metric_store *m)
{
    for (size_t i = 0; i < m->n_series; i++)
        if (m->series[i].unsorted < m->series[i].n && !sort_tail(m, &m->series[i]))
            return false;
    return true;
}

void sm_metric_merge_clear(struct sm_metric_merge *at)
{
    sm_free(at->series);
    *at = (struct sm_metric_merge){0};
}

bool sm_metric_store_merge(struct sm_metric_store *m, const struct sm_metric_batch *b,
                           struct sm_metric_merge *at, size_t *work, bool *done)
{
    size_t n = b->n_rows - at->row < *work ? b->n_rows - at->row : *work;
    bool ok = !b->n_rows || at->series || map_series(m, b, at);
    for (size_t i = 0; ok && i < n; i++, at->row++)
        ok = merge_row(m, at->series[b->rows[at->row].series], &b->rows[at->row]);
    ok = sort_late(m) && ok;
    m->version += n > 0;
    *work -= n;
    *done = !ok || at->row == b->n_rows;
    if (*done)
        sm_metric_merge_clear(at);
    return ok;
}

/* ---- questions ---- */

const char *sm_metric_name(const struct sm_metric_store *m, uint32_t id)
{
    return id == SM_NAME_NONE ? "" : sm_names_text(m->names, id);
}

const struct sm_metric_series *sm_metric_find(const struct sm_metric_store *m, const char *node,
                                              const char *type, const char *name,
                                              const char *dimension)
{
    struct sm_metric_key key = {
        .node = sm_names_find(m->names, node, strlen(node)),
        .type = sm_names_find(m->names, type, strlen(type)),
        .name = name ? sm_names_find(m->names, name, strlen(name)) : SM_NAME_NONE,
        .dimension = sm_names_find(m->names, dimension, strlen(dimension)),
    };
    bool known = key.node != SM_NAME_NONE && key.type != SM_NAME_NONE &&
                 key.dimension != SM_NAME_NONE && (!name || key.name != SM_NAME_NONE) && m->keys;
    uint32_t id = known ? sm_names_find(m->keys, (const char *)&key, sizeof key) : SM_NAME_NONE;
    return id == SM_NAME_NONE ? NULL : &m->series[id];
}

const char *sm_metric_unit(const struct sm_metric_store *m, const struct sm_metric_series *s)
{
    static const struct {
        const char *word, *unit;
    } known[] = {{"utilization", "%"}, {"percent", "%"}, {"bytespersecond", "B/s"}, {"iops", "1/s"},
                 {"watts", "W"},       {"celsius", "C"}, {"megahertz", "MHz"},      {"bytes", "B"}};
    const char *texts[] = {sm_metric_name(m, s->key.dimension), sm_metric_name(m, s->key.name)};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (int i = 0; i < 2; i++)
            if (strcasestr(texts[i], known[k].word))
                return known[k].unit;
    return "";
}

bool sm_metric_quantiles(const struct sm_metric_series *s, size_t from, size_t to, const double *q,
                         size_t n_q, double *out)
{
    return sm_ranks_quantiles(&s->ranks, &(struct sm_ranked){s, sample_of}, from, to, q, n_q, out);
}
