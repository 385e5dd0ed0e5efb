/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/kernel_sums.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>

static int by_sum(const void *a, const void *b)
{
    const struct sm_kernel_sum *x = a, *y = b;
    if (x->sum_ns != y->sum_ns)
        return x->sum_ns > y->sum_ns ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

static void add(struct sm_kernel_sum *s, int64_t ns)
{
    s->min_ns = s->count && s->min_ns < ns ? s->min_ns : ns;
    s->max_ns = s->count && s->max_ns > ns ? s->max_ns : ns;
    s->sum_ns += ns;
    s->count++;
}

size_t sm_kernel_sums_find(const struct sm_trace_view *v, struct sm_kernel_sum **out)
{
    const struct sm_trace_data *t = v->trace;
    size_t names = sm_names_count(t->names), n = 0;
    struct sm_kernel_sum *all = sm_xalloc_zero(names + 1, sizeof *all);
    for (size_t i = 0; i < v->n_gpu; i++) {
        struct sm_kernel_sum *s = &all[t->events[v->gpu[i].event].name];
        s->type = v->gpu[i].type;
        add(s, v->gpu[i].end_ns - v->gpu[i].start_ns);
    }
    for (size_t i = 0; i < names; i++)
        if (all[i].count)
            all[i].mean_ns = (double)all[i].sum_ns / (double)all[i].count;
    for (size_t i = 0; i < v->n_gpu; i++) {
        struct sm_kernel_sum *s = &all[t->events[v->gpu[i].event].name];
        double from = (double)(v->gpu[i].end_ns - v->gpu[i].start_ns) - s->mean_ns;
        s->std_ns += from * from;
    }
    for (size_t i = 0; i < names; i++) {
        struct sm_kernel_sum s = all[i];
        s.name = (uint32_t)i;
        s.std_ns = s.count > 1 ? sqrt(s.std_ns / (double)(s.count - 1)) : 0;
        if (s.count)
            all[n++] = s;
    }
    if (n)
        qsort(all, n, sizeof *all, by_sum);
    *out = all;
    return n;
}
