#include "commands/place/statistic.h"

#include "reader/tensor/stats.h"

#include <math.h>

const char *const sm_statistic_names[] = {
    "abs_mean", "abs_max", "absmax", "abs_min", "abs_std", "mean", "std",  "variance", "min", "max",
    "sum",      "prod",    "l1",     "l2",      "nan",     "inf",  "zero", "size",     NULL,
};

bool sm_statistic_find(struct sm_text w, struct sm_statistic *out)
{
    if (sm_text_is(w, "absmax"))
        w = SM_TEXT("abs_max");
    for (size_t i = 0; sm_statistic_names[i]; i++) {
        if (!sm_text_is(w, sm_statistic_names[i]))
            continue;
        int reduction = sm_reduction_of_name(w.p, w.n);
        *out = (struct sm_statistic){sm_statistic_names[i],
                                     reduction < 0 ? SM_REDUCE_NONE : reduction};
        return true;
    }
    return false;
}

static double count_of(const struct sm_stats *s, const char *name)
{
    switch (name[0]) {
    case 'n':
        return (double)s->nan;
    case 'i':
        return (double)(s->pos_inf + s->neg_inf);
    case 'z':
        return (double)s->zero;
    default:
        return (double)s->n;
    }
}

const struct sm_entry *sm_statistic_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                          struct sm_step step, uint16_t worker,
                                          const struct sm_statistic *s)
{
    const struct sm_entry *e = sm_trial_entry(t, x, step, worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    return e || s->reduction == SM_REDUCE_NONE
               ? e
               : sm_trial_entry(t, x, step, worker, SM_ENTRY_REDUCTION, s->reduction);
}

double sm_statistic_of(const struct sm_stats *s, const struct sm_statistic *x)
{
    return x->reduction == SM_REDUCE_NONE ? count_of(s, x->name) : sm_stats_get(s, x->reduction);
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
    else
        *out = sm_statistic_of(&facts->stats, s);
    return true;
}
