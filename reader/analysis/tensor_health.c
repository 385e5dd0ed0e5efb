#include "reader/analysis/tensor_health.h"

#include "reader/tensor/statistic_list.h"

#include <math.h>

const struct sm_entry *sm_tensor_health_entry(const struct sm_trial *t,
                                              const struct sm_trial_tensor *x, struct sm_step step,
                                              uint16_t worker)
{
    for (size_t i = x->n_entries; i-- > 0;) {
        const struct sm_part *p = sm_trial_part(t, x->entries[i].part);
        bool wanted = worker == SM_WORKER_ANY || worker == p->worker;
        if (x->entries[i].kind == SM_ENTRY_VALUE && wanted && !p->replaced &&
            (step.n < 0 || p->step.n <= step.n))
            return sm_trial_entry(t, x, p->step, worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    }
    return NULL;
}

bool sm_tensor_health_text(const struct sm_facts *f, struct sm_str *out)
{
    const struct sm_stats *s = &f->stats;
    if (!f->has_stats)
        return false;
    if (s->nan)
        sm_str_printf(out, "%llu NaN", (unsigned long long)s->nan);
    else if (s->pos_inf + s->neg_inf)
        sm_str_printf(out, "%llu Inf", (unsigned long long)s->pos_inf + s->neg_inf);
    else if (s->n > 1 && s->zero == s->n)
        sm_str_add(out, "all 0");
    return s->nan || s->pos_inf || s->neg_inf;
}

static enum sm_mode mode_of(const struct sm_trial *t, const struct sm_entry *e)
{
    return sm_trial_part(t, e->part)->mode;
}

/* A mix of modes would jump between two curves, so TRAIN is used alone if it exists. */
static enum sm_mode trend_mode(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    for (size_t i = 0; i < x->n_entries; i++)
        if (mode_of(t, &x->entries[i]) == SM_MODE_TRAIN)
            return SM_MODE_TRAIN;
    return SM_MODE_ANY;
}

static bool has_mean(const struct sm_facts *f)
{
    const struct sm_stats *s = &f->stats;
    return f->has_stats && (s->finite || s->nan || s->pos_inf || s->neg_inf);
}

/* The entry that the trend shows at a step. */
static const struct sm_entry *trend_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                          struct sm_step step, uint16_t worker)
{
    if (x->has_value)
        return sm_trial_entry(t, x, step, worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    return sm_trial_entry(t, x, step, worker, SM_ENTRY_REDUCTION, SM_REDUCE_MEAN);
}

/* The i-th of n evenly spread steps; -1 if it is of another mode. */
static struct sm_step trend_step(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                 size_t i, size_t n, enum sm_mode mode)
{
    size_t at = n > 1 ? i * (x->n_entries - 1) / (n - 1) : 0;
    while (at && mode != SM_MODE_ANY && mode_of(t, &x->entries[at]) != mode)
        at--;
    const struct sm_entry *e = &x->entries[at];
    bool other = mode != SM_MODE_ANY && mode_of(t, e) != mode;
    return other ? (struct sm_step){-1} : sm_trial_part(t, e->part)->step;
}

size_t sm_tensor_health_trend(struct sm_trial *t, struct sm_fetch *f,
                              const struct sm_trial_tensor *x, uint16_t worker, double *out,
                              size_t most, bool *waiting)
{
    enum sm_mode mode = trend_mode(t, x);
    size_t n = x->n_entries < most ? x->n_entries : most, k = 0;
    int64_t before = -1;
    bool unknown = false;
    if (sm_trial_has_histograms(t, x->name))
        n = 0; /* the mean of edges and counts says nothing */
    for (size_t i = 0; i < n; i++) {
        struct sm_step step = trend_step(t, x, i, n, mode);
        const struct sm_facts *facts;
        struct sm_err err = {0};
        if (step.n == before || step.n < 0)
            continue;
        before = step.n;
        const struct sm_entry *e = trend_entry(t, x, step, worker);
        bool known = e && sm_fetch_stats(f, t, e, &facts, &err);
        unknown = unknown || (e && !known && err.code == SM_ERR_WAIT);
        if (known && has_mean(facts))
            out[k++] = facts->stats.nan
                           ? NAN
                           : sm_statistic_of(&facts->stats, sm_reduction_statistic(SM_REDUCE_MEAN));
    }
    if (waiting)
        *waiting = unknown;
    return k;
}
