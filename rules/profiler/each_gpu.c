/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/profiler/each_gpu.h"

#include "reader/base/mem.h"

void sm_each_gpu_judge(struct sm_rule_at *x, const char *dimension,
                       size_t (*judge)(struct sm_rule_at *x, const struct sm_metric_series *gpu))
{
    const struct sm_metric_store *m = sm_profile_metrics(x->profile);
    struct sm_each_gpu *s = x->state;
    size_t points = 0;
    s->reach.to_ns = x->to_ns;
    for (size_t i = 0; i < m->n_series; i++)
        if (sm_series_is_device(m, &m->series[i], dimension)) {
            size_t n = judge(x, &m->series[i]);
            points = n > points ? n : points;
        }
    sm_rule_window_count(x, points, 0, 0);
    sm_profiler_forget(m, dimension, &s->reach);
}

void sm_each_gpu_clear(void *state)
{
    struct sm_each_gpu *s = state;
    sm_free(s->fired.items);
}
