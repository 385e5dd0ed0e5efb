/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/trace_view.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/trace/trace_name.h"

#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
    const struct sm_gpu_work *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

static int by_step_start(const void *a, const void *b)
{
    const struct sm_trace_step *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* ---- steps ---- */

/* By id of name: its number of a step; -2: not looked at yet. */
static void find_steps(struct sm_trace_view *v)
{
    const struct sm_trace_data *t = v->trace;
    size_t names = sm_names_count(t->names), cap = 0;
    int64_t *numbers = sm_xalloc((names + 1) * sizeof *numbers);
    for (size_t i = 0; i < names; i++)
        numbers[i] = -2;
    for (size_t i = 0; i < t->n; i++) {
        const struct sm_trace_event *e = &t->events[i];
        if (e->cat != SM_TRACE_ANNOTATION && e->cat != SM_TRACE_CPU_OP)
            continue;
        if (numbers[e->name] == -2)
            numbers[e->name] = sm_trace_step_number(sm_trace_name(t, e->name));
        if (numbers[e->name] < 0 || !SM_VEC_ROOM(v->steps, v->n_steps, cap))
            continue;
        v->steps[v->n_steps++] =
            (struct sm_trace_step){numbers[e->name], e->start_ns, sm_trace_end(e)};
    }
    sm_free(numbers);
    if (v->n_steps)
        qsort(v->steps, v->n_steps, sizeof *v->steps, by_step_start);
}

const struct sm_trace_step *sm_trace_step_at(const struct sm_trace_view *v, int64_t ns)
{
    size_t from = 0, to = v->n_steps;
    while (from < to) {
        size_t mid = (from + to) / 2;
        if (v->steps[mid].start_ns <= ns)
            from = mid + 1;
        else
            to = mid;
    }
    return from && ns < v->steps[from - 1].end_ns ? &v->steps[from - 1] : NULL;
}

/* ---- work of the GPU ---- */

static void map_calls(const struct sm_trace_data *t, struct sm_map *calls)
{
    uint64_t at;
    for (size_t i = 0; i < t->n; i++) {
        const struct sm_trace_event *e = &t->events[i];
        if (sm_trace_is_call(e) && e->correlation != SM_NAME_NONE &&
            !sm_map_get(calls, e->correlation, &at))
            sm_map_put(calls, e->correlation, i);
    }
}

/* Work without a correlation counts always. */
static bool counts(const struct sm_trace_view *v, const struct sm_trace_event *e, uint32_t call)
{
    if (v->n_steps < 2 || e->correlation == SM_NAME_NONE)
        return true;
    return call != SM_NAME_NONE && v->trace->events[call].start_ns < v->cut_ns;
}

static void add_work(struct sm_trace_view *v, uint32_t i, const struct sm_map *calls,
                     const uint8_t *types)
{
    const struct sm_trace_event *e = &v->trace->events[i];
    uint64_t at;
    uint32_t call = e->correlation != SM_NAME_NONE && sm_map_get(calls, e->correlation, &at)
                        ? (uint32_t)at
                        : SM_NAME_NONE;
    if (counts(v, e, call))
        v->gpu[v->n_gpu++] =
            (struct sm_gpu_work){e->start_ns, sm_trace_end(e), i, call, types[e->name]};
}

static void find_work(struct sm_trace_view *v)
{
    const struct sm_trace_data *t = v->trace;
    struct sm_map calls = {0};
    uint32_t names = sm_names_count(t->names);
    uint8_t *types = sm_xalloc((size_t)names + 1);
    size_t n = 0;
    for (uint32_t i = 0; i < names; i++)
        types[i] = (uint8_t)sm_kernel_type_of(sm_names_text(t->names, i));
    for (size_t i = 0; i < t->n; i++)
        n += sm_trace_on_gpu(&t->events[i]);
    map_calls(t, &calls);
    v->gpu = sm_xalloc((n + 1) * sizeof *v->gpu);
    for (size_t i = 0; i < t->n; i++)
        if (sm_trace_on_gpu(&t->events[i]))
            add_work(v, (uint32_t)i, &calls, types);
    if (v->n_gpu)
        qsort(v->gpu, v->n_gpu, sizeof *v->gpu, by_start);
    sm_map_clear(&calls);
    sm_free(types);
}

void sm_trace_view_make(const struct sm_trace_item *item, bool as_hta, struct sm_trace_view *out)
{
    *out = (struct sm_trace_view){.trace = &item->trace,
                                  .path = item->path,
                                  .rank = item->rank,
                                  .cut_ns = INT64_MAX,
                                  .as_hta = as_hta};
    find_steps(out);
    if (as_hta && out->n_steps > 1)
        out->cut_ns = out->steps[out->n_steps - 1].start_ns;
    find_work(out);
}

void sm_trace_view_clear(struct sm_trace_view *v)
{
    sm_free(v->gpu);
    sm_free(v->steps);
    *v = (struct sm_trace_view){0};
}
