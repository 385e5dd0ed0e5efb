/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/gpu_idle.h"

#include "reader/base/mem.h"

const char *sm_idle_cause_name(enum sm_idle_cause c)
{
    static const char *const names[] = {"host_wait", "kernel_wait", "other"};
    return names[c];
}

struct stream {
    struct sm_gpu_idle idle;
    int64_t end_ns;
};

static void add_gap(const struct sm_trace_view *v, const struct sm_gpu_work *w, int64_t delay_ns,
                    struct stream *s)
{
    int64_t gap = w->start_ns - s->end_ns;
    bool late = w->call != SM_NAME_NONE && v->trace->events[w->call].start_ns > s->end_ns;
    enum sm_idle_cause c = late ? SM_IDLE_HOST : gap < delay_ns ? SM_IDLE_KERNEL : SM_IDLE_OTHER;
    s->idle.gaps[c]++;
    s->idle.ns[c] += gap;
}

size_t sm_gpu_idle_find(const struct sm_trace_view *v, int64_t delay_ns, struct sm_gpu_idle **out)
{
    const struct sm_trace_data *t = v->trace;
    uint32_t *of_lane = sm_xalloc_zero(t->n_lanes + 1, sizeof *of_lane); /* number + 1 */
    struct stream *streams = sm_xalloc((t->n_lanes + 1) * sizeof *streams);
    size_t n = 0;
    for (size_t i = 0; i < v->n_gpu; i++) {
        const struct sm_gpu_work *w = &v->gpu[i];
        uint32_t lane = t->events[w->event].lane;
        if (of_lane[lane]) {
            add_gap(v, w, delay_ns, &streams[of_lane[lane] - 1]);
        } else {
            of_lane[lane] = (uint32_t)n + 1;
            streams[n++] = (struct stream){
                .idle = {.stream = t->lanes[lane].stream, .device = t->lanes[lane].pid}};
        }
        streams[of_lane[lane] - 1].end_ns = w->end_ns;
    }
    *out = sm_xalloc((n + 1) * sizeof **out);
    for (size_t i = 0; i < n; i++)
        (*out)[i] = streams[i].idle;
    sm_free(of_lane);
    sm_free(streams);
    return n;
}
