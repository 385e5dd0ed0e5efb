/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/usage.h"

#include "reader/base/mem.h"
#include "reader/base/str.h"
#include "reader/base/vec.h"
#include "reader/tensor/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* metric: a part of its name; NULL: the mean of several. type: NULL is any but those that others
 * have. */
static const struct {
    const char *name, *unit, *dimension, *metric, *type;
} rows[SM_USAGES] = {
    [SM_USAGE_CPU] = {"CPU", "%", "CPUUtilization", NULL, NULL},
    [SM_USAGE_IO_WAIT] = {"I/O wait", "%", "I/OWaitPercentage", NULL, NULL},
    [SM_USAGE_GPU] = {"GPU", "%", "GPUUtilization", NULL, NULL},
    [SM_USAGE_GPU_MEMORY] = {"GPU memory", "%", "GPUMemoryUtilization", NULL, NULL},
    [SM_USAGE_MEMORY] = {"CPU memory", "%", "", "MemoryUsedPercent", NULL},
    [SM_USAGE_NETWORK] = {"Network", "B/s", "Algorithm", "BytesPerSecond", NULL},
    [SM_USAGE_DISKS] = {"Disks", "B/s", "", "ThroughputInBytesPerSecond", NULL},
    [SM_USAGE_PROGRAM] = {"Program", "%", "CPUPercent", NULL, "process"},
    [SM_USAGE_RESIDENT] = {"Program mem", "B", "ResidentBytes", NULL, "process"},
    [SM_USAGE_CPU_WAIT] = {"CPU waits", "%", "SomePercent", "cpu", "pressure"},
    [SM_USAGE_DISK_WAIT] = {"Disk waits", "%", "SomePercent", "io", "pressure"},
    [SM_USAGE_MEMORY_WAIT] = {"Memory waits", "%", "SomePercent", "memory", "pressure"},
    [SM_USAGE_CPU_LIMIT] = {"CPU limit", "%", "ThrottledPercent", NULL, "cgroup"},
    [SM_USAGE_MEMORY_LIMIT] = {"Memory limit", "%", "MemoryUsedPercent", NULL, "cgroup"},
};

const char *sm_usage_name(enum sm_usage u)
{
    return rows[u].name;
}

const char *sm_usage_unit(enum sm_usage u)
{
    return rows[u].unit;
}

bool sm_usage_is_bytes(enum sm_usage u)
{
    return *rows[u].unit == 'B';
}

bool sm_usage_is_share(enum sm_usage u)
{
    return strcmp(rows[u].unit, "%") == 0 && u != SM_USAGE_PROGRAM;
}

/* Of our sampler, which says what the dimension is of. */
static bool is_own_type(const char *type)
{
    static const char *const own[] = {"process", "pressure", "cgroup"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcasecmp(type, own[i]) == 0)
            return true;
    return false;
}

enum sm_usage sm_usage_of(const struct sm_metric_store *m, const struct sm_metric_series *s)
{
    const char *dimension = sm_metric_name(m, s->key.dimension),
               *name = sm_metric_name(m, s->key.name), *type = sm_metric_name(m, s->key.type);
    bool own = is_own_type(type);
    for (int u = 0; u < SM_USAGES; u++)
        if ((rows[u].type ? strcasecmp(rows[u].type, type) == 0 : !own) &&
            strcasecmp(rows[u].dimension, dimension) == 0 &&
            (!rows[u].metric || strcasestr(name, rows[u].metric)))
            return (enum sm_usage)u;
    return SM_USAGES;
}

/* ---- values over time ---- */

void sm_usage_clear(struct sm_usage_values *v)
{
    sm_free(v->ns);
    sm_free(v->values);
    *v = (struct sm_usage_values){0};
}

static bool add_value(struct sm_usage_values *v, int64_t ns, double value)
{
    if (!SM_VEC_ROOM(v->ns, v->n, v->cap_ns) || !SM_VEC_ROOM(v->values, v->n, v->cap_values))
        return false;
    v->ns[v->n] = ns;
    v->values[v->n++] = value;
    return true;
}

/* Adds a series to what there is: values of one time become their sum. */
static bool add_series(const struct sm_metric_store *m, const struct sm_metric_series *s,
                       int64_t from_ns, int64_t to_ns, struct sm_usage_values *v)
{
    struct sm_usage_values sum = {0};
    size_t i = sm_metric_at(m, s, from_ns), to = sm_metric_at(m, s, to_ns), k = 0;
    bool ok = true;
    while (ok && (i < to || k < v->n)) {
        int64_t a = i < to ? sm_metric_time(m, s, i) : INT64_MAX,
                b = k < v->n ? v->ns[k] : INT64_MAX;
        double value = 0;
        if (a <= b)
            value += s->values[i++];
        if (b <= a)
            value += v->values[k++];
        ok = add_value(&sum, a < b ? a : b, value);
    }
    sm_usage_clear(v);
    *v = sum;
    return ok;
}

bool sm_usage_counts(const struct sm_metric_store *m, const struct sm_metric_series *s,
                     enum sm_usage u)
{
    bool alone = s->total == SM_NAME_NONE; /* a mean, or of no mean */
    return alone && s->n && sm_usage_of(m, s) == u;
}

static bool counts(const struct sm_metric_store *m, const struct sm_metric_series *s, uint32_t node,
                   enum sm_usage u)
{
    return s->key.node == node && sm_usage_counts(m, s, u);
}

bool sm_usage_read(const struct sm_metric_store *m, uint32_t node, enum sm_usage u, int64_t from_ns,
                   int64_t to_ns, struct sm_usage_values *out)
{
    *out = (struct sm_usage_values){0};
    for (size_t i = 0; i < m->n_series; i++)
        if (counts(m, &m->series[i], node, u) &&
            !add_series(m, &m->series[i], from_ns, to_ns, out)) {
            sm_usage_clear(out);
            return false;
        }
    return true;
}

const struct sm_metric_series *sm_usage_only(const struct sm_metric_store *m, uint32_t node,
                                             enum sm_usage u)
{
    const struct sm_metric_series *only = NULL;
    for (size_t i = 0; i < m->n_series; i++) {
        if (!counts(m, &m->series[i], node, u))
            continue;
        if (only)
            return NULL;
        only = &m->series[i];
    }
    return only;
}

size_t sm_usage_members(const struct sm_metric_store *m, uint32_t node, enum sm_usage u)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_series; i++)
        if (counts(m, &m->series[i], node, u))
            n += m->series[i].members ? m->series[i].members : 1;
    return n;
}

static int by_name(const void *a, const void *b, void *names)
{
    return sm_natural_cmp(sm_names_text(names, *(const uint32_t *)a),
                          sm_names_text(names, *(const uint32_t *)b));
}

size_t sm_usage_nodes(const struct sm_metric_store *m, uint32_t *out, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_series && n < most; i++) {
        bool known = n && out[n - 1] == m->series[i].key.node; /* mostly */
        for (size_t k = 0; k < n && !known; k++)
            known = out[k] == m->series[i].key.node;
        if (!known)
            out[n++] = m->series[i].key.node;
    }
    if (n)
        qsort_r(out, n, sizeof *out, by_name, m->names);
    return n;
}

/* ---- statistics ---- */

static const double points[SM_STATS_QS] = {0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99};

bool sm_metric_stats_of(const struct sm_metric_series *s, size_t from, size_t to,
                        struct sm_metric_stats *out)
{
    struct sm_metric_range r = sm_metric_range_of(s, from, to);
    *out = (struct sm_metric_stats){.count = r.n, .min = r.min, .mean = r.mean, .max = r.max};
    return sm_metric_quantiles(s, from, to, points, SM_STATS_QS, out->q);
}

bool sm_metric_stats_of_values(double *x, size_t n, struct sm_metric_stats *out)
{
    double sum = 0;
    *out = (struct sm_metric_stats){
        .count = n, .min = (double)NAN, .mean = (double)NAN, .max = (double)NAN};
    for (size_t i = 0; i < n; i++) {
        out->min = i && out->min < x[i] ? out->min : x[i];
        out->max = i && out->max > x[i] ? out->max : x[i];
        sum += x[i];
    }
    if (n)
        out->mean = sum / (double)n;
    return sm_quantiles_of(x, n, points, SM_STATS_QS, out->q);
}

bool sm_usage_stats(const struct sm_metric_store *m, uint32_t node, enum sm_usage u,
                    struct sm_metric_stats *out)
{
    const struct sm_metric_series *only = sm_usage_only(m, node, u);
    struct sm_usage_values v;
    if (only)
        return sm_metric_stats_of(only, 0, only->n, out);
    bool ok = sm_usage_read(m, node, u, INT64_MIN, INT64_MAX, &v) &&
              sm_metric_stats_of_values(v.values, v.n, out);
    sm_usage_clear(&v);
    return ok;
}
