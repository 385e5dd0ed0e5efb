/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/gpu_time.h"

#include "reader/base/mem.h"

/* Intervals that do not touch, in order. */
struct spans {
    struct span {
        int64_t from_ns, to_ns;
    } * items;
    size_t n, at;
};

/* Of the work of some types, bits: its union. */
static struct spans unite(const struct sm_trace_view *v, unsigned types)
{
    struct spans s = {.items = sm_xalloc((v->n_gpu + 1) * sizeof *s.items)};
    for (size_t i = 0; i < v->n_gpu; i++) {
        const struct sm_gpu_work *w = &v->gpu[i];
        struct span *last = s.n ? &s.items[s.n - 1] : NULL;
        if (!(types >> w->type & 1))
            continue;
        if (last && w->start_ns <= last->to_ns)
            last->to_ns = w->end_ns > last->to_ns ? w->end_ns : last->to_ns;
        else
            s.items[s.n++] = (struct span){w->start_ns, w->end_ns};
    }
    return s;
}

static int64_t length_of(const struct spans *s)
{
    int64_t sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += s->items[i].to_ns - s->items[i].from_ns;
    return sum;
}

/* The next time after `now` at which an interval begins or ends, and whether it is in one. */
static int64_t next_change(struct spans *s, int64_t now, bool *inside)
{
    while (s->at < s->n && s->items[s->at].to_ns <= now)
        s->at++;
    *inside = s->at < s->n && s->items[s->at].from_ns <= now;
    if (s->at == s->n)
        return INT64_MAX;
    return *inside ? s->items[s->at].to_ns : s->items[s->at].from_ns;
}

/* Sweeps over the unions of the first three types. */
static void mix(struct spans s[3], int64_t now, int64_t end, int64_t out[SM_GPU_MIXES])
{
    while (now < end) {
        int64_t next = end;
        unsigned kinds = 0;
        for (unsigned k = 0; k < 3; k++) {
            bool inside;
            int64_t change = next_change(&s[k], now, &inside);
            next = change < next ? change : next;
            kinds |= (unsigned)inside << k;
        }
        out[kinds] += next - now;
        now = next;
    }
}

void sm_gpu_time_find(const struct sm_trace_view *v, struct sm_gpu_time *out)
{
    struct spans all = unite(v, (1u << SM_KERNEL_TYPES) - 1), s[3];
    *out = (struct sm_gpu_time){0};
    for (unsigned k = 0; k < 3; k++)
        s[k] = unite(v, 1u << k);
    if (all.n) {
        out->first_ns = all.items[0].from_ns;
        out->last_ns = all.items[all.n - 1].to_ns;
    }
    out->kernel_ns = out->last_ns - out->first_ns;
    out->idle_ns = out->kernel_ns - length_of(&all);
    out->compute_ns = length_of(&s[SM_KERNEL_COMPUTATION]);
    out->non_compute_ns = out->kernel_ns - out->compute_ns - out->idle_ns;
    out->comm_ns = length_of(&s[SM_KERNEL_COMMUNICATION]);
    mix(s, out->first_ns, out->last_ns, out->mix_ns);
    for (unsigned k = 0; k < SM_GPU_MIXES; k++)
        if ((k >> SM_KERNEL_COMPUTATION & 1) && (k >> SM_KERNEL_COMMUNICATION & 1))
            out->overlap_ns += out->mix_ns[k];
    for (unsigned k = 0; k < 3; k++)
        sm_free(s[k].items);
    sm_free(all.items);
}

void sm_gpu_mix_name(unsigned kinds, struct sm_str *out)
{
    const char *between = "";
    for (unsigned k = 0; k < 3; k++)
        if (kinds >> k & 1) {
            sm_str_printf(out, "%s%s", between, sm_kernel_type_name((enum sm_kernel_type)k));
            between = " overlapping ";
        }
}
