/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/buckets.h"

#include "reader/base/str.h"

#include <math.h>
#include <stdlib.h>

enum { PAUSES = 1000 };

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t sm_metric_interval(const struct sm_metric_store *m)
{
    const struct sm_metric_series *s = NULL;
    int64_t pauses[PAUSES];
    size_t n = 0;
    for (size_t i = 0; i < m->n_series; i++)
        if (!s || m->series[i].n > s->n)
            s = &m->series[i];
    for (size_t i = s ? s->n : 0; i-- > 1 && n < PAUSES;)
        pauses[n++] = sm_metric_time(m, s, i) - sm_metric_time(m, s, i - 1);
    if (n)
        qsort(pauses, n, sizeof *pauses, by_size);
    return n ? pauses[n / 2] : 0;
}

struct sm_buckets sm_buckets_of(const struct sm_metric_store *m, int64_t from_ns, int64_t to_ns,
                                size_t most)
{
    uint64_t span = to_ns > from_ns ? (uint64_t)to_ns - (uint64_t)from_ns : 0;
    uint64_t width = span / (most ? most : 1) + 1, n = span / width + 1;
    int64_t pause = sm_metric_interval(m);
    struct sm_buckets b = {.from_ns = from_ns, .width_ns = (int64_t)width, .n = (size_t)n};
    b.hold_ns = pause < INT64_MAX / 5 ? pause * 5 / 2 : INT64_MAX;
    return b;
}

static int64_t end_of(const struct sm_buckets *b, size_t i)
{
    int64_t end;
    if (__builtin_mul_overflow(b->width_ns, (int64_t)i, &end) ||
        __builtin_add_overflow(end, b->from_ns, &end))
        return INT64_MAX;
    return end;
}

/* Whether a value of an earlier time still holds when bucket i begins. */
static bool holds(const struct sm_buckets *b, size_t i, int64_t ns)
{
    int64_t age;
    return !__builtin_sub_overflow(end_of(b, i), ns, &age) && age <= b->hold_ns;
}

/* *from: the first sample of bucket i; moved to that of the next. */
static double mean_in(const struct sm_buckets *b, size_t i, const struct sm_metric_store *m,
                      const struct sm_metric_series *s, size_t *from)
{
    size_t to = sm_metric_at(m, s, end_of(b, i + 1)), first = *from;
    *from = to;
    if (first == to && to && holds(b, i, sm_metric_time(m, s, to - 1)))
        return s->values[to - 1];
    return sm_metric_range_of(s, first, to).mean;
}

void sm_buckets_means(const struct sm_buckets *b, const struct sm_metric_store *m,
                      const struct sm_metric_series *s, double *out)
{
    for (size_t i = 0, from = sm_metric_at(m, s, b->from_ns); i < b->n; i++)
        out[i] = mean_in(b, i, m, s, &from);
}

void sm_buckets_usage(const struct sm_buckets *b, const struct sm_metric_store *m, uint32_t node,
                      enum sm_usage u, double *out)
{
    for (size_t i = 0; i < b->n; i++)
        out[i] = (double)NAN;
    for (size_t k = 0; k < m->n_series; k++) {
        const struct sm_metric_series *s = &m->series[k];
        if (s->key.node != node || !sm_usage_counts(m, s, u))
            continue;
        for (size_t i = 0, from = sm_metric_at(m, s, b->from_ns); i < b->n; i++) {
            double v = mean_in(b, i, m, s, &from);
            out[i] = isnan(out[i]) ? v : isnan(v) ? out[i] : out[i] + v;
        }
    }
}

static int by_name(const void *a, const void *b, void *store)
{
    const struct sm_metric_store *m = store;
    const struct sm_metric_series *x = *(const struct sm_metric_series *const *)a,
                                  *y = *(const struct sm_metric_series *const *)b;
    return sm_natural_cmp(sm_metric_name(m, x->key.name), sm_metric_name(m, y->key.name));
}

size_t sm_usage_series(const struct sm_metric_store *m, uint32_t node, enum sm_usage u,
                       const struct sm_metric_series **out, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_series && n < most; i++) {
        const struct sm_metric_series *s = &m->series[i];
        if (s->key.node == node && s->key.name != SM_NAME_NONE && sm_usage_of(m, s) == u)
            out[n++] = s;
    }
    if (n)
        qsort_r(out, n, sizeof(*out), by_name, (void *)(uintptr_t)m);
    return n;
}
