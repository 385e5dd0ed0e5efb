#include "reader/analysis/tensor_health.h"

#include "reader/analysis/step_values.h"

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

/* A mix of modes would jump between two curves, so the numbers of TRAIN are used alone if there are
 * any. */
static enum sm_mode trend_mode(const struct sm_trial_tensor *x)
{
    return x->modes >> SM_MODE_TRAIN & 1 ? SM_MODE_TRAIN : SM_MODE_ANY;
}

struct trend_reader {
    struct sm_trial *trial;
    const struct sm_trial_tensor *tensor;
    struct sm_step_values_spec spec;
    enum sm_mode mode;
    size_t steps; /* with values of the mode */
};

/* Removes what is of another mode, except what is bad. */
static bool is_in_trend(const struct trend_reader *r, struct sm_step_values *v)
{
    if (r->mode == SM_MODE_ANY || sm_trial_part(r->trial, v->shown->part)->mode == r->mode)
        return true;
    v->brief.flags = 0;
    v->far = NULL;
    return false;
}

static void find_centre(struct trend_reader *r)
{
    struct sm_step_values v;
    uint64_t known = 0;
    double centre = 0;
    for (size_t at = 0;
         sm_step_values_next(r->trial, r->tensor, &r->spec, &at, r->tensor->n_entries, &v);) {
        if (!is_in_trend(r, &v))
            continue;
        r->steps++;
        double y = sm_step_value_number(v.shown, &v.brief, r->spec.statistic);
        if (isfinite(y))
            centre += (y - centre) / (double)++known;
    }
    r->spec.centre = centre;
}

/* The number that stands for some steps; false if there is none, such as for complex numbers. */
static bool trend_number(const struct trend_reader *r, const struct sm_worst_value *w, double *out)
{
    int rank = w->entry ? sm_brief_rank(&w->brief) : 0;
    if (rank == 2)
        *out = w->brief.flags & SM_BRIEF_POS_INF ? INFINITY : -INFINITY;
    else
        *out = rank == 1 ? sm_step_value_number(w->entry, &w->brief, r->spec.statistic) : NAN;
    return rank >= 2 || !isnan(*out);
}

/* Adds what stands for some steps. Where nothing is known yet, one value is requested at once. */
static void end_bin(const struct trend_reader *r, struct sm_fetch *f,
                    const struct sm_worst_value *w, struct sm_trend *out)
{
    double v;
    bool known = trend_number(r, w, &v);
    bool pending = w->unread && (!w->entry || sm_fetch_surveying(f, r->trial));
    struct sm_brief ignored;
    if (w->unread && !w->entry)
        sm_fetch_brief(f, r->trial, w->unread, &ignored, NULL);
    out->left += w->unread != NULL;
    if (!known && !pending)
        return;
    out->v[out->n] = v;
    out->pending[out->n++] = pending && !(known && !isfinite(v));
}

void sm_tensor_health_trend(struct sm_trial *t, struct sm_fetch *f, const struct sm_trial_tensor *x,
                            uint16_t worker, size_t most, struct sm_trend *out)
{
    struct trend_reader r = {.trial = t,
                             .tensor = x,
                             .spec = {.statistic = sm_reduction_statistic(SM_REDUCE_MEAN),
                                      .worker = worker,
                                      .mode = SM_MODE_ANY,
                                      .first_only = sm_trial_traits(t)->runs},
                             .mode = trend_mode(x)};
    struct sm_worst_value w = {0};
    struct sm_step_values v;
    size_t step = 0, bin = 0;
    out->n = out->left = 0;
    if (sm_trial_has_histograms(t, x->name))
        return; /* the mean of edges and counts says nothing */
    find_centre(&r);
    most = most < SM_TREND_MOST ? most : SM_TREND_MOST;
    size_t bins = r.steps < most ? r.steps : most;
    for (size_t at = 0; bins && sm_step_values_next(t, x, &r.spec, &at, x->n_entries, &v);) {
        bool counts = is_in_trend(&r, &v);
        if (counts && step++ * bins / r.steps != bin) {
            end_bin(&r, f, &w, out);
            w = (struct sm_worst_value){0};
            bin++;
        }
        sm_worst_value_add(&w, &v);
    }
    if (bins)
        end_bin(&r, f, &w, out);
}

const struct sm_entry *sm_tensor_health_hidden(const struct sm_trial *t,
                                               const struct sm_trial_tensor *x,
                                               struct sm_brief *brief)
{
    const struct sm_step_values_spec spec = {.statistic = sm_reduction_statistic(SM_REDUCE_MEAN),
                                             .worker = SM_WORKER_ANY,
                                             .mode = SM_MODE_ANY,
                                             .first_only = true};
    struct sm_step_values v;
    for (size_t at = 0; sm_step_values_next(t, x, &spec, &at, x->n_entries, &v);)
        if (v.bad &&
            sm_trial_part(t, v.bad->part)->worker != sm_trial_part(t, v.shown->part)->worker) {
            *brief = v.bad_brief;
            return v.bad;
        }
    return NULL;
}
