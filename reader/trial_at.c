/* Where a tensor was saved at a step. */
#include "reader/trial_state.h"

/* First entry whose step is at least n. */
static size_t lower_bound(const struct sm_trial *t, const struct sm_trial_tensor *x, int64_t n)
{
    size_t lo = 0, hi = x->n_entries;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (t->parts[x->entries[mid].part].step.n < n)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool sm_trial_entries_at(const struct sm_trial *t, const struct sm_trial_tensor *x, struct sm_step step, size_t *from, size_t *to)
{
    *from = lower_bound(t, x, step.n);
    *to = *from;
    while (*to < x->n_entries && t->parts[x->entries[*to].part].step.n == step.n)
        (*to)++;
    return *to > *from;
}

const struct sm_entry *sm_trial_entry(const struct sm_trial *t, const struct sm_trial_tensor *x, struct sm_step step,
                                      uint16_t worker, enum sm_entry_kind kind, int reduction)
{
    size_t from, to;
    const struct sm_entry *best = NULL;
    if (!sm_trial_entries_at(t, x, step, &from, &to))
        return NULL;
    for (size_t i = from; i < to; i++) {
        const struct sm_entry *e = &x->entries[i];
        const struct sm_part *p = &t->parts[e->part];
        if (e->kind != kind || (kind == SM_ENTRY_REDUCTION && e->reduction != reduction) || p->replaced)
            continue;
        if (worker != SM_WORKER_ANY && p->worker != worker)
            continue;
        if (best && t->parts[best->part].worker != p->worker)
            break;                       /* the first worker that has it */
        best = e;
    }
    return best;
}
