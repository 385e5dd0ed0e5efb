/* SPDX-License-Identifier: Apache-2.0 */
/* StepOutlier: some steps take far longer than usual. */
#include "rules/profiler/breakdown.h"

#include "reader/base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STDDEV, MODE, OUTLIERS };
/* Durations in bins of 1/8 of a power of two, so that those above a limit are counted without
 * looking at all. */
enum { FEWEST = 100, FINE = 8, BINS = 64 * FINE };

struct bin {
    double *seconds;
    size_t n, cap;
};
/* The steps of a node in a mode. */
struct group {
    uint16_t node;
    uint8_t mode;
    bool fired;
    size_t n, outliers;
    double mean, square; /* square: sum of squared distances to the mean */
    double limit;
    struct bin bins[BINS];
};
struct state {
    struct group **groups;
    size_t n_groups, cap;
    uint64_t steps;
    struct sm_profiler_reach reach; /* of the durations */
};

static const struct sm_rule_param params[] = {
    {.name = "stddev",
     .type = SM_RULE_NUMBER,
     .initial = "3",
     .max = 1e6,
     .help = "standard deviations above the mean from which a step is an outlier"},
    {.name = "mode", .type = SM_RULE_TEXT, .help = "only steps of this mode: TRAIN, EVAL, GLOBAL"},
    SM_PROFILER_COUNT("n_outliers", "10", "outliers from which it fires"),
    SM_PROFILER_SCAN,
    {0}};

/* ---- durations ---- */

static size_t bin_of(double seconds)
{
    int power;
    double part = frexp(seconds, &power); /* 0.5 to 1 */
    int at = seconds > 0 ? (power + 32) * FINE + (int)((part - 0.5) * 2 * FINE) : 0;
    return at < 0 ? 0 : at < BINS ? (size_t)at : BINS - 1;
}

static void add_duration(struct group *g, double seconds)
{
    struct bin *b = &g->bins[bin_of(seconds)];
    double before = seconds - g->mean;
    SM_GROW(b->seconds, b->n, b->cap);
    b->seconds[b->n++] = seconds;
    g->mean += before / (double)++g->n;
    g->square += before * (seconds - g->mean);
}

static double std_of(const struct group *g)
{
    return g->n ? sqrt(g->square / (double)g->n) : 0;
}

static size_t count_above(const struct group *g, double limit)
{
    size_t n = 0, at = bin_of(limit);
    for (size_t i = at + 1; i < BINS; i++)
        n += g->bins[i].n;
    for (size_t i = 0; i < g->bins[at].n; i++)
        n += g->bins[at].seconds[i] > limit;
    return n;
}

static struct group *group_of(struct state *s, const struct sm_profile_step *step)
{
    for (size_t i = 0; i < s->n_groups; i++)
        if (s->groups[i]->node == step->node && s->groups[i]->mode == step->mode)
            return s->groups[i];
    SM_GROW(s->groups, s->n_groups, s->cap);
    struct group *g = sm_xalloc_zero(1, sizeof *g);
    g->node = step->node;
    g->mode = step->mode;
    return s->groups[s->n_groups++] = g;
}

/* "TRAIN" or the whole phase; no mode given: all. */
static bool is_judged(const struct sm_rule_value *p, enum sm_mode mode)
{
    const char *name = p[MODE].set ? p[MODE].text : "", *dot = strrchr(name, '.');
    name = dot ? dot + 1 : name;
    return !*name || sm_same_letters(name, "None") ||
           sm_same_letters(name, sm_mode_name((int)mode));
}

/* ---- judging ---- */

static void add_steps(struct sm_rule_at *x)
{
    const struct sm_event_store *e = sm_profile_events(x->profile);
    struct state *s = x->state;
    for (size_t i = sm_event_step_at(e, x->from_ns); i < e->n_steps; i++) {
        const struct sm_profile_step *k = &e->steps[i];
        if (k->start_ns >= x->to_ns)
            break;
        if (!is_judged(x->p, k->mode))
            continue;
        add_duration(group_of(s, k), (double)(k->end_ns - k->start_ns) / 1e9);
        s->steps++;
    }
}

static void judge_group(struct sm_rule_at *x, struct group *g)
{
    const struct state *s = x->state;
    if (g->n <= FEWEST)
        return;
    g->limit = g->mean + x->p[STDDEV].number * std_of(g);
    g->outliers = count_above(g, g->limit);
    if (!((double)g->outliers > x->p[OUTLIERS].number))
        return;
    g->fired = true;
    sm_rule_window_count(x, s->steps, g->outliers, 1);
    x->node = sm_profile_node(x->profile, g->node);
    sm_rule_note(x, NULL, (double)g->outliers, x->p[OUTLIERS].number, true,
                 "%zu of %zu %s steps take longer than %.4g s, the mean %.4g s and %g standard "
                 "deviations; more than %g",
                 g->outliers, g->n, sm_mode_name(g->mode), g->limit, g->mean, x->p[STDDEV].number,
                 x->p[OUTLIERS].number);
}

/* The limits stay, as what the rule found does. */
static void forget(struct state *s)
{
    s->reach.since_ns = s->reach.to_ns;
    for (size_t i = 0; i < s->n_groups; i++) {
        struct group *g = s->groups[i];
        g->n = 0;
        g->mean = g->square = 0;
        for (size_t k = 0; k < BINS; k++)
            g->bins[k].n = 0;
    }
}

static void judge(struct sm_rule_at *x)
{
    struct state *s = x->state;
    add_steps(x);
    s->reach.to_ns = x->to_ns;
    sm_rule_window_count(x, s->steps, 0, 0);
    for (size_t i = 0; i < s->n_groups; i++)
        judge_group(x, s->groups[i]);
    for (size_t i = 0; i < s->n_groups; i++)
        if (s->groups[i]->n > SM_PROFILER_POINTS) {
            forget(s);
            return;
        }
}

/* ---- details ---- */

static double *durations(const struct group *g)
{
    double *all = sm_xalloc_zero(g->n + 1, sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < BINS; i++)
        for (size_t k = 0; k < g->bins[i].n; k++)
            all[n++] = g->bins[i].seconds[k];
    return all;
}

static void put_stats(const struct group *g, double *all, struct sm_json_writer *w)
{
    struct sm_metric_stats t;
    sm_json_key(w, "step_stats");
    sm_json_start_map(w);
    if (sm_metric_stats_of_values(all, g->n, &t)) {
        sm_profiler_number(w, "mean", t.mean);
        sm_profiler_number(w, "max", t.max);
        sm_profiler_number(w, "p99", t.q[SM_STATS_P99]);
        sm_profiler_number(w, "p95", t.q[SM_STATS_P95]);
        sm_profiler_number(w, "p50", t.q[SM_STATS_P50]);
        sm_profiler_number(w, "min", t.min);
    }
    sm_json_end_map(w);
}

static bool is_outlier(const struct state *s, const struct group *g,
                       const struct sm_profile_step *k)
{
    return k->node == g->node && k->mode == g->mode && k->start_ns < s->reach.to_ns &&
           k->start_ns >= s->reach.since_ns && g->n > FEWEST &&
           (double)(k->end_ns - k->start_ns) / 1e9 > g->limit;
}

static void put_numbers(const struct state *s, const struct group *g,
                        const struct sm_event_store *e, struct sm_json_writer *w)
{
    sm_json_key(w, "step_numbers");
    sm_json_start_array(w);
    for (size_t i = 0; i < e->n_steps; i++)
        if (is_outlier(s, g, &e->steps[i]))
            sm_json_i64(w, e->steps[i].step);
    sm_json_end_array(w);
}

static void put_group(const struct state *s, const struct group *g, const struct sm_profile *p,
                      struct sm_json_writer *w)
{
    struct sm_str key = {0}, phase = {0};
    double *all = durations(g);
    sm_str_add(&key, sm_profile_node(p, g->node));
    for (size_t i = 0; i < s->n_groups; i++) /* a node with two modes has two entries */
        if (s->groups[i] != g && s->groups[i]->node == g->node) {
            sm_str_printf(&key, " %s", sm_mode_name(g->mode));
            break;
        }
    sm_str_printf(&phase, "Step:ModeKeys.%s", sm_mode_name(g->mode));
    sm_json_key(w, sm_str_text(&key));
    sm_json_start_map(w);
    put_stats(g, all, w);
    sm_profiler_count(w, "number_of_outliers", g->outliers);
    sm_json_key(w, "phase");
    sm_json_text(w, phase.data, phase.len);
    sm_profiler_number(w, "stddev", sm_profiler_two_decimals(std_of(g)));
    sm_profiler_bins_json(all, g->n, g->n > FEWEST ? g->limit : (double)INFINITY, w);
    put_numbers(s, g, sm_profile_events(p), w);
    sm_json_end_map(w);
    sm_str_clear(&key);
    sm_str_clear(&phase);
    sm_free(all);
}

/* Starts and ends of all outliers of groups that fired, in order; joined where they overlap. */
static size_t outlier_times(const struct state *s, const struct sm_event_store *e,
                            struct sm_step_span *out)
{
    size_t n = 0;
    for (size_t i = 0; i < e->n_steps; i++)
        for (size_t g = 0; g < s->n_groups; g++) {
            const struct sm_profile_step *k = &e->steps[i];
            if (!s->groups[g]->fired || !is_outlier(s, s->groups[g], k))
                continue;
            if (n && k->start_ns <= out[n - 1].to_ns)
                out[n - 1].to_ns = k->end_ns > out[n - 1].to_ns ? k->end_ns : out[n - 1].to_ns;
            else
                out[n++] = (struct sm_step_span){k->start_ns, k->end_ns};
        }
    return n;
}

/* The event ends at the start of one of the spans or later, and starts at its end or earlier. */
static bool overlaps(const struct sm_step_span *spans, size_t n, const struct sm_profile_event *e)
{
    size_t from = 0;
    while (from < n) { /* the first span that ends at the event's start or later */
        size_t mid = (from + n) / 2;
        if (spans[mid].to_ns >= e->start_ns)
            n = mid;
        else
            from = mid + 1;
    }
    return spans[from].to_ns >= e->start_ns && spans[from].from_ns <= sm_event_end(e);
}

static void put_breakdown(const struct state *s, const struct sm_event_store *x,
                          struct sm_json_writer *w)
{
    struct sm_breakdown b = {0};
    struct sm_step_span *spans = sm_xalloc_zero(x->n_steps + 1, sizeof *spans);
    size_t n = outlier_times(s, x, spans);
    struct sm_event_walk walk = {.from_ns = INT64_MIN, .to_ns = INT64_MAX};
    spans[n] = (struct sm_step_span){INT64_MAX, INT64_MIN};
    for (const struct sm_profile_event *e; n && (e = sm_event_next(x, &walk));)
        if (overlaps(spans, n, e))
            sm_breakdown_add(&b, x, e, 1);
    if (b.n)
        sm_breakdown_json(&b, x, true, w);
    sm_breakdown_clear(&b);
    sm_free(spans);
}

static void details(const struct sm_rule_instance *i, const struct sm_profile *p,
                    struct sm_json_writer *w)
{
    const struct state *s = sm_rule_state(i);
    sm_json_start_map(w);
    sm_json_key(w, "step_details");
    sm_json_start_map(w);
    for (size_t k = 0; s && k < s->n_groups; k++)
        put_group(s, s->groups[k], p, w);
    sm_json_end_map(w);
    if (s)
        put_breakdown(s, sm_profile_events(p), w);
    sm_json_end_map(w);
}

static void clear(void *state)
{
    struct state *s = state;
    for (size_t i = 0; i < s->n_groups; i++) {
        for (size_t k = 0; k < BINS; k++)
            sm_free(s->groups[i]->bins[k].seconds);
        sm_free(s->groups[i]);
    }
    sm_free(s->groups);
}

const struct sm_rule sm_rule_step_outlier = {
    .name = "step_outlier",
    .class_name = "StepOutlier",
    .group = SM_RULE_PROFILER,
    .summary = "Some steps take far longer than usual",
    .fires = "more than n_outliers of more than 100 steps of a node in a mode take longer than the "
             "mean and stddev standard deviations. All steps so far count, in each window again",
    .advice = "look for bottlenecks of CPU and I/O at the times of these steps",
    .saves = "steps (the profiler)",
    .automatic = "",
    .params = params,
    .state_size = sizeof(struct state),
    .on_windows = true,
    .judge = judge,
    .clear = clear,
    .suits_profile = sm_profiler_has_steps,
    .details = details,
    .preset_doc = "stddev=5",
};
