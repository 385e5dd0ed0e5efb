/* SPDX-License-Identifier: Apache-2.0 */
/* Dataloader: far fewer or more processes that load data than cores. */
#include "rules/profiler/profiler_data.h"

#include "reader/base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN, MAX };
enum { PATIENCE = 10, PARALLEL_MAX = 1000 };

struct state {
    size_t cores;
    double parallel[PARALLEL_MAX + 1]; /* processes in a second */
    size_t n_parallel;
    double *seconds; /* loading times */
    size_t n, cap;
    uint64_t datapoints;
    bool violated, initialized;
    struct sm_loader_arguments arguments;
    struct sm_loop_classes classes;
    double median;
};
/* A process in a second. */
struct load {
    int64_t second;
    uint32_t pid;
};
struct loads {
    struct load *items;
    size_t n, cap;
};

static const struct sm_rule_param params[] = {{.name = "min_threshold",
                                               .type = SM_RULE_NUMBER,
                                               .initial = "70",
                                               .max = 1e4,
                                               .unit = "%",
                                               .help = "of the cores: fewer processes are too few"},
                                              {.name = "max_threshold",
                                               .type = SM_RULE_NUMBER,
                                               .initial = "200",
                                               .max = 1e4,
                                               .unit = "%",
                                               .help = "of the cores: more processes are too many"},
                                              SM_PROFILER_SCAN,
                                              {0}};

/* ---- reading a window ---- */

static void read_event(struct state *s, const struct sm_event_store *x,
                       const struct sm_profile_event *k, struct loads *l)
{
    enum sm_loop_event what = sm_loop_event_of(&s->classes, x->names, k);
    if (what == SM_LOOP_LOADER) {
        s->initialized = true;
        s->arguments = sm_loader_arguments_read(x->names, k->detail);
    } else if (what == SM_LOOP_LOAD || what == SM_LOOP_WAIT) {
        SM_GROW(s->seconds, s->n, s->cap);
        s->seconds[s->n++] = (double)k->duration_ns / 1e9;
        s->datapoints++;
        SM_GROW(l->items, l->n, l->cap);
        l->items[l->n++] = (struct load){k->start_ns / 1000000000, k->pid};
    }
}

static void read_window(const struct sm_rule_at *x, struct loads *l)
{
    const struct sm_event_store *e = sm_profile_events(x->profile);
    struct sm_event_walk walk = {.from_ns = x->from_ns, .to_ns = x->to_ns};
    for (const struct sm_profile_event *k; (k = sm_event_next(e, &walk));)
        if (k->start_ns >= x->from_ns)
            read_event(x->state, e, k, l);
}

static int by_second(const void *a, const void *b)
{
    const struct load *x = a, *y = b;
    if (x->second != y->second)
        return x->second < y->second ? -1 : 1;
    return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Adds how many processes there were in each second. */
static void add_seconds(struct state *s, struct loads *l)
{
    size_t pids = 0;
    if (l->n)
        qsort(l->items, l->n, sizeof *l->items, by_second);
    for (size_t i = 0; i < l->n; i++) {
        bool again = i && l->items[i].second == l->items[i - 1].second;
        pids = again ? pids + (l->items[i].pid != l->items[i - 1].pid) : 1;
        if (i + 1 < l->n && l->items[i + 1].second == l->items[i].second)
            continue;
        if (s->n_parallel > PARALLEL_MAX)
            s->n_parallel = 0;
        s->parallel[s->n_parallel++] = (double)pids;
    }
}

/* ---- judging ---- */

static double median_of(const struct state *s)
{
    static const double half = 0.5;
    double copy[PARALLEL_MAX + 1], m = 0;
    memcpy(copy, s->parallel, s->n_parallel * sizeof *copy);
    return sm_quantiles_of(copy, s->n_parallel, &half, 1, &m) ? floor(m) : 0;
}

static void judge_median(struct sm_rule_at *x)
{
    struct state *s = x->state;
    double cores = (double)s->cores, least = cores * x->p[MIN].number / 100,
           most = cores * x->p[MAX].number / 100;
    bool few = s->median<least, many = s->median> most;
    if (!few && !many)
        return;
    sm_rule_window_count(x, s->datapoints, (uint64_t)few + many, !s->violated);
    s->violated = true;
    sm_rule_note(x, NULL, s->median, few ? least : most, true,
                 "processes that load data: %g, on %zu cores; %s than %g (%g %% of the cores)%s",
                 s->median, s->cores, few ? "less" : "more", few ? least : most,
                 x->p[few ? MIN : MAX].number,
                 s->initialized && !s->arguments.pin_memory ? "; pin_memory is off" : "");
}

static void judge(struct sm_rule_at *x)
{
    struct state *s = x->state;
    struct loads l = {0};
    if (!s->cores)
        s->cores = sm_series_count_names(sm_profile_metrics(x->profile), SM_SERIES_CPU, x->from_ns,
                                         x->to_ns);
    read_window(x, &l);
    add_seconds(s, &l);
    sm_rule_window_count(x, s->datapoints, 0, 0);
    if (l.n) {
        s->median = median_of(s);
        if (s->n_parallel > PATIENCE && s->cores)
            judge_median(x);
    }
    if (s->n > SM_PROFILER_POINTS) /* as every series of a rule */
        s->n = s->n_parallel = 0;
    sm_free(l.items);
}

/* ---- details ---- */

static void put_times(const struct state *s, struct sm_json_writer *w)
{
    static const double q[] = {0.25, 0.5, 0.95};
    double v[3], *copy = sm_xalloc_zero(s->n + 1, sizeof *copy);
    if (s->n)
        memcpy(copy, s->seconds, s->n * sizeof *copy);
    sm_json_key(w, "dataloading_time");
    sm_json_start_map(w);
    if (s->n && sm_quantiles_of(copy, s->n, q, 3, v)) {
        sm_profiler_number(w, "p25", v[0]);
        sm_profiler_number(w, "p50", v[1]);
        sm_profiler_number(w, "p95", v[2]);
        sm_profiler_bins_json(s->seconds, s->n, (double)INFINITY, w);
    }
    sm_json_end_map(w);
    sm_free(copy);
}

static void details(const struct sm_rule_instance *i, const struct sm_profile *p,
                    struct sm_json_writer *w)
{
    const struct state *s = sm_rule_state(i);
    (void)p;
    sm_json_start_map(w);
    if (s) {
        sm_json_key(w, "pin_memory");
        if (s->initialized)
            sm_json_bool(w, s->arguments.pin_memory);
        else
            sm_json_null(w);
        sm_json_key(w, "num_workers");
        sm_json_i64(w, s->arguments.num_workers > 0 ? s->arguments.num_workers : 0);
        sm_json_key(w, "prefetch");
        sm_json_bool(w, false);
        sm_profiler_count(w, "cores", s->cores);
        sm_profiler_number(w, "dataloaders", s->median);
        put_times(s, w);
    }
    sm_json_end_map(w);
}

static void clear(void *state)
{
    struct state *s = state;
    sm_free(s->seconds);
    sm_loop_classes_clear(&s->classes);
}

static bool suits(const struct sm_profile *p)
{
    const struct sm_event_store *x = sm_profile_events(p);
    return sm_event_phase(x, "DataLoaderIter") || sm_event_phase(x, "DataLoaderWorker");
}

const struct sm_rule sm_rule_dataloader = {
    .name = "dataloader",
    .class_name = "Dataloader",
    .group = SM_RULE_PROFILER,
    .summary = "Far fewer or more processes load data than there are cores",
    .fires = "the median of the processes that load data in a second, of more than 10 seconds, is "
             "below min_threshold or above max_threshold percent of the cores. PyTorch only",
    .advice = "set num_workers to about the number of cores, and pin_memory if it is off",
    .saves = "data loader events (the profiler)",
    .automatic = "",
    .params = params,
    .state_size = sizeof(struct state),
    .on_windows = true,
    .judge = judge,
    .clear = clear,
    .suits_profile = suits,
    .details = details,
};
