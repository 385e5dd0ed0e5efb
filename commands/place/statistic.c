/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/statistic.h"

#include <math.h>

struct sm_entry sm_statistic_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                   struct sm_step step, uint16_t worker,
                                   const struct sm_statistic *s)
{
    struct sm_entry e = sm_trial_entry(t, x, step, worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    return sm_entry_exists(&e) || s->reduction == SM_REDUCE_NONE
               ? e
               : sm_trial_entry(t, x, step, worker, SM_ENTRY_REDUCTION, s->reduction);
}

bool sm_statistic_read(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                       const struct sm_statistic *s, double *out, struct sm_err *err)
{
    const struct sm_facts *facts;
    *out = NAN;
    if (!sm_fetch_stats(f, t, e, &facts, err))
        return false;
    if (!facts->has_stats)
        return true;
    if (e->kind == SM_ENTRY_REDUCTION)
        *out = sm_stats_get(&facts->stats, SM_REDUCE_MEAN);
    else if (sm_statistic_known(&facts->stats, s))
        *out = sm_statistic_of(&facts->stats, s);
    else
        return sm_err_set(err, SM_ERR_MISSING, SM_NOT_SAVED, s->key);
    return true;
}

static size_t count_with(const struct sm_statistic *s, const struct sm_trial_tensor *const *x,
                         size_t n)
{
    size_t have = 0;
    for (size_t i = 0; i < n; i++) {
        bool saved = s->reduction != SM_REDUCE_NONE &&
                     x[i]->reductions[(s->reduction & SM_REDUCE_ABS) != 0] &
                         1u << (s->reduction & ~SM_REDUCE_ABS);
        have += x[i]->has_value || saved;
    }
    return have;
}

const struct sm_statistic *sm_statistic_most_have(const struct sm_statistic *usual,
                                                  const struct sm_trial_tensor *const *x, size_t n)
{
    static const char *const others[] = {"abs_mean", "abs_max", "l2", "std", "mean", "max", "min"};
    const struct sm_statistic *best = usual;
    size_t most = count_with(usual, x, n);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct sm_statistic *s = sm_statistic_find(sm_text(others[i]));
        size_t have = count_with(s, x, n);
        best = have > most ? s : best;
        most = have > most ? have : most;
    }
    return best;
}
