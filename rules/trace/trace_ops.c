/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/trace_ops.h"

#include "reader/base/mem.h"
#include "reader/trace/trace_name.h"

#include <stdlib.h>

struct op {
    int64_t start_ns, end_ns;
    uint32_t lane, name, event;
};

/* Outer operators before those inside of them. */
static int by_nesting(const void *a, const void *b)
{
    const struct op *x = a, *y = b;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

static int by_self(const void *a, const void *b)
{
    const struct sm_op_sum *x = a, *y = b;
    if (x->self_ns != y->self_ns)
        return x->self_ns > y->self_ns ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

/* By id of name, the id that its sum is kept under. */
static uint32_t *merge_steps(const struct sm_trace_data *t, struct sm_op_sum *sums)
{
    uint32_t names = sm_names_count(t->names), first = SM_NAME_NONE;
    uint32_t *to = sm_xalloc(((size_t)names + 1) * sizeof *to);
    for (uint32_t i = 0; i < names; i++) {
        bool step = sm_trace_step_number(sm_names_text(t->names, i)) >= 0;
        first = step && first == SM_NAME_NONE ? i : first;
        to[i] = step ? first : i;
        sums[to[i]].step = step;
    }
    return to;
}

static size_t collect(const struct sm_trace_data *t, struct op *ops)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct sm_trace_event *e = &t->events[i];
        if (e->cat == SM_TRACE_CPU_OP || e->cat == SM_TRACE_ANNOTATION)
            ops[n++] = (struct op){e->start_ns, sm_trace_end(e), e->lane, e->name, (uint32_t)i};
    }
    if (n)
        qsort(ops, n, sizeof *ops, by_nesting);
    return n;
}

static void add(struct sm_op_sum *s, int64_t ns)
{
    s->count++;
    s->self_ns += ns;
    s->total_ns += ns;
    s->max_ns = ns > s->max_ns ? ns : s->max_ns;
}

size_t sm_op_sums_find(const struct sm_trace_view *v, struct sm_op_sum **out)
{
    const struct sm_trace_data *t = v->trace;
    size_t names = sm_names_count(t->names), n = 0, depth = 0;
    struct sm_op_sum *sums = *out = sm_xalloc_zero(names + 1, sizeof *sums);
    struct op *ops = sm_xalloc((t->n + 1) * sizeof *ops);
    size_t *stack = sm_xalloc((t->n + 1) * sizeof *stack), n_ops = collect(t, ops);
    uint32_t *to = merge_steps(t, sums);
    for (size_t i = 0; i < n_ops; i++) {
        int64_t ns = ops[i].end_ns - ops[i].start_ns;
        while (depth && (ops[stack[depth - 1]].lane != ops[i].lane ||
                         ops[i].end_ns > ops[stack[depth - 1]].end_ns))
            depth--;
        add(&sums[to[ops[i].name]], ns);
        if (depth)
            sums[to[ops[stack[depth - 1]].name]].self_ns -= ns;
        stack[depth++] = i;
    }
    for (size_t i = 0; i < names; i++)
        if (sums[i].count) {
            sums[n] = sums[i];
            sums[n++].name = (uint32_t)i;
        }
    if (n)
        qsort(sums, n, sizeof *sums, by_self);
    sm_free(ops);
    sm_free(stack);
    sm_free(to);
    return n;
}
