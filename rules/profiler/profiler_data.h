/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules of this room share: series, points, box plots, the list of what has fired. */
#ifndef SM_PROFILER_DATA_H
#define SM_PROFILER_DATA_H

#include "reader/base/json.h"
#include "reader/profile/usage.h"
#include "rules/measures/measures.h"
#include "rules/profiler/profiler_rules.h"

/* Parameters. */
#define SM_PROFILER_PERCENT(NAME, INITIAL, HELP)                                                   \
    {                                                                                              \
        .name = NAME, .type = SM_RULE_NUMBER, .initial = INITIAL, .max = 100, .unit = "%",         \
        .help = HELP                                                                               \
    }
#define SM_PROFILER_COUNT(NAME, INITIAL, HELP)                                                     \
    {                                                                                              \
        .name = NAME, .type = SM_RULE_INT, .initial = INITIAL, .max = 1e9, .help = HELP            \
    }
#define SM_PROFILER_SCAN                                                                           \
    {                                                                                              \
        .name = "scan_interval_us", .type = SM_RULE_INT, .initial = "60000000", .min = 1e6,        \
        .max = 1e12, .unit = "us", .help = "length of the windows of time that are judged"         \
    }

bool sm_profiler_has_gpus(const struct sm_profile *p);
bool sm_profiler_has_steps(const struct sm_profile *p);
/* Datapoints of a rule that counts ticks of cores: those of the first node until ns. */
uint64_t sm_profiler_cpu_points(const struct sm_metric_store *m, int64_t ns);

/* A rule forgets all points as soon as a series has more than SM_PROFILER_POINTS of them. */
enum { SM_PROFILER_POINTS = 1000000 };
struct sm_profiler_reach {
    int64_t since_ns, to_ns; /* points of [since, to) count; since 0: from the first on */
};
/* The points [*first, *first + result) of the series. */
size_t sm_profiler_points(const struct sm_metric_store *m, const struct sm_metric_series *s,
                          const struct sm_profiler_reach *reach, size_t *first);
/* At the end of a window: forgets if a series of the dimension has too many points. */
void sm_profiler_forget(const struct sm_metric_store *m, const char *dimension,
                        struct sm_profiler_reach *reach);
/* The quantile of the last `window` points. */
double sm_profiler_quantile(const struct sm_metric_series *s, size_t end, size_t window, double q);

/* What has fired: a series, when it did last, and a number. */
struct sm_profiler_fired {
    uint32_t series;
    struct sm_profiler_reach reach;
    double value;
};
struct sm_profiler_firings {
    struct sm_profiler_fired *items;
    size_t n, cap;
};
void sm_profiler_fire(struct sm_profiler_firings *f, uint32_t series,
                      const struct sm_profiler_reach *reach, double value);
/* Whether a firing before item k was of the same node. */
bool sm_profiler_knows_node(const struct sm_profiler_firings *f, size_t k,
                            const struct sm_metric_store *m);
/* "last_timestamp": of the last one, us. */
void sm_profiler_last_json(const struct sm_profiler_firings *f, struct sm_json_writer *w);

/* Details, one object: node, GPU, and what `put` writes of it; "last_timestamp". f: may be NULL. */
void sm_profiler_firings_json(const struct sm_profiler_firings *f, const struct sm_metric_store *m,
                              void (*put)(const struct sm_metric_store *m,
                                          const struct sm_profiler_fired *f,
                                          struct sm_json_writer *w),
                              struct sm_json_writer *w);

/* A box plot of all points: whiskers end within 1.5 box heights, and at the extremes. */
struct sm_profiler_box {
    double p5, p25, p50, p75, p95, max, upper, lower;
};
struct sm_profiler_box sm_profiler_box(const struct sm_metric_store *m,
                                       const struct sm_metric_series *s,
                                       const struct sm_profiler_reach *reach);
/* p25 p50 p75 p95 upper lower, into an open map. */
void sm_profiler_box_json(const struct sm_profiler_box *b, struct sm_json_writer *w);

/* Members of a map. */
void sm_profiler_number(struct sm_json_writer *w, const char *key, double v); /* NaN: null */
void sm_profiler_count(struct sm_json_writer *w, const char *key, uint64_t v);
/* Rounded to two decimals of what the value is exactly, as Python's round(). */
double sm_profiler_two_decimals(double v);
/* "probs" and "binedges" of 100 bins of the values; values that are no part of it are dropped. */
void sm_profiler_bins_json(const double *v, size_t n, double below, struct sm_json_writer *w);

#endif
