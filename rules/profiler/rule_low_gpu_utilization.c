/* SPDX-License-Identifier: Apache-2.0 */
/* LowGPUUtilization: a GPU is little used, or its use swings. */
#include "rules/profiler/each_gpu.h"

enum { P95, P5, WINDOW, PATIENCE };

static const struct sm_rule_param params[] = {
    SM_PROFILER_PERCENT("threshold_p95", "70", "a GPU whose 95th percentile is below is low"),
    SM_PROFILER_PERCENT("threshold_p5", "10", "a busy GPU whose 5th percentile is below swings"),
    SM_PROFILER_COUNT("window", "500", "datapoints that the quantiles are of"),
    SM_PROFILER_COUNT("patience", "1000", "datapoints that are not judged"),
    SM_PROFILER_SCAN,
    {0}};

static void note(struct sm_rule_at *x, const struct sm_metric_series *gpu, double p95, double p5,
                 bool unused)
{
    const struct sm_metric_store *m = sm_profile_metrics(x->profile);
    const char *name = sm_metric_name(m, gpu->key.name);
    x->node = sm_metric_name(m, gpu->key.node);
    if (p95 < x->p[P95].number)
        sm_rule_note(x, NULL, p95, x->p[P95].number, true,
                     "%s: p95 of the last %g points is %.4g %% < %g %%%s", name,
                     x->p[WINDOW].number, p95, x->p[P95].number, unused ? "; it was not used" : "");
    else
        sm_rule_note(x, NULL, p5, x->p[P5].number, true,
                     "%s swings: of the last %g points p5 is %.4g %% < %g %%, p95 %.4g %%", name,
                     x->p[WINDOW].number, p5, x->p[P5].number, p95);
}

/* The datapoints of the GPU. */
static size_t judge_gpu(struct sm_rule_at *x, const struct sm_metric_series *gpu)
{
    const struct sm_metric_store *m = sm_profile_metrics(x->profile);
    struct sm_each_gpu *s = x->state;
    size_t first, n = sm_profiler_points(m, gpu, &s->reach, &first),
                  window = (size_t)x->p[WINDOW].number;
    window = window < n ? window : n;
    if ((double)n <= x->p[PATIENCE].number)
        return n;
    double p95 = sm_profiler_quantile(gpu, first + n, window, 0.95),
           p5 = sm_profiler_quantile(gpu, first + n, window, 0.05), limit = x->p[P95].number;
    if (!(p95 < limit) && !(p95 > limit && p5 < x->p[P5].number))
        return n;
    sm_profiler_fire(&s->fired, (uint32_t)(gpu - m->series), &s->reach, p95);
    sm_rule_window_count(x, 0, 1, 1);
    note(x, gpu, p95, p5, sm_metric_range_of(gpu, first, first + n).max <= 0);
    return n;
}

static void judge(struct sm_rule_at *x)
{
    sm_each_gpu_judge(x, SM_SERIES_GPU, judge_gpu);
}

static void gpu_json(const struct sm_metric_store *m, const struct sm_profiler_fired *f,
                     struct sm_json_writer *w)
{
    const struct sm_metric_series *gpu = &m->series[f->series];
    struct sm_profiler_box b = sm_profiler_box(m, gpu, &f->reach);
    sm_json_key(w, sm_metric_name(m, gpu->key.name));
    sm_json_start_map(w);
    sm_profiler_number(w, "gpu_max", b.max);
    sm_profiler_number(w, "gpu_95", b.p95);
    sm_profiler_number(w, "gpu_5", b.p5);
    sm_profiler_box_json(&b, w);
    sm_json_end_map(w);
}

static void details(const struct sm_rule_instance *i, const struct sm_profile *p,
                    struct sm_json_writer *w)
{
    const struct sm_each_gpu *s = sm_rule_state(i);
    sm_profiler_firings_json(s ? &s->fired : NULL, sm_profile_metrics(p), gpu_json, w);
}

const struct sm_rule sm_rule_low_gpu_utilization = {
    .name = "low_gpu_utilization",
    .class_name = "LowGPUUtilization",
    .group = SM_RULE_PROFILER,
    .summary = "A GPU is little used, or its use swings between high and low",
    .fires = "a GPU has more than patience datapoints, and of the last window of them the 95th "
             "percentile is below threshold_p95, or it is above and the 5th percentile is below "
             "threshold_p5",
    .advice =
        "look for bottlenecks and blocking calls; change the distribution; use a larger batch",
    .saves = "system metrics (the profiler)",
    .automatic = "",
    .params = params,
    .state_size = sizeof(struct sm_each_gpu),
    .on_windows = true,
    .judge = judge,
    .clear = sm_each_gpu_clear,
    .suits_profile = sm_profiler_has_gpus,
    .details = details,
};
