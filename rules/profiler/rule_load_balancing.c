/* SPDX-License-Identifier: Apache-2.0 */
/* LoadBalancing: GPUs have different profiles of load. */
#include "rules/profiler/profiler_data.h"

#include "reader/base/grow.h"

#include <math.h>
#include <string.h>

enum { THRESHOLD, PATIENCE };
enum { BINS = 50 }; /* of 0 to 100 % */

struct load {
    uint32_t series;
    uint64_t bins[BINS], n; /* n: all values, also those that are out of range */
};
struct pair {
    uint32_t a, b; /* series of GPUs */
    double distance;
};
struct state {
    struct load *loads; /* of GPUs in order of appearance */
    size_t n, cap;
    struct pair *pairs; /* that have fired */
    size_t n_pairs, cap_pairs;
};

static const struct sm_rule_param params[] = {
    {.name = "threshold",
     .type = SM_RULE_NUMBER,
     .initial = "0.5",
     .max = 1,
     .help = "distance of two histograms of load (Jensen-Shannon, 0 to 0.8326)"},
    SM_PROFILER_COUNT("patience", "1000", "datapoints that are not judged"),
    SM_PROFILER_SCAN,
    {0}};

static struct load *load_of(struct state *s, uint32_t series)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->loads[i].series == series)
            return &s->loads[i];
    SM_GROW(s->loads, s->n, s->cap);
    s->loads[s->n] = (struct load){.series = series};
    return &s->loads[s->n++];
}

/* Adds the values of the window. */
static void add_values(struct load *l, const struct sm_metric_series *gpu, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        double v = gpu->values[i];
        size_t bin = v >= 0 && v <= 100 ? (size_t)(v / 2) : BINS;
        l->n++;
        if (v >= 0 && v <= 100)
            l->bins[bin < BINS ? bin : BINS - 1]++;
    }
}

static double sum_of(const struct load *l)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < BINS; i++)
        sum += l->bins[i];
    return (double)sum;
}

/* The Jensen-Shannon distance, natural logarithm; NaN if one of them is empty. */
static double distance(const struct load *a, const struct load *b)
{
    double sum_a = sum_of(a), sum_b = sum_of(b), d = 0;
    if (!(sum_a > 0 && sum_b > 0))
        return (double)NAN;
    for (size_t i = 0; i < BINS; i++) {
        double p = (double)a->bins[i] / sum_a, q = (double)b->bins[i] / sum_b, mean = (p + q) / 2;
        d += (p > 0 ? p * log(p / mean) : 0) + (q > 0 ? q * log(q / mean) : 0);
    }
    return sqrt(d > 0 ? d / 2 : 0);
}

static void keep_pair(struct state *s, const struct pair *pair)
{
    size_t k = 0;
    while (k < s->n_pairs && (s->pairs[k].a != pair->a || s->pairs[k].b != pair->b))
        k++;
    if (k == s->n_pairs) {
        SM_GROW(s->pairs, s->n_pairs, s->cap_pairs);
        s->n_pairs++;
    }
    s->pairs[k] = *pair;
}

/* The place of the GPU's name among the names in order of their appearance. */
static size_t rank_of(const struct state *s, const struct sm_metric_store *m, const struct load *l)
{
    size_t i = 0;
    while (m->series[s->loads[i].series].key.name != m->series[l->series].key.name)
        i++;
    return i;
}

static void judge_pair(struct sm_rule_at *x, const struct load *a, const struct load *b,
                       uint64_t points)
{
    const struct sm_metric_store *m = sm_profile_metrics(x->profile);
    const struct sm_metric_key *ka = &m->series[a->series].key, *kb = &m->series[b->series].key;
    if (rank_of(x->state, m, a) >= rank_of(x->state, m, b) || (double)a->n <= x->p[PATIENCE].number)
        return;
    double d = distance(a, b);
    if (!(d > x->p[THRESHOLD].number))
        return;
    keep_pair(x->state, &(struct pair){a->series, b->series, d});
    sm_rule_window_count(x, points, 1, 1);
    x->node = sm_metric_name(m, ka->node);
    bool same = ka->node == kb->node;
    sm_rule_note(x, NULL, d, x->p[THRESHOLD].number, true,
                 "the loads of %s and %s%s%s differ by %.4g > %g", sm_metric_name(m, ka->name),
                 sm_metric_name(m, kb->name), same ? "" : " of ",
                 same ? "" : sm_metric_name(m, kb->node), d, x->p[THRESHOLD].number);
}

static void judge(struct sm_rule_at *x)
{
    const struct sm_metric_store *m = sm_profile_metrics(x->profile);
    struct state *s = x->state;
    uint64_t points = 0;
    for (size_t i = 0; i < m->n_series; i++) {
        const struct sm_metric_series *gpu = &m->series[i];
        if (!sm_series_is_device(m, gpu, SM_SERIES_GPU))
            continue;
        struct load *l = load_of(s, (uint32_t)i);
        add_values(l, gpu, sm_metric_at(m, gpu, x->from_ns), sm_metric_at(m, gpu, x->to_ns));
        points = l->n > points ? l->n : points;
    }
    sm_rule_window_count(x, points, 0, 0);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = i + 1; k < s->n; k++)
            judge_pair(x, &s->loads[i], &s->loads[k], points);
    for (size_t i = 0; i < s->n && points > SM_PROFILER_POINTS; i++) {
        memset(s->loads[i].bins, 0, sizeof s->loads[i].bins);
        s->loads[i].n = 0;
    }
}

/* ---- details ---- */

static void put_loads(const struct state *s, const struct sm_metric_store *m, uint32_t node,
                      struct sm_json_writer *w)
{
    sm_json_key(w, "workloads");
    sm_json_start_map(w);
    for (size_t i = 0; i < s->n; i++) {
        const struct load *l = &s->loads[i];
        if (m->series[l->series].key.node != node)
            continue;
        sm_json_key(w, sm_metric_name(m, m->series[l->series].key.name));
        sm_json_start_array(w);
        for (size_t b = 0; b < BINS; b++)
            sm_json_u64(w, l->bins[b]);
        sm_json_end_array(w);
    }
    sm_json_end_map(w);
}

/* The distances of one GPU, of those that have fired. */
static void put_distances(const struct state *s, const struct sm_metric_store *m, uint32_t gpu,
                          struct sm_json_writer *w)
{
    bool any = false;
    for (size_t i = 0; i < s->n_pairs; i++) {
        if (s->pairs[i].a != gpu)
            continue;
        if (!any) {
            sm_json_key(w, sm_metric_name(m, m->series[gpu].key.name));
            sm_json_start_map(w);
        }
        any = true;
        const struct sm_metric_key *other = &m->series[s->pairs[i].b].key;
        struct sm_str name = {0};
        sm_str_add(&name, sm_metric_name(m, other->name));
        if (other->node != m->series[gpu].key.node)
            sm_str_printf(&name, " of %s", sm_metric_name(m, other->node));
        sm_profiler_number(w, sm_str_text(&name), s->pairs[i].distance);
        sm_str_clear(&name);
    }
    if (any)
        sm_json_end_map(w);
}

static bool is_first_of_node(const struct state *s, const struct sm_metric_store *m, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (m->series[s->loads[i].series].key.node == m->series[s->loads[at].series].key.node)
            return false;
    return true;
}

static void details(const struct sm_rule_instance *i, const struct sm_profile *p,
                    struct sm_json_writer *w)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    const struct state *s = sm_rule_state(i);
    sm_json_start_map(w);
    for (size_t k = 0; s && k < s->n; k++) {
        uint32_t node = m->series[s->loads[k].series].key.node;
        if (!is_first_of_node(s, m, k))
            continue;
        sm_json_key(w, sm_metric_name(m, node));
        sm_json_start_map(w);
        put_loads(s, m, node, w);
        sm_json_key(w, "distances");
        sm_json_start_map(w);
        for (size_t g = k; g < s->n; g++)
            if (m->series[s->loads[g].series].key.node == node)
                put_distances(s, m, s->loads[g].series, w);
        sm_json_end_map(w);
        sm_json_end_map(w);
    }
    sm_json_end_map(w);
}

static void clear(void *state)
{
    struct state *s = state;
    sm_free(s->loads);
    sm_free(s->pairs);
}

const struct sm_rule sm_rule_load_balancing = {
    .name = "load_balancing",
    .class_name = "LoadBalancing",
    .group = SM_RULE_PROFILER,
    .summary = "GPUs have different profiles of load",
    .fires =
        "the histograms of the use of two GPUs of different names, one of which has more than "
        "patience datapoints, are further apart than threshold: their Jensen-Shannon distance, "
        "of 50 bins",
    .advice = "change the strategy of distribution",
    .saves = "system metrics (the profiler)",
    .automatic = "",
    .params = params,
    .state_size = sizeof(struct state),
    .on_windows = true,
    .judge = judge,
    .clear = clear,
    .suits_profile = sm_profiler_has_gpus,
    .details = details,
    .preset_doc = "patience=10",
};
