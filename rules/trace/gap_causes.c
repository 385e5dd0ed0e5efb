/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/gap_causes.h"

#include "reader/base/mem.h"
#include "rules/trace/trace_loader.h"

#include <stdlib.h>
#include <string.h>

/* Events of the host of one kind, by start; ends are the latest so far. */
struct hosts {
    struct host {
        int64_t from_ns, to_ns;
    } * items;
    size_t n, at;
};

static int by_from(const void *a, const void *b)
{
    const struct host *x = a, *y = b;
    return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

static bool is_sync(const char *name)
{
    bool runtime = strncmp(name, "cuda", 4) == 0 || strncmp(name, "hip", 3) == 0 ||
                   strncmp(name, "cu", 2) == 0;
    return runtime && (strstr(name, "Synchronize") || strcmp(name, "cudaMemcpy") == 0 ||
                       strcmp(name, "hipMemcpy") == 0);
}

static bool is_gc(const char *name)
{
    return strcmp(name, "Python GC") == 0;
}

static bool is_call(const struct sm_trace_event *e)
{
    return sm_trace_is_call(e);
}

static bool is_python(const struct sm_trace_event *e)
{
    return e->cat == SM_TRACE_PYTHON;
}

static bool is_operator(const struct sm_trace_event *e)
{
    return e->cat == SM_TRACE_ANNOTATION || e->cat == SM_TRACE_CPU_OP;
}

/* Merged, in order. */
static struct hosts collect(const struct sm_trace_data *t, bool (*named)(const char *),
                            bool (*of)(const struct sm_trace_event *))
{
    uint32_t names = sm_names_count(t->names);
    bool *wanted = sm_xalloc_zero((size_t)names + 1, sizeof *wanted);
    struct hosts h = {0};
    size_t n = 0;
    for (uint32_t i = 0; i < names; i++)
        wanted[i] = named(sm_names_text(t->names, i));
    for (size_t i = 0; i < t->n; i++)
        n += wanted[t->events[i].name];
    h.items = sm_xalloc((n + 1) * sizeof *h.items);
    for (size_t i = 0; i < t->n; i++) {
        const struct sm_trace_event *e = &t->events[i];
        if (wanted[e->name] && of(e))
            h.items[h.n++] = (struct host){e->start_ns, sm_trace_end(e)};
    }
    sm_free(wanted);
    if (h.n)
        qsort(h.items, h.n, sizeof *h.items, by_from);
    n = 0;
    for (size_t i = 0; i < h.n; i++) {
        if (n && h.items[i].from_ns <= h.items[n - 1].to_ns) {
            if (h.items[i].to_ns > h.items[n - 1].to_ns)
                h.items[n - 1].to_ns = h.items[i].to_ns;
        } else {
            h.items[n++] = h.items[i];
        }
    }
    h.n = n;
    return h;
}

static int64_t sum_of(const struct hosts *h)
{
    int64_t sum = 0;
    for (size_t i = 0; i < h->n; i++)
        sum += h->items[i].to_ns - h->items[i].from_ns;
    return sum;
}

/* Gaps come in order of time, so each list is walked once. */
static int64_t within(struct hosts *h, int64_t from, int64_t to)
{
    int64_t sum = 0;
    while (h->at < h->n && h->items[h->at].to_ns <= from)
        h->at++;
    for (size_t i = h->at; i < h->n && h->items[i].from_ns < to; i++) {
        int64_t a = h->items[i].from_ns > from ? h->items[i].from_ns : from,
                b = h->items[i].to_ns < to ? h->items[i].to_ns : to;
        sum += b - a;
    }
    return sum;
}

static bool covers(struct hosts *h, int64_t ns)
{
    while (h->at < h->n && h->items[h->at].to_ns < ns)
        h->at++;
    return h->at < h->n && h->items[h->at].from_ns <= ns;
}

static void add_gap(const struct sm_trace_view *v, const struct sm_gpu_work *next, int64_t from,
                    struct hosts *loader, struct hosts *sync, struct hosts *inner,
                    struct sm_gap_causes *out)
{
    int64_t gap = next->start_ns - from, loads = within(loader, from, next->start_ns);
    bool late = next->call != SM_NAME_NONE && v->trace->events[next->call].start_ns > from;
    out->all_ns += gap;
    out->idle_sync_ns += within(inner, from, next->start_ns);
    out->late_ns += late ? gap : 0;
    out->loader_ns += loads;
    bool waited = covers(sync, from);
    if (late && waited) {
        out->sync_ns += gap - loads;
        out->syncs++;
    } else if (late) {
        out->launch_ns += gap - loads;
    }
}

void sm_gap_causes_find(const struct sm_trace_view *v, struct sm_gap_causes *out)
{
    struct hosts loader = collect(v->trace, sm_trace_is_loader, is_operator),
                 sync = collect(v->trace, is_sync, is_call), inner = sync;
    int64_t end = v->n_gpu ? v->gpu[0].end_ns : 0;
    *out = (struct sm_gap_causes){0};
    for (size_t i = 1; i < v->n_gpu; i++) {
        if (v->gpu[i].start_ns > end)
            add_gap(v, &v->gpu[i], end, &loader, &sync, &inner, out);
        end = v->gpu[i].end_ns > end ? v->gpu[i].end_ns : end;
    }
    sm_free(loader.items);
    sm_free(sync.items);
}

const char *sm_rank_work_name(enum sm_rank_work w)
{
    static const char *const names[] = {
        "waits for the data loader",       "copies to the GPU", "computation",
        "calls that wait for an idle GPU", "launching work",    "Python's garbage collection"};
    return names[w];
}

static int64_t sum_collected(const struct sm_trace_data *t, bool (*named)(const char *),
                             bool (*of)(const struct sm_trace_event *))
{
    struct hosts h = collect(t, named, of);
    int64_t sum = sum_of(&h);
    sm_free(h.items);
    return sum;
}

void sm_rank_work_find(const struct sm_trace_view *v, int64_t out[SM_RANK_WORKS])
{
    struct sm_gap_causes gaps;
    memset(out, 0, SM_RANK_WORKS * sizeof *out);
    out[SM_RANK_LOADER] = sum_collected(v->trace, sm_trace_is_loader, is_operator);
    sm_gap_causes_find(v, &gaps);
    out[SM_RANK_SYNC] = gaps.idle_sync_ns;
    out[SM_RANK_HOST] = gaps.late_ns - gaps.loader_ns - gaps.idle_sync_ns;
    out[SM_RANK_GC] = sum_collected(v->trace, is_gc, is_python);
    for (size_t i = 0; i < v->n_gpu; i++) {
        const struct sm_gpu_work *w = &v->gpu[i];
        if (w->type == SM_KERNEL_COMPUTATION)
            out[SM_RANK_COMPUTE] += w->end_ns - w->start_ns;
        else if (w->type == SM_KERNEL_MEMORY && strstr(sm_gpu_name(v, w), "HtoD"))
            out[SM_RANK_H2D] += w->end_ns - w->start_ns;
    }
}
