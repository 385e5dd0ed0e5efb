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
