/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/launches.h"

#include "reader/base/mem.h"

#include <stdlib.h>
#include <string.h>

bool sm_is_launch(const char *name)
{
    bool known = strncmp(name, "cuda", 4) == 0 || strncmp(name, "cuLaunch", 8) == 0 ||
                 strncmp(name, "hip", 3) == 0;
    return known && (strstr(name, "LaunchKernel") || strstr(name, "MemcpyAsync") ||
                     strstr(name, "MemsetAsync") || strstr(name, "ModuleLaunch"));
}

static const struct sm_trace_event *launch_of(const struct sm_trace_view *v,
                                              const struct sm_gpu_work *w)
{
    const struct sm_trace_event *call = w->call == SM_NAME_NONE ? NULL : &v->trace->events[w->call];
    return call && sm_is_launch(sm_trace_name(v->trace, call->name)) ? call : NULL;
}

/* Those that HolisticTraceAnalysis has statistics of. */
static bool hta_knows(const char *name)
{
    return strcmp(name, "cudaLaunchKernel") == 0 || strcmp(name, "cudaLaunchKernelExC") == 0 ||
           strcmp(name, "cudaMemcpyAsync") == 0 || strcmp(name, "cudaMemsetAsync") == 0;
}

void sm_launches_find(const struct sm_trace_view *v, struct sm_launches *out)
{
    int64_t *values = sm_xalloc((3 * v->n_gpu + 1) * sizeof *values);
    int64_t *call = values, *work = values + v->n_gpu, *delay = values + 2 * v->n_gpu;
    size_t n = 0;
    *out = (struct sm_launches){0};
    for (size_t i = 0; i < v->n_gpu; i++) {
        const struct sm_gpu_work *w = &v->gpu[i];
        const struct sm_trace_event *e = launch_of(v, w);
        if (!e || (v->as_hta && !hta_knows(sm_trace_name(v->trace, e->name))))
            continue;
        int64_t after = w->start_ns - sm_trace_end(e);
        call[n] = e->duration_ns;
        work[n] = w->end_ns - w->start_ns;
        delay[n] = after > 0 ? after : 0;
        out->shorter_than_call += work[n] < call[n];
        out->long_calls += call[n] > SM_LAUNCH_CALL_LONG_NS;
        out->long_delays += delay[n] > SM_LAUNCH_DELAY_LONG_NS;
        n++;
    }
    sm_spread_of(call, n, &out->call);
    sm_spread_of(work, n, &out->work);
    sm_spread_of(delay, n, &out->delay);
    sm_free(values);
}

/* ---- queues ---- */

struct change {
    int64_t stream, ns;
    uint32_t work; /* ties: as the works are ordered */
    int8_t by;     /* +1: launched, -1: begun */
};

static int by_stream_and_time(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return x->by != y->by ? y->by - x->by : (x->work > y->work) - (x->work < y->work);
}

static void follow(const struct change *c, size_t n, int64_t *lengths, struct sm_queue *out)
{
    int64_t length = 0;
    *out = (struct sm_queue){.stream = c[0].stream};
    for (size_t i = 0; i < n; i++) {
        if (length >= SM_QUEUE_FULL)
            out->full_ns += c[i].ns - c[i - 1].ns;
        length += c[i].by;
        lengths[i] = length;
    }
    sm_spread_of(lengths, n, &out->length);
}

size_t sm_queues_find(const struct sm_trace_view *v, struct sm_queue **out)
{
    struct change *c = sm_xalloc((2 * v->n_gpu + 1) * sizeof *c);
    int64_t *lengths = sm_xalloc((2 * v->n_gpu + 1) * sizeof *lengths);
    size_t n = 0, queues = 0;
    for (size_t i = 0; i < v->n_gpu; i++) {
        const struct sm_gpu_work *w = &v->gpu[i];
        const struct sm_trace_event *e = launch_of(v, w);
        if (!e)
            continue;
        int64_t stream = sm_gpu_stream(v, w);
        c[n++] = (struct change){stream, e->start_ns, (uint32_t)i, 1};
        c[n++] = (struct change){stream, w->start_ns, (uint32_t)i, -1};
    }
    if (n)
        qsort(c, n, sizeof *c, by_stream_and_time);
    *out = sm_xalloc((v->trace->n_lanes + 1) * sizeof **out);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && c[to].stream == c[from].stream;)
            to++;
        follow(c + from, to - from, lengths, &(*out)[queues++]);
    }
    sm_free(c);
    sm_free(lengths);
    return queues;
}
