/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/trace_comms.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <math.h>
#include <string.h>

void sm_comm_args(const struct sm_trace_data *t, struct sm_map *out)
{
    *out = (struct sm_map){0};
    for (size_t i = 0; i < t->n && t->n_comms; i++) {
        const struct sm_trace_event *e = &t->events[i];
        if (e->cat == SM_TRACE_CPU_OP && e->extra != SM_NAME_NONE && e->external != SM_NAME_NONE)
            sm_map_put(out, e->external, e->extra);
    }
}

const struct sm_trace_comm *sm_comm_of(const struct sm_trace_view *v, const struct sm_gpu_work *w,
                                       const struct sm_map *args)
{
    const struct sm_trace_event *e = &v->trace->events[w->event];
    uint64_t at;
    if (w->type != SM_KERNEL_COMMUNICATION)
        return NULL;
    if (e->extra != SM_NAME_NONE)
        return &v->trace->comms[e->extra];
    return e->external != SM_NAME_NONE && sm_map_get(args, e->external, &at) ? &v->trace->comms[at]
                                                                             : NULL;
}

/* Bytes of an element of c10's types; 0: not known. */
static int64_t size_of(const char *dtype)
{
    static const struct {
        const char *name;
        int64_t bytes;
    } sizes[] = {
        {"Float", 4},        {"BFloat16", 2}, {"Half", 2},          {"Double", 8},
        {"Int", 4},          {"Long", 8},     {"Short", 2},         {"Byte", 1},
        {"Char", 1},         {"Bool", 1},     {"Float8_e4m3fn", 1}, {"Float8_e5m2", 1},
        {"ComplexFloat", 8}, {"UInt16", 2},   {"UInt32", 4},        {"UInt64", 8},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(dtype, sizes[i].name) == 0)
            return sizes[i].bytes;
    return 0;
}

/* What of the bytes crosses a link, as a share: nccl-tests' factors. */
static double bus_factor(const char *collective, int32_t n)
{
    if (n < 2)
        return 1;
    double other = (double)(n - 1) / n;
    if (strstr(collective, "allreduce") || strstr(collective, "all_reduce"))
        return 2 * other;
    if (strstr(collective, "gather") || strstr(collective, "scatter") ||
        strstr(collective, "alltoall") || strstr(collective, "all_to_all"))
        return other;
    return 1;
}

static int64_t bytes_of(const struct sm_trace_data *t, const struct sm_trace_comm *c)
{
    int64_t elems = c->in_elems > c->out_elems ? c->in_elems : c->out_elems, bytes;
    if (elems < 0 || __builtin_mul_overflow(elems, size_of(sm_trace_name(t, c->dtype)), &bytes))
        return 0;
    return bytes;
}

static void finish(const struct sm_trace_data *t, struct sm_comm_sum *s)
{
    bool known = s->bytes > 0 && s->sum_ns > 0;
    s->alg_gbps = known ? (double)s->bytes / (double)s->sum_ns : NAN;
    s->bus_gbps = s->alg_gbps * bus_factor(sm_trace_name(t, s->collective), s->group_size);
}

/* The sum that an operation belongs to; NULL: no memory. */
static struct sm_comm_sum *sum_of(struct sm_names *keys, struct sm_comm_sum **sums, size_t *cap,
                                  const struct sm_trace_comm *c)
{
    const uint32_t key[] = {c->group, c->ranks, c->collective, c->dtype, (uint32_t)c->group_size};
    uint32_t known = sm_names_count(keys), id = sm_names_add(keys, (const char *)key, sizeof key);
    if (id == SM_NAME_NONE || !sm_vec_reserve((void **)sums, cap, (size_t)id + 1, sizeof **sums))
        return NULL;
    if (id == known)
        (*sums)[id] = (struct sm_comm_sum){.group = c->group,
                                           .ranks = c->ranks,
                                           .collective = c->collective,
                                           .dtype = c->dtype,
                                           .group_size = c->group_size};
    return &(*sums)[id];
}

size_t sm_trace_comms_find(const struct sm_trace_view *v, struct sm_comm_sum **out)
{
    struct sm_map args;
    struct sm_names *keys = sm_names_new();
    struct sm_comm_sum *sums = NULL, *sum;
    size_t cap = 0;
    sm_comm_args(v->trace, &args);
    for (size_t i = 0; keys && i < v->n_gpu; i++) {
        const struct sm_gpu_work *w = &v->gpu[i];
        const struct sm_trace_comm *c = sm_comm_of(v, w, &args);
        sum = c ? sum_of(keys, &sums, &cap, c) : NULL;
        if (!sum)
            continue;
        sum->count++;
        sum->bytes += bytes_of(v->trace, c);
        sum->sum_ns += w->end_ns - w->start_ns;
    }
    size_t n = keys ? sm_names_count(keys) : 0;
    for (size_t i = 0; i < n; i++)
        finish(v->trace, &sums[i]);
    sm_names_free(keys);
    sm_map_clear(&args);
    *out = sums;
    return n;
}
