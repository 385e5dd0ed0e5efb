/* SPDX-License-Identifier: Apache-2.0 */
/* BatchSize: CPU, GPU and GPU memory are all low. */
#include "rules/profiler/profiler_data.h"

enum { CPU, GPU, MEMORY, PATIENCE, WINDOW };

struct state {
    struct sm_profiler_reach reach;
    struct sm_profiler_firings fired;
};

static const struct sm_rule_param params[] = {
    SM_PROFILER_PERCENT("cpu_threshold_p95", "70", "CPU is low below it"),
    SM_PROFILER_PERCENT("gpu_threshold_p95", "70", "a GPU is low below it"),
    SM_PROFILER_PERCENT("gpu_memory_threshold_p95", "70", "the memory of a GPU is low below it"),
    SM_PROFILER_COUNT("patience", "1000", "datapoints that are not judged"),
    SM_PROFILER_COUNT("window", "500", "datapoints that the quantiles are of"),
    SM_PROFILER_SCAN,
    {0}};

static void judge_gpu(struct sm_rule_at *x, const struct sm_metric_series *gpu, double cpu,
                      size_t points)
{
    const struct sm_metric_store *m = sm_profile_metrics(x->profile);
    const struct sm_metric_series *memory = sm_series_beside(m, gpu, SM_SERIES_GPU_MEMORY);
    struct state *s = x->state;
    size_t first, first_of_memory, window = (size_t)x->p[WINDOW].number,
                                   n = sm_profiler_points(m, gpu, &s->reach, &first);
    size_t n_memory = memory ? sm_profiler_points(m, memory, &s->reach, &first_of_memory) : 0;
    if (n <= window || !n_memory)
        return;
    double a = sm_profiler_quantile(gpu, first + n, window, 0.95),
           b = sm_profiler_quantile(memory, first_of_memory + n_memory,
                                    window < n_memory ? window : n_memory, 0.95);
    if (!(a < x->p[GPU].number && b < x->p[MEMORY].number))
        return;
    sm_profiler_fire(&s->fired, (uint32_t)(gpu - m->series), &s->reach, a);
    sm_rule_window_count(x, points, 1, 1);
    sm_rule_note(x, NULL, a, x->p[GPU].number, true,
                 "%s: p95 of the last %zu points: CPU %.4g %% < %g %%, GPU %.4g %% < %g %%, GPU "
                 "memory %.4g %% < %g %%",
                 sm_metric_name(m, gpu->key.name), window, cpu, x->p[CPU].number, a,
                 x->p[GPU].number, b, x->p[MEMORY].number);
}

static void judge_node(struct sm_rule_at *x, const struct sm_metric_series *cpu, size_t points)
{
    const struct sm_metric_store *m = sm_profile_metrics(x->profile);
    const struct state *s = x->state;
    size_t first, window = (size_t)x->p[WINDOW].number,
                  n = sm_profiler_points(m, cpu, &s->reach, &first);
    if (n <= window || (double)n <= x->p[PATIENCE].number)
        return;
    double p95 = sm_profiler_quantile(cpu, first + n, window, 0.95);
    if (!(p95 < x->p[CPU].number))
        return;
    x->node = sm_metric_name(m, cpu->key.node);
    for (size_t i = 0; i < m->n_series; i++)
        if (m->series[i].key.node == cpu->key.node &&
            sm_series_is_device(m, &m->series[i], SM_SERIES_GPU))
            judge_gpu(x, &m->series[i], p95, points);
}

static void judge(struct sm_rule_at *x)
{
    const struct sm_metric_store *m = sm_profile_metrics(x->profile);
    struct state *s = x->state;
    s->reach.to_ns = x->to_ns;
    uint64_t points = sm_profiler_cpu_points(m, x->to_ns);
    sm_rule_window_count(x, points, 0, 0);
    for (size_t i = 0; i < m->n_series; i++) {
        const struct sm_metric_series *cpu =
            sm_series_mean(m, m->series[i].key.node, SM_SERIES_CPU);
        if (cpu == &m->series[i])
            judge_node(x, cpu, points);
    }
    sm_profiler_forget(m, SM_SERIES_CPU, &s->reach);
}

static void box(const struct sm_metric_store *m, const struct sm_metric_series *s,
                const struct sm_profiler_reach *reach, const char *suffix, const char *key,
                struct sm_json_writer *w)
{
    struct sm_str name = {0};
    if (!s)
        return;
    sm_str_printf(&name, "%s%s", key ? key : sm_metric_name(m, s->key.name), suffix);
    struct sm_profiler_box b = sm_profiler_box(m, s, reach);
    sm_json_key(w, sm_str_text(&name));
    sm_json_start_map(w);
    sm_profiler_box_json(&b, w);
    sm_json_end_map(w);
    sm_str_clear(&name);
}

static void details(const struct sm_rule_instance *i, const struct sm_profile *p,
                    struct sm_json_writer *w)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    const struct state *s = sm_rule_state(i);
    sm_json_start_map(w);
    for (size_t k = 0; s && k < s->fired.n; k++) {
        uint32_t node = m->series[s->fired.items[k].series].key.node;
        if (sm_profiler_knows_node(&s->fired, k, m))
            continue;
        sm_json_key(w, sm_metric_name(m, node));
        sm_json_start_map(w);
        box(m, sm_series_mean(m, node, SM_SERIES_CPU), &s->fired.items[k].reach, "", "cpu", w);
        for (size_t g = k; g < s->fired.n; g++) {
            const struct sm_metric_series *gpu = &m->series[s->fired.items[g].series];
            if (gpu->key.node != node)
                continue;
            box(m, gpu, &s->fired.items[g].reach, "", NULL, w);
            box(m, sm_series_beside(m, gpu, SM_SERIES_GPU_MEMORY), &s->fired.items[g].reach,
                "_memory", NULL, w);
        }
        sm_json_end_map(w);
    }
    if (s)
        sm_profiler_last_json(&s->fired, w);
    sm_json_end_map(w);
}

static void clear(void *state)
{
    struct state *s = state;
    sm_free(s->fired.items);
}

const struct sm_rule sm_rule_batch_size = {
    .name = "batch_size",
    .class_name = "BatchSize",
    .group = SM_RULE_PROFILER,
    .summary = "CPU, GPU and GPU memory are all little used",
    .fires = "a node has more than window and patience datapoints, and of the last window of them "
             "the 95th percentiles of CPU, of a GPU and of its memory are below the thresholds. It "
             "says nothing where the framework takes all GPU memory at the start",
    .advice = "use a larger batch, or a smaller machine",
    .saves = "system metrics (the profiler)",
    .automatic = "",
    .params = params,
    .state_size = sizeof(struct state),
    .on_windows = true,
    .judge = judge,
    .clear = clear,
    .suits_profile = sm_profiler_has_gpus,
    .details = details,
    .preset_doc = "patience=100",
};
