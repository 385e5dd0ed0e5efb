/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a profiler's tree: lines of metrics, timelines, the configuration and names. */
#include "reader/base/mem.h"
#include "reader/profile/event_store.h"
#include "reader/profile/metric_store.h"
#include "reader/profile/profile_name.h"
#include "reader/profile/profiler_config.h"
#include "reader/profile/python_name.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Ranges of the pyramid are those of the samples. */
static void check_series(const struct sm_metric_store *m, const struct sm_metric_series *s)
{
    double min = s->n ? s->values[0] : 0;
    for (size_t i = 0; i < s->n; i++) {
        if (i && sm_metric_time(m, s, i) < sm_metric_time(m, s, i - 1))
            abort();
        min = s->values[i] < min ? s->values[i] : min;
    }
    if (s->n && sm_metric_range_of(s, 0, s->n).min != min)
        abort();
}

/* In pieces: what is used of one is not asked for again. */
static void fuzz_metrics(const char *p, size_t n, size_t piece)
{
    struct sm_metric_store store = {.names = sm_names_new()};
    struct sm_names *names = store.names;
    size_t from = 0, to = 0;
    while (to < n) {
        struct sm_metric_batch batch = {0};
        struct sm_metric_merge at = {0};
        bool done = false;
        to = n - to > piece ? to + piece : n;
        size_t used = sm_metric_lines_read(&batch, p + from, to - from, "node");
        if (used > to - from)
            abort();
        from += used;
        while (!done) {
            size_t work = 7;
            sm_metric_store_merge(&store, &batch, &at, &work, &done);
        }
        sm_metric_batch_clear(&batch);
    }
    for (size_t i = 0; i < store.n_series; i++)
        check_series(&store, &store.series[i]);
    sm_metric_store_clear(&store);
    sm_names_free(names);
}

static void fuzz_timeline(const char *p, size_t n, size_t piece, enum sm_pevents_kind kind)
{
    struct sm_event_store store = {.names = sm_names_new()};
    struct sm_names *names = store.names;
    struct sm_pevents *file = sm_pevents_new(kind, 0);
    size_t from = 0, to = 0;
    while (to < n) {
        struct sm_event_batch batch = {0};
        struct sm_event_merge at = {0};
        bool done = false;
        to = n - to > piece ? to + piece : n;
        size_t used = sm_pevents_read(file, &batch, p + from, to - from);
        if (used > to - from)
            abort();
        from += used;
        if (to == n || used % 3 == 0)
            sm_pevents_end(file, &batch, to < n);
        while (!done) {
            size_t work = 7;
            sm_event_store_merge(&store, &batch, 0, &at, &work, &done);
        }
        sm_event_batch_clear(&batch);
    }
    for (size_t i = 1; i < store.n_steps; i++)
        if (store.steps[i].start_ns < store.steps[i - 1].start_ns)
            abort();
    sm_pevents_free(file);
    sm_event_store_clear(&store);
    sm_names_free(names);
}

static void fuzz_config(const char *p, size_t n)
{
    struct sm_profiler_config c = {0};
    struct sm_err err;
    sm_profiler_config_read(p, n, &c, &err);
    sm_profiler_config_clear(&c);
}

static void fuzz_name(const char *p, size_t n)
{
    char *name = sm_strndup(p, n);
    struct sm_profile_name what;
    struct sm_python_name python;
    struct sm_str node = {0};
    struct sm_text of;
    int64_t start;
    for (int in_system = 0; in_system < 2; in_system++)
        if (sm_profile_name_read(name, in_system, &what))
            sm_profile_node_name(what.node, &node);
    if (sm_profile_metadata_read(name, &of, &start))
        sm_profile_node_name(of, &node);
    sm_python_name_read(name, &python);
    sm_str_clear(&node);
    sm_free(name);
}

/* The first byte says what the rest is, the second one how long pieces are. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const char *p = (const char *)data + 2;
    if (n < 2)
        return 0;
    if (data[0] == 'm')
        fuzz_metrics(p, n - 2, (size_t)data[1] + 1);
    else if (data[0] == 't')
        fuzz_timeline(p, n - 2, (size_t)data[1] + 1, SM_PEVENTS_PYTHON);
    else if (data[0] >= '0' && data[0] < '0' + SM_PEVENTS_KINDS)
        fuzz_timeline(p, n - 2, (size_t)data[1] + 1, (enum sm_pevents_kind)(data[0] - '0'));
    else if (data[0] == 'c')
        fuzz_config(p, n - 2);
    else
        fuzz_name(p, n - 2);
    return 0;
}
