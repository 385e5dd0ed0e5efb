/* SPDX-License-Identifier: Apache-2.0 */
/* GPUMemoryIncrease: the memory of a GPU jumps. */
#include "rules/profiler/each_gpu.h"

enum { INCREASE, PATIENCE, WINDOW };

static const struct sm_rule_param params[] = {
    {.name = "increase",
     .type = SM_RULE_NUMBER,
     .initial = "5",
     .max = 100,
     .unit = "%",
     .help = "of the means of two windows that overlap: a jump of J gives 2 J / window"},
    SM_PROFILER_COUNT("patience", "1000", "datapoints that are not judged"),
    {.name = "window",
     .type = SM_RULE_INT,
     .initial = "10",
     .min = 2,
     .max = 1e6,
     .help = "datapoints of a mean; with 10, an increase of 5 needs a jump of 25 points"},
    SM_PROFILER_SCAN,
    {0}};

static double mean(const double *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    return sum / (double)n;
}

/* After the n-th value, of the last w; the mean before has one value less, as the service's has. */
static double increase(const double *v, size_t n, size_t w)
{
    return mean(v + n - w, w) - mean(v + n - w - 1, w - 1);
}

/* Judges the values that are new in the window. Returns the datapoints of the GPU. */
static size_t judge_gpu(struct sm_rule_at *x, const struct sm_metric_series *memory)
{
    const struct sm_metric_store *m = sm_profile_metrics(x->profile);
    struct sm_each_gpu *s = x->state;
    size_t first, all = sm_profiler_points(m, memory, &s->reach, &first),
                  w = (size_t)x->p[WINDOW].number, found = 0;
    size_t seen = sm_metric_at(m, memory, x->from_ns), most_at = 0;
    double most = 0;
    for (size_t n = seen - first + 1; n <= all; n++) {
        if (n <= w + 1 || (double)n <= x->p[PATIENCE].number)
            continue;
        double d = increase(memory->values + first, n, w);
        if (!(d > x->p[INCREASE].number))
            continue;
        most_at = !found++ || d > most ? n : most_at;
        most = most_at == n ? d : most;
    }
    if (!found)
        return all;
    sm_profiler_fire(&s->fired, (uint32_t)(memory - m->series), &s->reach, most);
    sm_rule_window_count(x, 0, found, found);
    x->node = sm_metric_name(m, memory->key.node);
    sm_rule_note(x, NULL, most, x->p[INCREASE].number, true,
                 "%s: the mean of %zu points of its memory rose by %.4g > %g, to %.4g %%",
                 sm_metric_name(m, memory->key.name), w, most, x->p[INCREASE].number,
                 memory->values[first + most_at - 1]);
    return all;
}

static void judge(struct sm_rule_at *x)
{
    sm_each_gpu_judge(x, SM_SERIES_GPU_MEMORY, judge_gpu);
}

static void gpu_json(const struct sm_metric_store *m, const struct sm_profiler_fired *f,
                     struct sm_json_writer *w)
{
    const struct sm_metric_series *gpu = &m->series[f->series];
    struct sm_profiler_box b = sm_profiler_box(m, gpu, &f->reach);
    sm_json_key(w, sm_metric_name(m, gpu->key.name));
    sm_json_start_map(w);
    sm_profiler_number(w, "increase", f->value);
    sm_profiler_number(w, "gpu_max", b.max);
    sm_profiler_number(w, "p05", b.p5);
    sm_profiler_box_json(&b, w);
    sm_json_end_map(w);
}

static void details(const struct sm_rule_instance *i, const struct sm_profile *p,
                    struct sm_json_writer *w)
{
    const struct sm_each_gpu *s = sm_rule_state(i);
    sm_profiler_firings_json(s ? &s->fired : NULL, sm_profile_metrics(p), gpu_json, w);
}

static bool suits(const struct sm_profile *p)
{
    return sm_series_has_devices(p, SM_SERIES_GPU_MEMORY);
}

const struct sm_rule sm_rule_gpu_memory_increase = {
    .name = "gpu_memory_increase",
    .class_name = "GPUMemoryIncrease",
    .group = SM_RULE_PROFILER,
    .summary = "The memory that is used of a GPU jumps",
    .fires = "after more than patience datapoints of a GPU, the mean of the last window of them is "
             "more than increase above the mean of the window before. These overlap: with a window "
             "of 10 a jump must be larger than 25 percentage points to exceed 5",
    .advice = "look for leaks; use a GPU with more memory if it is near its maximum",
    .saves = "system metrics (the profiler)",
    .automatic = "",
    .params = params,
    .state_size = sizeof(struct sm_each_gpu),
    .on_windows = true,
    .judge = judge,
    .clear = sm_each_gpu_clear,
    .suits_profile = suits,
    .details = details,
    .preset_doc = "increase=10 patience=100 window=500",
};
