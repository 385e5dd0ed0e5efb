/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/between_steps.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

struct gaps {
    int64_t *ends; /* of the steps of each node; INT64_MIN: it had none */
    size_t n_ends, cap_ends;
    double *ns;
    size_t n, cap;
};

static bool add_gap(struct gaps *g, struct sm_event_sum *sum, int64_t from_ns, int64_t to_ns)
{
    int64_t ns;
    if (__builtin_sub_overflow(to_ns, from_ns, &ns) ||
        __builtin_add_overflow(sum->total_ns, ns, &sum->total_ns))
        return true;
    sum->min_ns = !sum->count || ns < sum->min_ns ? ns : sum->min_ns;
    sum->max_ns = ns > sum->max_ns ? ns : sum->max_ns;
    sum->first_ns = !sum->count || from_ns < sum->first_ns ? from_ns : sum->first_ns;
    sum->last_ns = !sum->count || to_ns > sum->last_ns ? to_ns : sum->last_ns;
    sum->count++;
    if (!SM_VEC_ROOM(g->ns, g->n, g->cap))
        return false;
    g->ns[g->n++] = (double)ns;
    return true;
}

static bool take_step(struct gaps *g, struct sm_event_sum *sum, const struct sm_profile_step *s)
{
    while (g->n_ends <= s->node) {
        if (!SM_VEC_ROOM(g->ends, g->n_ends, g->cap_ends))
            return false;
        g->ends[g->n_ends++] = INT64_MIN;
    }
    int64_t *end = &g->ends[s->node];
    if (*end != INT64_MIN && s->start_ns > *end && !add_gap(g, sum, *end, s->start_ns))
        return false;
    *end = s->end_ns > *end ? s->end_ns : *end;
    return true;
}

static double gap_at(const void *of, size_t i)
{
    return ((const double *)of)[i];
}

bool sm_between_steps_of(const struct sm_event_store *x, struct sm_between_steps *out)
{
    static const double q[SM_BETWEEN_QUANTILES] = {[SM_BETWEEN_P50] = 0.5, [SM_BETWEEN_P95] = 0.95};
    struct gaps g = {0};
    struct sm_ranks none = {0};
    bool ok = true;
    *out = (struct sm_between_steps){0};
    for (size_t i = 0; ok && i < x->n_steps; i++)
        ok = take_step(&g, &out->sum, &x->steps[i]);
    const struct sm_ranked gaps = {g.ns, gap_at};
    ok = ok && sm_ranks_quantiles(&none, &gaps, 0, g.n, q, SM_BETWEEN_QUANTILES, out->at);
    sm_free(g.ends);
    sm_free(g.ns);
    return ok;
}
