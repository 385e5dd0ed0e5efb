/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/speed/speed_machine.h"

#include "reader/base/vec.h"
#include "reader/profile/buckets.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { IDLE_PERCENT = 5 };

/* type: NULL if any, as it is not always the same; name NULL: of each core or GPU. */
static const struct {
    const char *type, *name, *dimension;
} rows[SM_MACHINE_MEANS] = {
    [SM_MACHINE_CPU] = {NULL, NULL, SM_SERIES_CPU},
    [SM_MACHINE_IO_WAIT] = {NULL, NULL, SM_SERIES_IO_WAIT},
    [SM_MACHINE_GPU] = {NULL, NULL, SM_SERIES_GPU},
    [SM_MACHINE_GPU_MEMORY] = {NULL, NULL, SM_SERIES_GPU_MEMORY},
    [SM_MACHINE_MEMORY] = {NULL, "MemoryUsedPercent", ""},
    [SM_MACHINE_SWAP] = {NULL, "SwapUsedPercent", ""},
    [SM_MACHINE_READ] = {NULL, "ReadThroughputInBytesPerSecond", ""},
    [SM_MACHINE_WRITE] = {NULL, "WriteThroughputInBytesPerSecond", ""},
    [SM_MACHINE_RECEIVED] = {NULL, "ReceiveBytesPerSecond", "Algorithm"},
    [SM_MACHINE_CPU_SOME] = {"pressure", "cpu", "SomePercent"},
    [SM_MACHINE_IO_SOME] = {"pressure", "io", "SomePercent"},
    [SM_MACHINE_IO_FULL] = {"pressure", "io", "FullPercent"},
    [SM_MACHINE_MEMORY_SOME] = {"pressure", "memory", "SomePercent"},
    [SM_MACHINE_MEMORY_FULL] = {"pressure", "memory", "FullPercent"},
    [SM_MACHINE_TREE_CPU] = {"process", "tree", "CPUPercent"},
    [SM_MACHINE_TREE_READ] = {"process", "tree", "ReadBytesPerSecond"},
    [SM_MACHINE_TREE_WRITE] = {"process", "tree", "WriteBytesPerSecond"},
    [SM_MACHINE_RESIDENT] = {"process", "tree", "ResidentBytes"},
    [SM_MACHINE_THROTTLED] = {"cgroup", "cgroup", "ThrottledPercent"},
    [SM_MACHINE_LIMIT] = {"cgroup", "cgroup", "MemoryUsedPercent"},
};

static bool is_of(const struct sm_metric_store *m, const struct sm_metric_series *s, int what)
{
    return sm_series_is(m, s, rows[what].type, rows[what].name, rows[what].dimension);
}

static struct sm_metric_range range_in(const struct sm_metric_store *m,
                                       const struct sm_metric_series *s, int64_t from_ns,
                                       int64_t to_ns)
{
    return sm_metric_range_of(s, sm_metric_at(m, s, from_ns), sm_metric_at(m, s, to_ns));
}

/* ---- cores, GPUs and the rest ---- */

static void count_device(struct sm_machine *x, int what, double mean)
{
    if (what == SM_MACHINE_CPU) {
        x->cores++;
        x->busiest_core = !(x->busiest_core > mean) ? mean : x->busiest_core;
    } else if (what == SM_MACHINE_GPU) {
        x->gpus++;
        x->idle_gpus += mean < IDLE_PERCENT;
        x->most_gpu = !(x->most_gpu > mean) ? mean : x->most_gpu;
        x->least_gpu = !(x->least_gpu < mean) ? mean : x->least_gpu;
    }
}

/* A series that is a mean, or of no mean, is that of the node. */
static void take_series(struct sm_machine *x, const struct sm_metric_store *m,
                        const struct sm_metric_series *s, int what)
{
    struct sm_metric_range r = range_in(m, s, x->from_ns, x->to_ns);
    if (r.n < SM_MACHINE_SAMPLES)
        return;
    if (s->key.name != SM_NAME_NONE)
        count_device(x, what, r.mean);
    if (s->total != SM_NAME_NONE)
        return;
    x->samples = r.n > x->samples ? r.n : x->samples;
    x->series[what] = s;
    x->mean[what] = r.mean;
    x->max[what] = r.max;
}

/* ---- events ---- */

static bool slows_down(const char *dimension)
{
    static const char *const reasons[] = {"HwSlowdown", "SwThermalSlowdown", "HwThermalSlowdown",
                                          "HwPowerBrakeSlowdown"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcasecmp(reasons[i], dimension) == 0)
            return true;
    return false;
}

/* The share of the range in which a series that is 1 and 0 by turns was 1. */
static double share_on(const struct sm_machine *x, const struct sm_metric_store *m,
                       const struct sm_metric_series *s)
{
    double on = 0, since = (double)x->from_ns;
    size_t i = sm_metric_at(m, s, x->from_ns), to = sm_metric_at(m, s, x->to_ns);
    bool is_on = i > 0 && s->values[i - 1] > 0;
    for (; i < to; i++) {
        double now = (double)sm_metric_time(m, s, i);
        on += is_on ? now - since : 0;
        is_on = s->values[i] > 0;
        since = now;
    }
    on += is_on ? (double)x->to_ns - since : 0;
    return x->to_ns > x->from_ns ? on / ((double)x->to_ns - (double)x->from_ns) : 0;
}

static void take_kills(struct sm_machine *x, const struct sm_metric_store *m,
                       const struct sm_metric_series *s, int64_t since_ns)
{
    size_t i = sm_metric_at(m, s, since_ns);
    if (i >= s->n)
        return;
    struct sm_metric_range r = sm_metric_range_of(s, i, s->n);
    int64_t ns = sm_metric_time(m, s, i);
    x->killed_ns = x->killed > 0 && x->killed_ns < ns ? x->killed_ns : ns;
    x->killed += r.mean * (double)r.n;
}

static void take_event(struct sm_machine *x, const struct sm_metric_store *m,
                       const struct sm_metric_series *s, int64_t since_ns)
{
    const char *dimension = sm_metric_name(m, s->key.dimension);
    if (s->key.name == SM_NAME_NONE)
        return;
    if (strcasecmp(dimension, "OomKills") == 0)
        take_kills(x, m, s, since_ns);
    else if (slows_down(dimension))
        x->slowed = fmax(x->slowed, share_on(x, m, s));
}

static void take_metric(struct sm_machine *x, const struct sm_metric_store *m,
                        const struct sm_metric_series *s, int64_t since_ns)
{
    if (strcasecmp(sm_metric_name(m, s->key.type), "event") == 0)
        take_event(x, m, s, since_ns);
    for (int k = 0; k < SM_MACHINE_MEANS; k++)
        if (is_of(m, s, k))
            take_series(x, m, s, k);
}

static void begin(struct sm_machine *x, uint32_t node, int64_t from_ns, int64_t to_ns)
{
    *x = (struct sm_machine){.node = node,
                             .from_ns = from_ns,
                             .to_ns = to_ns,
                             .busiest_core = (double)NAN,
                             .most_gpu = (double)NAN,
                             .least_gpu = (double)NAN};
    for (int k = 0; k < SM_MACHINE_MEANS; k++)
        x->mean[k] = x->max[k] = (double)NAN;
}

bool sm_machines_read(const struct sm_metric_store *m, int64_t since_ns, int64_t from_ns,
                      int64_t to_ns, struct sm_machine **out, size_t *n)
{
    struct sm_map of_node = {0};
    size_t cap = 0;
    bool ok = true;
    *out = NULL;
    *n = 0;
    for (size_t i = 0; ok && i < m->n_series; i++) {
        uint64_t at;
        uint32_t node = m->series[i].key.node;
        if (!sm_map_get(&of_node, node, &at)) {
            at = *n;
            ok = SM_VEC_ROOM(*out, *n, cap) && sm_map_put(&of_node, node, at);
            if (ok)
                begin(&(*out)[(*n)++], node, from_ns, to_ns);
        }
        if (ok && m->series[i].n)
            take_metric(&(*out)[at], m, &m->series[i], since_ns);
    }
    sm_map_clear(&of_node);
    return ok;
}

double sm_machine_cores(const struct sm_machine *m, enum sm_machine_mean what)
{
    return what == SM_MACHINE_TREE_CPU ? m->mean[what] / 100
                                       : m->mean[what] / 100 * (double)m->cores;
}

void sm_machine_course(const struct sm_machine *x, const struct sm_metric_store *m,
                       enum sm_machine_mean what, double *out, size_t *n, size_t most,
                       int64_t *width_ns)
{
    struct sm_buckets b = sm_buckets_of(m, x->from_ns, x->to_ns - 1, most);
    *n = x->series[what] ? b.n : 0;
    *width_ns = b.width_ns;
    if (*n)
        sm_buckets_means(&b, m, x->series[what], out);
}
