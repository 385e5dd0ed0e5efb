/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/profiler/profiler_data.h"

#include "reader/base/grow.h"
#include "reader/base/str.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* ---- series ---- */

bool sm_profiler_has_gpus(const struct sm_profile *p)
{
    return sm_series_has_devices(p, SM_SERIES_GPU);
}

bool sm_profiler_has_steps(const struct sm_profile *p)
{
    return sm_profile_events(p)->n_steps > 0;
}

uint64_t sm_profiler_cpu_points(const struct sm_metric_store *m, int64_t ns)
{
    const struct sm_metric_series *s =
        m->n_series ? sm_series_mean(m, m->series[0].key.node, SM_SERIES_CPU) : NULL;
    return s ? sm_metric_at(m, s, ns) : 0;
}

/* ---- points ---- */

size_t sm_profiler_points(const struct sm_metric_store *m, const struct sm_metric_series *s,
                          const struct sm_profiler_reach *reach, size_t *first)
{
    *first = reach->since_ns ? sm_metric_at(m, s, reach->since_ns) : 0;
    return sm_metric_at(m, s, reach->to_ns) - *first;
}

void sm_profiler_forget(const struct sm_metric_store *m, const char *dimension,
                        struct sm_profiler_reach *reach)
{
    size_t first;
    for (size_t i = 0; i < m->n_series; i++)
        if (sm_series_is_device(m, &m->series[i], dimension) &&
            sm_profiler_points(m, &m->series[i], reach, &first) > SM_PROFILER_POINTS) {
            reach->since_ns = reach->to_ns;
            return;
        }
}

double sm_profiler_quantile(const struct sm_metric_series *s, size_t end, size_t window, double q)
{
    double v;
    size_t from = window < end ? end - window : 0;
    return sm_metric_quantiles(s, from, end, &q, 1, &v) ? v : (double)NAN;
}

/* ---- firings ---- */

void sm_profiler_fire(struct sm_profiler_firings *f, uint32_t series,
                      const struct sm_profiler_reach *reach, double value)
{
    size_t k = 0;
    while (k < f->n && f->items[k].series != series)
        k++;
    if (k == f->n) {
        SM_GROW(f->items, f->n, f->cap);
        f->n++;
    }
    f->items[k] = (struct sm_profiler_fired){series, *reach, value};
}

bool sm_profiler_knows_node(const struct sm_profiler_firings *f, size_t k,
                            const struct sm_metric_store *m)
{
    for (size_t i = 0; i < k; i++)
        if (m->series[f->items[i].series].key.node == m->series[f->items[k].series].key.node)
            return true;
    return false;
}

void sm_profiler_last_json(const struct sm_profiler_firings *f, struct sm_json_writer *w)
{
    int64_t last = 0;
    for (size_t i = 0; i < f->n; i++)
        last = f->items[i].reach.to_ns > last ? f->items[i].reach.to_ns : last;
    if (!f->n)
        return;
    sm_json_key(w, "last_timestamp");
    sm_json_i64(w, last / 1000);
}

void sm_profiler_firings_json(const struct sm_profiler_firings *f, const struct sm_metric_store *m,
                              void (*put)(const struct sm_metric_store *m,
                                          const struct sm_profiler_fired *f,
                                          struct sm_json_writer *w),
                              struct sm_json_writer *w)
{
    sm_json_start_map(w);
    for (size_t k = 0; f && k < f->n; k++) {
        uint32_t node = m->series[f->items[k].series].key.node;
        if (sm_profiler_knows_node(f, k, m))
            continue;
        sm_json_key(w, sm_metric_name(m, node));
        sm_json_start_map(w);
        for (size_t g = k; g < f->n; g++)
            if (m->series[f->items[g].series].key.node == node)
                put(m, &f->items[g], w);
        sm_json_end_map(w);
    }
    if (f)
        sm_profiler_last_json(f, w);
    sm_json_end_map(w);
}

/* ---- numbers ---- */

struct sm_profiler_box sm_profiler_box(const struct sm_metric_store *m,
                                       const struct sm_metric_series *s,
                                       const struct sm_profiler_reach *reach)
{
    struct sm_profiler_box b = {0};
    struct sm_metric_stats t;
    size_t first, n = sm_profiler_points(m, s, reach, &first);
    if (!n || !sm_metric_stats_of(s, first, first + n, &t))
        return b;
    b.p5 = t.q[SM_STATS_P5];
    b.p25 = t.q[SM_STATS_P25];
    b.p50 = t.q[SM_STATS_P50];
    b.p75 = t.q[SM_STATS_P75];
    b.p95 = t.q[SM_STATS_P95];
    b.max = t.max;
    b.upper = fmin(b.p75 + 1.5 * (b.p75 - b.p25), t.max);
    b.lower = fmax(b.p25 - 1.5 * (b.p75 - b.p25), t.min);
    return b;
}

void sm_profiler_number(struct sm_json_writer *w, const char *key, double v)
{
    sm_json_key(w, key);
    if (isfinite(v))
        sm_json_double(w, v, false);
    else
        sm_json_null(w);
}

void sm_profiler_count(struct sm_json_writer *w, const char *key, uint64_t v)
{
    sm_json_key(w, key);
    sm_json_u64(w, v);
}

void sm_profiler_box_json(const struct sm_profiler_box *b, struct sm_json_writer *w)
{
    sm_profiler_number(w, "p25", b->p25);
    sm_profiler_number(w, "p50", b->p50);
    sm_profiler_number(w, "p75", b->p75);
    sm_profiler_number(w, "p95", b->p95);
    sm_profiler_number(w, "upper", b->upper);
    sm_profiler_number(w, "lower", b->lower);
}

double sm_profiler_two_decimals(double v)
{
    char text[DBL_MAX_10_EXP + 8]; /* v * 100 would be rounded itself */
    snprintf(text, sizeof text, "%.2f", v);
    return isfinite(v) ? sm_parse_double(text, NULL) : v;
}

enum { BINS = 100 };

void sm_profiler_bins_json(const double *v, size_t n, double below, struct sm_json_writer *w)
{
    uint64_t bins[BINS] = {0};
    double min = (double)INFINITY, max = (double)-INFINITY;
    for (size_t i = 0; i < n; i++)
        if (v[i] < below) {
            min = v[i] < min ? v[i] : min;
            max = v[i] > max ? v[i] : max;
        }
    if (min == max) { /* as numpy's */
        min -= 0.5;
        max += 0.5;
    }
    for (size_t i = 0; i < n; i++)
        if (v[i] < below) {
            size_t k = (size_t)((v[i] - min) / (max - min) * BINS);
            bins[k < BINS ? k : BINS - 1]++;
        }
    sm_json_key(w, "probs");
    sm_json_start_array(w);
    for (size_t i = 0; i < BINS && min < max; i++)
        sm_json_u64(w, bins[i]);
    sm_json_end_array(w);
    sm_json_key(w, "binedges");
    sm_json_start_array(w);
    for (size_t i = 0; i <= BINS && min < max; i++)
        sm_json_double(w, min + (max - min) * (double)i / BINS, false);
    sm_json_end_array(w);
}
