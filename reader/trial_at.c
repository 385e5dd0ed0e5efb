/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where a tensor was saved at a step. */
#include "reader/trial_state.h"

/* Most tensors are saved at regular intervals: interpolates the index of step n. x->first < n <=
 * x->last. */
static size_t guess_entry(const struct sm_trial_tensor *x, int64_t n)
{
    double span = (double)x->last.n - (double)x->first.n,
           at = ((double)n - (double)x->first.n) / span;
    size_t i = (size_t)(at * (double)(x->n_entries - 1));
    return i < x->n_entries ? i : x->n_entries - 1;
}

/* The first entry whose step is at least n: strides double from the guess, then bisection. */
size_t sm_trial_entries_from(const struct sm_trial *t, const struct sm_trial_tensor *x,
                             struct sm_step step)
{
    int64_t n = step.n;
    size_t lo = 0, hi = x->n_entries, stride = 1;
    if (!hi || n <= x->first.n)
        return 0;
    if (n > x->last.n)
        return hi;
    size_t at = guess_entry(x, n);
    if (sm_trial_entry_step(t, x, at) < n) {
        for (lo = at + 1; lo + stride < hi && sm_trial_entry_step(t, x, lo + stride) < n;
             stride *= 2)
            lo += stride + 1;
        hi = lo + stride < hi ? lo + stride : hi;
    } else {
        for (hi = at; hi >= stride && sm_trial_entry_step(t, x, hi - stride) >= n; stride *= 2)
            hi -= stride;
        lo = hi >= stride ? hi - stride + 1 : 0;
    }
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (sm_trial_entry_step(t, x, mid) < n)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool sm_trial_entries_at(const struct sm_trial *t, const struct sm_trial_tensor *x,
                         struct sm_step step, size_t *from, size_t *to)
{
    *from = sm_trial_entries_from(t, x, step);
    *to = *from;
    while (*to < x->n_entries && sm_tensor_part(t, x, *to)->step.n == step.n)
        (*to)++;
    return *to > *from;
}

struct sm_entry sm_trial_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                               struct sm_step step, uint16_t worker, enum sm_entry_kind kind,
                               int reduction)
{
    size_t from, to;
    struct sm_entry best = sm_entry_none();
    uint16_t first = 0; /* the worker of the best */
    if (!sm_trial_entries_at(t, x, step, &from, &to))
        return best;
    for (size_t i = from; i < to; i++) {
        const struct sm_entry e = sm_tensor_entry(t, x, i);
        const struct sm_part *p = &t->parts[e.part];
        if (e.kind != kind || (kind == SM_ENTRY_REDUCTION && e.reduction != reduction) ||
            p->replaced)
            continue;
        if (worker != SM_WORKER_ANY && p->worker != worker)
            continue;
        if (sm_entry_exists(&best) && first != p->worker)
            break; /* the first worker that has it */
        best = e;
        first = p->worker;
    }
    return best;
}
